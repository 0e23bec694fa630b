"""Small widgets that only show: they hold no truth and know no solver."""
