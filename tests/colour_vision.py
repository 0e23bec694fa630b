"""Colours as normal and colour-blind eyes see them and in grey, and how far they are apart."""

from __future__ import annotations

import numpy as np

from svmviz.colours.contrast import linear

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB. Grey keeps the luminance.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
    "grey": np.array([[0.2126, 0.7152, 0.0722]] * 3),
}
# IEC 61966-2-1: linear RGB to XYZ, and the white of D65.
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE = TO_XYZ.sum(axis=1)


def lab_of(colour: str, vision: str = "normal") -> np.ndarray:
    """CIELAB coordinates of ``"#rrggbb"`` in a vision, shape (3,)."""
    seen = np.clip(VISIONS[vision] @ np.array(linear(colour)), 0, 1)
    share = TO_XYZ @ seen / WHITE
    f = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(first: str, second: str, vision: str = "normal") -> float:
    """CIEDE2000 difference of two colours ``"#rrggbb"`` in a vision."""
    return ciede2000(lab_of(first, vision), lab_of(second, vision))


def ciede2000(first: np.ndarray, second: np.ndarray) -> float:
    """CIEDE2000 difference of two CIELAB colours (Sharma, Wu and Dalal 2005, equations 2-22)."""
    (light1, a1, b1), (light2, a2, b2) = first, second
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - _saturation(mean))
    chroma1, chroma2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    hue1, hue2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    if chroma1 * chroma2 == 0:
        turn, hue = 0.0, hue1 + hue2
    else:
        # The difference along the shorter way round, and the mean hue on that way.
        turn = hue2 - hue1
        turn -= 360 * np.sign(turn) * (abs(turn) > 180)
        hue = (hue1 + turn / 2) % 360
    light, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    turned = np.radians
    weight = (
        1
        - 0.17 * np.cos(turned(hue - 30))
        + 0.24 * np.cos(turned(2 * hue))
        + 0.32 * np.cos(turned(3 * hue + 6))
        - 0.20 * np.cos(turned(4 * hue - 63))
    )
    by_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    in_light = (light2 - light1) / by_light
    in_chroma = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    in_hue = (
        2 * np.sqrt(chroma1 * chroma2) * np.sin(turned(turn / 2)) / (1 + 0.015 * chroma * weight)
    )
    rotation = -2 * _saturation(chroma) * np.sin(turned(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    square = in_light**2 + in_chroma**2 + in_hue**2 + rotation * in_chroma * in_hue
    return float(np.sqrt(max(square, 0.0)))


def _saturation(chroma: float) -> float:
    return np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
