"""The legend above the plot: marks with their meanings, and a tooltip for each."""
