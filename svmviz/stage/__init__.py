"""The stage: the objects that every view shares, such as session and playback."""
