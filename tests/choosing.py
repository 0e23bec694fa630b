"""A choice in a `ChoiceBox`, as a click on an entry of its list makes it."""


def choose(choice, key):
    """Choose the entry with this key."""
    choice.set_value(key)
    choice.combo.activated.emit(choice.combo.currentIndex())
