"""Measurements of what the program promises; no tests."""
