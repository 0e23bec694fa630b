"""The panel in which a lesson is read and answered."""
