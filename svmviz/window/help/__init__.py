"""The pages of the help, and the window and popup that show them."""
