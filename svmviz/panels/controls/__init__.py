"""Panels with controls: settings, points, transport, model, advice."""
