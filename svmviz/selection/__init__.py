"""Searches of model selection in the background; results arrive in the GUI thread. No widgets."""
