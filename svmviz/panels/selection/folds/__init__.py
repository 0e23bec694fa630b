"""The Folds panel: a small plane for each part left out, or leave-one-out as an animation."""
