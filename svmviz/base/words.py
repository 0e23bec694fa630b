"""Names and numbers as text, in the same form everywhere in the window.

Numbers have at most four significant digits (whole numbers may have more), a comma between
thousands, a true minus sign, and powers of ten as they are printed: 1.5·10⁻⁷. Input fields show
numbers in the same form, and `read_number` reads numbers in this form.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from solvers import Method, Problem
from solvers.data.datasets import PointSet
from solvers.data.point_files import readable_name
from solvers.errors import visible
from solvers.kernels.feature_geometry import FeatureDistance
from solvers.rounding import without_noise
from solvers.settings import settings_of

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_SCIENTIFIC = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?e[+-]?\d+\b")
_MINUS = re.compile(r"(?<![\w.)\]⁰-⁹])-(?=\d)")
_PRINTED_POWER = re.compile(r"(?:^|[·*×])10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$")
# The name of an axis whose coordinates are in multiples of a unit, as in "body mass (× 200 g)".
_MULTIPLE = re.compile(r"(.*\S) \(× ?([1-9]\d{0,8}(?:\.\d{1,8})?) ?([^\d\W]\S*)\)")
# The words for infinity, without spaces; C is infinite for the hard margin.
_INFINITE = re.compile(r"(?:∞|inf|infinity|infinite)(?:hard(?:margin)?)?|hard(?:margin)?")
# The percent sign after a number, with a space at which lines do not break.
PERCENT = "\N{NO-BREAK SPACE}%"
# Numbers in this range are written without a power of ten.
MIN_PLAIN, MAX_PLAIN = 1e-4, 1e7
# The largest number that `read_whole` returns; all whole numbers up to it are exact doubles.
MAX_WHOLE = 10**15
# Maximum characters of a name on screen. Names in files may be 100,000 characters long, and Qt
# takes seconds to lay out such a text.
MAX_NAME = 60


@lru_cache(maxsize=256)
def shown_name(name: str) -> str:
    """Return a name from a file as it is shown.

    Invisible characters are escaped, and the middle of a long name is replaced by "…".
    """
    # The middle is cut out before escaping, because escaping a long name would take long.
    ends = name if len(name) <= 2 * MAX_NAME else name[:MAX_NAME] + name[-MAX_NAME:]
    text = visible(ends)
    if len(text) <= MAX_NAME:
        return text
    half = (MAX_NAME - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def class_title(name: str) -> str:
    """Return the name of a class; in a number such as -1, the hyphen becomes a minus sign."""
    numeric = name[:1] in ("+", "-") and name[1:].replace(".", "", 1).isdigit()
    return name.replace("-", "−") if numeric else name


def class_titles(data: PointSet) -> tuple[str, ...]:
    """Return the names of the classes, of two those of -1 and +1 in this order."""
    # A positive class named 1, as in many files, is shown as +1.
    names = ("-1", "+1") if data.class_names == ("-1", "1") else data.class_names
    return tuple(class_title(shown_name(name)) for name in names)


def axis_titles(data: PointSet, is_regression: bool = False) -> tuple[str, str]:
    """Return the names of both coordinates; ``bill_depth_mm`` becomes "bill depth (mm)"."""
    if is_regression and data.axis_names == ("x1", "x2"):
        # The second coordinate of points without names is the target.
        return "x", "y"
    across, up = (_axis_title(name) for name in data.axis_names)
    return across, up


def _axis_title(name: str) -> str:
    # The names of points that have none: in files they are x1 and x2.
    return {"x1": "x₁", "x2": "x₂"}.get(name) or shown_name(readable_name(name))


def axis_units(
    data: PointSet, is_regression: bool = False
) -> tuple[tuple[str, float], tuple[str, float]]:
    """Return the name of each axis and the factor from coordinates to the numbers on it.

    "body mass (× 200 g)" is shown as "body mass (g)", with the coordinate 20 at 4,000.
    """
    across, up = (_axis_unit(title) for title in axis_titles(data, is_regression))
    return across, up


def _axis_unit(title: str) -> tuple[str, float]:
    found = _MULTIPLE.fullmatch(title)
    return (f"{found[1]} ({found[3]})", float(found[2])) if found else (title, 1.0)


def lane_titles(methods: Sequence[Method]) -> list[str]:
    """Return the names of the lanes of a race.

    If several lanes have the same method, their names contain the settings that differ, except
    switches that are off.
    """
    return [_title(method, [m for m in methods if m.name == method.name]) for method in methods]


def _title(method: Method, namesakes: Sequence[Method]) -> str:
    """Return the name of a lane; ``namesakes`` are all methods of its class in the race."""
    differences = []
    for name, spec in settings_of(method).items():
        value = getattr(method, name)
        if value is not False and any(getattr(other, name) != value for other in namesakes):
            words = dict(spec.choices).get(value)
            differences.append(words or _plain(spec.label, value))
    return f"{method.label} ({', '.join(differences)})" if differences else method.label


def _plain(label: str, value: float) -> str:
    if value is True:
        return label[:1].lower() + label[1:]
    return f"{label} {count(value) if isinstance(value, int) else number(value)}"


def number(value: float, digits: int = 4) -> str:
    """Return a number as text, with at most ``digits`` significant digits.

    Zeros at the end of decimals are left out. Whole numbers below ``MAX_PLAIN`` keep all digits.
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = float(f"{value:.{digits - 1}e}")
    # A whole number may be a count, which is not rounded.
    whole = value == round(value)
    size = abs(value if whole else rounded)
    if size and not MIN_PLAIN <= size < MAX_PLAIN:
        return in_powers(value, digits)
    if size and size < 10 ** (digits - 1):
        text = _trimmed(f"{rounded:.{digits - 1 - math.floor(math.log10(size))}f}")
    else:
        text = f"{value if whole else rounded:,.0f}"
    return signed(text)


