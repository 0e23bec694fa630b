"""Helpers that know no other room: threads, numbers as words, logs, shipped files, lazy imports."""
