"""QR codes as rows of modules, for pages and for the window."""

from __future__ import annotations

# Largest version of a QR code: 105 modules per side. On a telephone's screen a module then has 3
# px, enough for the camera of another telephone. In version 40 it would have less than 2 px.
MAX_VERSION = 22
# Maximum number of bytes of a text in MAX_VERSION, with the lowest level of error correction.
MAX_BYTES = 1003


def qr_rows(text: str) -> list[str]:
    """Return the QR code of a text: a string of "0" and "1" for each row of modules.

    The list is empty if the text has more than MAX_BYTES. The quiet zone around the code, four
    modules wide, is not part of it.
    """
    # Imported here, because the start of the program does not need it.
    import segno

    data = text.encode()
    if len(data) > MAX_BYTES:
        return []
    code = segno.make_qr(data, error="l")
    return ["".join("1" if module else "0" for module in row) for row in code.matrix]


def too_long(text: str) -> str:
    """Return the sentence on a text without a QR code."""
    return (
        f"No QR code: these are {len(text.encode()):,} characters, and a telephone reads at most "
        f"{MAX_BYTES:,}."
    )
