"""Panels that the user sets things with: settings, points, transport, model, advice."""
