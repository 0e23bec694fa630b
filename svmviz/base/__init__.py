"""Helpers that import no other room: threads, numbers as text, logs, assets, lazy imports."""
