"""The one exception a caller of this library has to expect."""


class BadInput(ValueError):
    """Input that cannot be used; the message is one sentence that says what is wrong and where."""
