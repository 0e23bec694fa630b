from tests.plane_fixtures import document, mouse, stage, undo, view

__all__ = ["document", "mouse", "stage", "undo", "view"]
