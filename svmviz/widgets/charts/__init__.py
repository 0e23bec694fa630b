"""Small plots with their ticks and legends; they draw the numbers they are given."""
