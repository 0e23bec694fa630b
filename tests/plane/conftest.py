from tests.plane_fixtures import document, hand, stage, undo, view

__all__ = ["document", "hand", "stage", "undo", "view"]
