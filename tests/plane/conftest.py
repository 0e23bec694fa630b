from tests.plane_fixtures import document, mouse, stage, undo, view
from tests.stage_fixtures import open_stage

__all__ = ["document", "mouse", "open_stage", "stage", "undo", "view"]
