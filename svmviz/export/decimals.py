"""Numbers as text in formats of pictures."""


def as_decimal(value: float, decimals: int) -> str:
    """Return a number with at most this number of decimals, at least 1: ``1.5`` or ``2``."""
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")
