"""Start and end of the application: what is made, loaded ahead, and closed."""