def vector_text(values: Sequence[float], digits: int = 4) -> str:
    """Return a vector in brackets, with 0 for entries that are noise beside the others."""
    return f"({', '.join(number(value, digits) for value in without_noise(values))})"


def percent(share: float, digits: int = 2) -> str:
    """Return a fraction, 0 to 1, as a percentage such as "12 %"."""
    return f"{number(100.0 * share, digits)}{PERCENT}"


def in_powers(value: float, digits: int = 4) -> str:
    """Return a number as a mantissa and a power of ten: ``1.5·10⁵``."""
    mantissa, power = f"{value:.{digits - 1}e}".split("e")
    return signed(_trimmed(mantissa) + power_of_ten(int(power))) if value else "0"


class BeyondDouble(ValueError):
    """A number that is too large for double precision."""


def read_number(text: str) -> float:
    """Return the number that a text means; the inverse of `number`.

    Forms such as 1e-7, 1/5 and inf can also be read. A comma is a decimal comma, unless it
    separates groups of thousands as in the texts of `number`.

    Raises
    ------
    BeyondDouble
        If the number is too large for double precision.
    ValueError
        If the text is not a number.
    """
    over, is_fraction, under = text.partition("/")
    if is_fraction:
        parts = read_number(over), read_number(under)
        if "/" in under or parts[1] == 0.0 or math.inf in map(abs, parts):
            raise ValueError(f"not a number: {text!r}")
        value = parts[0] / parts[1]
        if math.isinf(value):
            raise BeyondDouble(f"beyond double precision: {text!r}")
        return value
    plain = "".join(text.split()).lower().replace("−", "-")
    if _INFINITE.fullmatch(plain):
        return math.inf
    power = _PRINTED_POWER.search(plain)
    if power:
        mantissa = plain[: power.start()] or "1"
        plain = f"{mantissa}e{power[1].translate(_PLAIN_DIGITS)}"
    if _THOUSANDS.match(plain):
        plain = plain.replace(",", "")
    elif "." not in plain:
        plain = plain.replace(",", ".")
    value = float(plain)
    # Only the word "inf" means infinity. A number too large for a double also becomes infinite
    # here, but is an error.
    if math.isinf(value) and "inf" not in plain:
        raise BeyondDouble(f"beyond double precision: {text!r}")
    if not math.isfinite(value):
        raise ValueError(f"not a number: {text!r}")
    return value


