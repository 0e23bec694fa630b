"""A desktop explorer for support vector machines."""

__version__ = "1.0.0"
