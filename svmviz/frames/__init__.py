"""The frame thread turns runs and a step of each into frozen frames; nothing here knows Qt."""
