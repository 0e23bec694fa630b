"""WCAG 2 contrast of two colours, and mixing."""

from __future__ import annotations


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``"#rrggbb"``, each 0 to 255."""
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"expected '#rrggbb', got {colour!r}")
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def linear(colour: str) -> tuple[float, float, float]:
    """Return linear-light channels in [0, 1] of an sRGB colour (IEC 61966-2-1)."""

    def decode(channel: int) -> float:
        value = channel / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = channels(colour)
    return decode(red), decode(green), decode(blue)


def luminance(colour: str) -> float:
    """Return the relative luminance in [0, 1] (WCAG 2.2)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio in [1, 21]: ``(L1 + 0.05) / (L2 + 0.05)`` (WCAG 2.2).

    Text needs 4.5 (AA); large text, lines and marks that carry meaning need 3.
    """
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mix(first: str, second: str, share: float) -> str:
    """Return ``(1 - share) * first + share * second`` in sRGB; ``share`` is in [0, 1]."""
    if not 0 <= share <= 1:
        raise ValueError(f"share must be in [0, 1], got {share}")
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
