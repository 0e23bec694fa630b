"""The frame thread makes frozen frames from runs and a step of each; nothing here uses Qt."""
