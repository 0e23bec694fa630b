"""The problem, the expansion that every method returns, and the certificate of its optimality."""
