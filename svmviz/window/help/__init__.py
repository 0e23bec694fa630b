"""The help: its pages, made from the registries, and the widgets that show them."""
