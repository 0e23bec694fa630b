"""The stage: the models that every view reads, and the point that all views highlight."""
