"""Painting in device space: functions of a frame, a camera and a style, for screen and exports."""
