"""The menu bar, made from one table of actions; an action is handed what it acts on, no more."""
