"""Benchmarks of the program; no tests."""
