"""Small plots with their ticks and legends. They compute nothing except the layout."""
