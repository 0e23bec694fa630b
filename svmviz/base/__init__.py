"""Helpers that import no other room: threads, texts of numbers, logs, assets, lazy imports."""
