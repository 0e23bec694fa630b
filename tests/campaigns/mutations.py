"""Random damage to text and to JSON, as in broken files."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

Random = np.random.Generator
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?", re.IGNORECASE)
NUMBERS = (
    *"0 -0 1e308 -1.7976931348623157e308 1.8e308 1e999 -1e999 1e100 1e101 1e-300 5e-324".split(),
    *"1e-400 9007199254740993 0x10 1_000 1,5 ١٢٣ −3 +7 .5 5. 1e 1e+ --1 1.2.3".split(),
    "9" * 400, "1" * 5000, "0." + "3" * 300, "1e" + "9" * 30,
)  # fmt: skip
WORDS = (
    *"nan NaN -nan inf -inf Infinity null None true NA N/A #N/A #DIV/0! ? -".split(),
    "", " ", '"', "'", '""', "<img src=/etc/passwd>", "<b>bold</b>", "&amp;", "%s %d", "{0}", "\\",
    "=1+1", "\u202eabc", "\u200b", "e\u0301" * 30, "a" * 5000, "é", "中文", "🙂", "\ud800",
)  # fmt: skip
CONTROLS = "\x00\x01\x07\x08\x0b\x0c\r\x1b\x1c\x7f\x85\xa0\u2028\u2029\ufeff"
SEPARATORS = ",;\t \n\r\"'#:[]{}"


def mutate_text(rng: Random, text: str, other: str) -> str:
    """Damage text in one way; ``other`` is text to take pieces from."""
    change = TEXT_CHANGES[rng.integers(len(TEXT_CHANGES))]
    return change(rng, text, other)


def _place(rng: Random, text: str) -> int:
    return int(rng.integers(len(text) + 1))


def _piece(rng: Random, text: str) -> tuple[int, int]:
    """Ends of a short or a long piece."""
    start = _place(rng, text)
    most = len(text) - start if rng.random() < 0.2 else min(12, len(text) - start)
    return start, start + int(rng.integers(most + 1))


def _replace_piece(rng: Random, text: str, new: str) -> str:
    start, end = _piece(rng, text)
    return text[:start] + new + text[end:]


def _insert(rng: Random, text: str, new: str) -> str:
    at = _place(rng, text)
    return text[:at] + new + text[at:]


def _delete(rng: Random, text: str, other: str) -> str:
    return _replace_piece(rng, text, "")


def _duplicate(rng: Random, text: str, other: str) -> str:
    start, end = _piece(rng, text)
    times = int(rng.choice([1, 1, 2, 50]))
    return text[:end] + text[start:end] * times + text[end:]


def _splice(rng: Random, text: str, other: str) -> str:
    start, end = _piece(rng, other)
    return _insert(rng, text, other[start:end])


def _truncate(rng: Random, text: str, other: str) -> str:
    return text[: _place(rng, text)]


def _join(rng: Random, text: str, other: str) -> str:
    return text[: _place(rng, text)] + other[_place(rng, other) :]


def _other_number(rng: Random, text: str, other: str) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return _insert(rng, text, str(rng.choice(NUMBERS)))
    match = found[rng.integers(len(found))]
    new = NUMBERS[rng.integers(len(NUMBERS))] if rng.random() < 0.7 else _word(rng)
    return text[: match.start()] + new + text[match.end() :]


def _word(rng: Random) -> str:
    return WORDS[rng.integers(len(WORDS))]


def _other_word(rng: Random, text: str, other: str) -> str:
    return _replace_piece(rng, text, _word(rng))


def _control(rng: Random, text: str, other: str) -> str:
    return _insert(rng, text, CONTROLS[rng.integers(len(CONTROLS))])


def _separator(rng: Random, text: str, other: str) -> str:
    return _replace_piece(rng, text, SEPARATORS[rng.integers(len(SEPARATORS))])


def _all_separators(rng: Random, text: str, other: str) -> str:
    old, new = rng.choice(list(SEPARATORS), 2).tolist()
    return text.replace(old, new)


def _any_character(rng: Random, text: str, other: str) -> str:
    code = int(rng.integers(0x110000)) if rng.random() < 0.3 else int(rng.integers(256))
    return _replace_piece(rng, text, chr(code))


def _swap_lines(rng: Random, text: str, other: str) -> str:
    lines = text.split("\n")
    first, second = rng.integers(len(lines), size=2).tolist()
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _nest(rng: Random, text: str, other: str) -> str:
    depth = int(rng.choice([3, 100, 600, 3000]))
    opened, closed = ("[", "]") if rng.random() < 0.5 else ('{"a":', "}")
    return _insert(rng, text, opened * depth + closed * (depth if rng.random() < 0.5 else 0))


TEXT_CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    _delete, _duplicate, _splice, _truncate, _join, _other_number, _other_number, _other_word,
    _control, _separator, _all_separators, _any_character, _swap_lines, _nest,
)  # fmt: skip


# JSON.


def mutate_json(rng: Random, text: str) -> str:
    """Give a JSON text another value of another type somewhere, or another key."""
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        return text
    holders = _holders(root)
    if not holders:
        return json.dumps(_value(rng))
    holder = holders[rng.integers(len(holders))]
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    key = keys[rng.integers(len(keys))]
    draw = rng.random()
    if draw < 0.7:
        holder[key] = _value(rng)
    elif draw < 0.8:
        del holder[key]
    elif isinstance(holder, dict):
        holder[_word(rng)] = holder[key] if draw < 0.9 else _value(rng)
    else:
        holder.append(holder[key] if draw < 0.9 else _value(rng))
    # A surrogate stays as it is in half of the files, and is escaped in the others.
    try:
        return json.dumps(root, ensure_ascii=bool(rng.random() < 0.5))
    except RecursionError:
        return text


def _holders(node: Any) -> list[Any]:
    """The objects and lists that have members: a list of points counts no more than an object."""
    if not isinstance(node, dict | list) or not node:
        return []
    found = [node]
    members = list(node.values()) if isinstance(node, dict) else node[:3]
    for member in members:
        found += _holders(member)
    return found


def _value(rng: Random) -> Any:
    values: list[Any] = [
        None, True, False, 0, -1, 1, 2, 10**30, 1e308, -1e-308, 1.5, float("nan"), float("inf"),
        10**400, "", "inf", "-inf", "nan", "smo", "rbf", "a" * 3000, [], {}, [[]], [1, 2], [None],
        {"name": "smo"}, {"name": None}, {"name": ["rbf"]}, {"kind": "C", "value": "inf"},
        "rbf(" * 200, "linear()^99", "1/0", "x1/z1", "exp(exp(exp(linear())))", "rbf(1)*" * 50,
        _word(rng), {_word(rng): _word(rng)}, [_word(rng)] * 2, NUMBERS[rng.integers(len(NUMBERS))],
    ]  # fmt: skip
    if rng.random() < 0.02:
        nested: Any = 1
        for _ in range(int(rng.choice([200, 600]))):
            nested = [nested] if rng.random() < 0.5 else {"a": nested}
        return nested
    return values[rng.integers(len(values))]


# Bytes.

ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1")


def encode(rng: Random, text: str) -> bytes:
    """Bytes of a file: mostly UTF-8, sometimes damaged or in another encoding."""
    if rng.random() < 0.75:
        data = text.encode("utf-8", "surrogatepass")
    else:
        encoding = ENCODINGS[rng.integers(len(ENCODINGS))]
        data = text.encode(encoding, "replace")
        if rng.random() < 0.1:
            data = codecs.BOM_UTF16_LE + data
    if rng.random() < 0.25 and data:
        data = _damage(rng, data)
    return data


def _damage(rng: Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(int(rng.choice([1, 1, 3, 20]))):
        at = int(rng.integers(len(damaged)))
        draw = rng.random()
        if draw < 0.6:
            damaged[at] ^= 1 << int(rng.integers(8))
        elif draw < 0.8:
            damaged[at] = int(rng.integers(256))
        else:
            del damaged[at:]
            break
        if not damaged:
            break
    return bytes(damaged)
