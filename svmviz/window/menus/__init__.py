"""The menu bar, made from one table of actions; each action gets only the objects it acts on."""