def typed_form(text: str) -> str:
    """Return a text of `number` as one types it: 10000, -0.5, 1.5e-7; other texts are unchanged.

    A text that is edited must not contain a comma between thousands: without its last digit,
    10,000 would be read as 10.00.
    """
    plain = text.replace("−", "-")
    if _THOUSANDS.match(plain):
        plain = plain.replace(",", "")
    power = _PRINTED_POWER.search(plain)
    if power:
        plain = f"{plain[: power.start()] or '1'}e{power[1].translate(_PLAIN_DIGITS)}"
    try:
        float(plain)
    except ValueError:
        return text
    return plain


def read_whole(digits: str) -> int | None:
    """Return the whole number that digits mean; None if the text is not made of digits only.

    Numbers above ``MAX_WHOLE`` are read as ``MAX_WHOLE``; ``int`` refuses more than 4,300 digits.
    """
    return int(min(float(digits), MAX_WHOLE)) if digits.isdecimal() else None


def count(value: int) -> str:
    """Return a whole number with all its digits."""
    return signed(f"{value:,}")


def time_left(seconds: float, share: float) -> str:
    """Return the time that work still takes, such as "2 min 5 s left"; empty if ``share`` is 0.

    Parameters
    ----------
    seconds : float
        The time since the work began, s.
    share : float
        The fraction of the work that is done, 0 to 1.
    """
    if share <= 0.0:
        return ""
    remaining = round(seconds * (1.0 - share) / share)
    if remaining >= 60:
        return f"{remaining // 60} min {remaining % 60} s left"
    return f"{remaining} s left"


def signed(text: str) -> str:
    """Return the text of a number with a true minus sign, and with none before zero."""
    if text.startswith("-"):
        return "−" + text[1:] if any(c in "123456789" for c in text) else text[1:]
    return text


def tidied(sentence: str) -> str:
    """Return a sentence of a solver with its numbers in the form of this module.

    ``solvers`` prints plain ASCII, such as 1e-05 and -3. Hyphens in words and in ranges stay.
    """
    with_powers = _SCIENTIFIC.sub(lambda match: number(float(match[0])), sentence)
    return _MINUS.sub("−", with_powers)


def power_of_ten(power: int) -> str:
    """Return ``·10⁻⁷`` for the power -7; an empty string for the power 0."""
    return "·10" + str(power).translate(_SUPERSCRIPTS) if power else ""


def mantissa(value: float, power: int) -> float:
    """Return ``value / 10**power``; the result must not exceed double precision.

    It is computed from the digits of the value, since ``10.0**-324`` is 0.
    """
    digits, _, exponent = f"{value:.17e}".partition("e")
    return float(digits) * 10.0 ** (int(exponent) - power) if value else 0.0


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def primal_name(problem: Problem) -> str:
    """Return the name of P in charts; with a hard margin, P is that of f / min y f."""
    if problem.capped:
        return "P = ½‖p − q‖²"
    return "P of the rescaled f" if problem.hard else "primal P"


def primal_help(problem: Problem) -> str:
    """Return sentences on P if it is not the primal of the soft margin; otherwise ""."""
    if problem.capped:
        return (
            "p and q are points of the reduced hulls. Between the hulls is an empty strip at right "
            "angles to p − q.\nD is half its squared width, so the hulls are at least this width "
            "apart."
        )
    if problem.hard:
        return (
            "With C = ∞, P is finite only if every y f ≥ 1.\nSo P is shown for (w, b) divided by "
            "the smallest y f(x), once that is above 0."
        )
    return ""


def distance_words(found: FeatureDistance, who: str, where: str = "in the plane") -> str:
    """Return the sentence on the distances of two points; ``who`` names the points.

    ``where`` says where the first of the two distances is measured; it may be empty.
    """
    degrees = number(found.angle, 3)
    angle = "" if math.isnan(found.angle) else f", with an angle of {degrees}° between their φ"
    plane = f"{number(found.plane)} apart {where}, " if where else ""
    feature = "no distance" if math.isnan(found.feature) else number(found.feature)
    apart = "" if where else "apart "
    return f"{who}: {plane}{feature} {apart}in the feature space{angle}."


def listed(words: Sequence[str], conjunction: str = "and") -> str:
    """Return words as "A, B and C", or with another conjunction."""
    return f" {conjunction} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def failure(what: str, error: Exception) -> str:
    """Return a sentence on an unexpected error, with the first line of its text."""
    reason = str(error).partition("\n")[0] or type(error).__name__
    return f"{what}: {reason} (the log has the details)."
