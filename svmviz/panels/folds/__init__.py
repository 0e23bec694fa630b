"""The Folds panel: a small plane per part of the points left out, or leave-one-out animated."""
