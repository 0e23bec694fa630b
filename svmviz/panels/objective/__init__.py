"""Panels on what is minimised: primal and dual, losses, the budget, P along a line, the badge."""
