"""Compiling with numba, lazily: decorators and signatures; nothing here knows what is computed."""
