"""The panel of the split: its parts with their errors, the drawer of the test part, controls."""
