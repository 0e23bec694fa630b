"""Start and end of the program: what is made, imported ahead and closed; only cli calls it."""
