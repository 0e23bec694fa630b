from tests.stage_fixtures import open_stage, show

__all__ = ["open_stage", "show"]
