"""Dual coordinate ascent: one alpha per step."""
