"""The pages of the help, made from the registries, and what shows them; nothing is changed here."""
