"""Arrangements of panels around the plane, as data: which panels, where, and how large.

An arrangement has up to four areas around the plane. An area is divided into columns and rows, and
each of these shows one panel, or several as tabs. All sizes are shares, so an arrangement suits any
window. Functions return new arrangements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

AREAS = ("left", "right", "top", "bottom")
# Maximum number of tabs in one row.
MAX_TABS = 5
# Share of the height that a panel gets if it is opened below another one, and share of the height
# of an area below the plane that is made for a panel.
OPENED_SHARE, BOTTOM_SHARE = 0.56, 0.36


@dataclass(frozen=True)
class Tabs:
    """Panels of which the one in front is shown; may be empty, as a place for panels to open.

    Attributes
    ----------
    names : tuple of str
    front : str
        By default, the first one.
    """

    names: tuple[str, ...] = ()
    front: str = ""

    def __post_init__(self) -> None:
        """Put a panel in front."""
        if self.front not in self.names:
            object.__setattr__(self, "front", self.names[0] if self.names else "")


@dataclass(frozen=True)
class Split:
    """Parts beside each other if ``across``, else one above the other.

    Attributes
    ----------
    parts : tuple of Tabs or Split
    shares : tuple of float
        Relative sizes of the parts.
    across : bool
    """

    parts: tuple[Part, ...]
    shares: tuple[float, ...]
    across: bool = False


Part = Tabs | Split


@dataclass(frozen=True)
class Area:
    """One side of the plane.

    Attributes
    ----------
    part : Tabs or Split
    share : float
        Of the width of the window; above and below the plane, of its height.
    """

    part: Part
    share: float


@dataclass(frozen=True)
class Arrangement:
    """The panels around the plane.

    Attributes
    ----------
    areas : dict of str to Area
        By the names in ``AREAS``.
    """

    areas: Mapping[str, Area] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all panels."""
        return tuple(name for area in self.areas.values() for name in names_of(area.part))

    @property
    def fronts(self) -> tuple[str, ...]:
        """Names of the panels in front."""
        leaves = (leaf for area in self.areas.values() for leaf in leaves_of(area.part))
        return tuple(leaf.front for leaf in leaves if leaf.names)

    @property
    def shape(self) -> object:
        """Something that is equal for arrangements that differ only in sizes and tabs in front."""
        return {name: _shape(area.part) for name, area in self.areas.items()}

    def mapped(self, change: Callable[[Part], Part]) -> Arrangement:
        """Return the arrangement with a function applied to the part of each area."""
        areas = {n: replace(area, part=change(area.part)) for n, area in self.areas.items()}
        return replace(self, areas=areas)

    def only(self, names: Collection[str], keep_empty: bool = False) -> Arrangement:
        """Return the arrangement with these panels alone; by default, without empty parts."""
        changed = self.mapped(lambda part: _only(part, names))
        return changed if keep_empty else changed.compact()

    def compact(self) -> Arrangement:
        """Return the arrangement without empty parts."""
        parts = {name: (_compact(area.part), area.share) for name, area in self.areas.items()}
        areas = {name: Area(part, share) for name, (part, share) in parts.items() if part}
        return replace(self, areas=areas)

    def with_fronts(self, names: Collection[str]) -> Arrangement:
        """Return the arrangement with these panels in front of others in their tabs."""

        def change(leaf: Tabs) -> Tabs:
            front = next((name for name in leaf.names if name in names), leaf.front)
            return replace(leaf, front=front)

        return self.mapped(lambda part: _each_leaf(part, change))

    def replaced(self, old: str, new: str) -> Arrangement:
        """Return the arrangement with a panel in the place of another one."""

        def change(leaf: Tabs) -> Tabs:
            names = tuple(new if name == old else name for name in leaf.names)
            return Tabs(names, new if leaf.front == old else leaf.front)

        return self.mapped(lambda part: _each_leaf(part, change))

    def opened(self, name: str, anchors: Collection[str], below: bool = False) -> Arrangement:
        """Return the arrangement with a panel in front: a new one is added as a tab.

        Parameters
        ----------
        name : str
        anchors : collection of str
            Panels that other panels do not cover: a panel is opened below them if there is no other
            place.
        below : bool
            Whether a new panel is opened below the plane.
        """
        if name in self.names:
            return self.with_fronts((name,))
        areas = dict(self.areas)
        for side in ("bottom",) if below else ("right", "left"):
            if side in areas and any(
                _is_free(leaf, anchors) for leaf in leaves_of(areas[side].part)
            ):
                areas[side] = replace(areas[side], part=_added(areas[side].part, name, anchors))
                return replace(self, areas=areas)
        new = Tabs((name,))
        side = "bottom" if below else "right"
        if side in areas:
            pair = Split((areas[side].part, new), (1.0 - OPENED_SHARE, OPENED_SHARE))
            areas[side] = replace(areas[side], part=pair)
        else:
            areas[side] = Area(new, BOTTOM_SHARE if below else 0.0)
        return replace(self, areas=areas)

    def enlarged(self, name: str) -> Arrangement:
        """Return the arrangement with ``OPENED_SHARE`` of the height for a panel below another."""
        return self.mapped(lambda part: _enlarged(part, name))

    def merged(
        self, heights: Mapping[str, float], min_height: float, recent: Sequence[str]
    ) -> Arrangement:
        """Return the arrangement with tabs in place of rows that would be too low.

        Parameters
        ----------
        heights : dict of str to float
            Height of each area, px.
        min_height : float
            Minimum height of a row, px.
        recent : sequence of str
            Names of panels, the one used latest first. It is in front of the new tabs.
        """
        areas = {
            name: replace(area, part=_merged(area.part, heights[name], min_height, recent))
            for name, area in self.areas.items()
        }
        return replace(self, areas=areas)

    def without_bottom(self, recent: Sequence[str], anchors: Collection[str]) -> Arrangement:
        """Return the arrangement with the panels below the plane as tabs at its right."""
        areas = {name: area for name, area in self.areas.items() if name != "bottom"}
        result = replace(self, areas=areas)
        for name in names_of(self.areas["bottom"].part) if "bottom" in self.areas else ():
            front = next((other for other in recent if other in (name, *result.fronts)), name)
            result = result.opened(name, anchors).with_fronts((front,))
        return result


def leaves_of(part: Part) -> Iterator[Tabs]:
    """Yield the tabs of a part, from the left and the top on."""
    if isinstance(part, Tabs):
        yield part
    else:
        for child in part.parts:
            yield from leaves_of(child)


def names_of(part: Part) -> tuple[str, ...]:
    """Return the names of the panels of a part."""
    return tuple(name for leaf in leaves_of(part) for name in leaf.names)


def columns_of(part: Part) -> int:
    """Return the number of columns side by side in a part."""
    if isinstance(part, Tabs):
        return 1
    counts = map(columns_of, part.parts)
    return sum(counts) if part.across else max(counts)


def limited(leaf: Tabs, count: int, recent: Sequence[str], anchors: Collection[str]) -> Tabs:
    """Return tabs of which those used longest ago are removed until ``count`` are left.

    The tab in front and those of ``anchors`` stay.
    """
    ranks = {name: rank for rank, name in enumerate(recent)}
    old = sorted(leaf.names, key=lambda name: ranks.get(name, len(ranks)), reverse=True)
    removable = [name for name in old if name != leaf.front and name not in anchors]
    removed = removable[: max(0, len(leaf.names) - count)]
    return replace(leaf, names=tuple(name for name in leaf.names if name not in removed))


def to_json(arrangement: Arrangement) -> dict[str, Any]:
    """Return an arrangement as an object that JSON can hold."""
    return {
        name: {"share": area.share, "part": _part_to_json(area.part)}
        for name, area in arrangement.areas.items()
    }


def from_json(value: Any, known: Collection[str]) -> Arrangement | None:
    """Return a stored arrangement; None if it makes no sense. Panels not ``known`` are left out."""
    try:
        areas = {
            str(name): Area(_part_from_json(area["part"]), _share(area["share"]))
            for name, area in value.items()
            if name in AREAS
        }
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return None
    stored = Arrangement(areas)
    names = stored.names
    return stored.only(known, keep_empty=True) if len(set(names)) == len(names) else None


def _part_to_json(part: Part) -> dict[str, Any]:
    if isinstance(part, Tabs):
        return {"tabs": list(part.names), "front": part.front}
    parts = [_part_to_json(child) for child in part.parts]
    return {"parts": parts, "shares": list(part.shares), "across": part.across}


def _part_from_json(value: dict[str, Any]) -> Part:
    if "tabs" in value:
        return Tabs(tuple(map(str, value["tabs"])), str(value["front"]))
    parts = tuple(map(_part_from_json, value["parts"]))
    shares = tuple(map(_share, value["shares"]))
    if not parts or len(parts) != len(shares):
        raise ValueError("as many shares as parts")
    return Split(parts, shares, bool(value["across"]))


def _share(value: Any) -> float:
    share = float(value)
    if not (math.isfinite(share) and 0.0 <= share <= 1.0):
        raise ValueError("a share is between 0 and 1")
    return share


def _shape(part: Part) -> object:
    if isinstance(part, Tabs):
        return frozenset(part.names)
    return part.across, tuple(map(_shape, part.parts))


def _each_leaf(part: Part, change: Callable[[Tabs], Tabs]) -> Part:
    if isinstance(part, Tabs):
        return change(part)
    return replace(part, parts=tuple(_each_leaf(child, change) for child in part.parts))


def without(arrangement: Arrangement, names: Collection[str]) -> Arrangement:
    """Return an arrangement without some panels; places that become empty stay."""
    return arrangement.only(set(arrangement.names) - set(names), keep_empty=True)


def _only(part: Part, names: Collection[str]) -> Part:
    return _each_leaf(
        part, lambda leaf: replace(leaf, names=tuple(n for n in leaf.names if n in names))
    )


def _compact(part: Part) -> Part | None:
    """Return a part without empty tabs; None if nothing is left."""
    if isinstance(part, Tabs):
        return part if part.names else None
    pairs = zip(map(_compact, part.parts), part.shares, strict=True)
    kept = [(child, share) for child, share in pairs if child is not None]
    if len(kept) < 2:
        return kept[0][0] if kept else None
    total = sum(share for _, share in kept) or 1.0
    children, shares = zip(*kept, strict=True)
    return replace(part, parts=children, shares=tuple(share / total for share in shares))


def _is_free(leaf: Tabs, anchors: Collection[str]) -> bool:
    """Return whether panels can be added: where others are, or none, but not to an anchor alone."""
    return not leaf.names or any(name not in anchors for name in leaf.names)


def _added(part: Part, name: str, anchors: Collection[str]) -> Part:
    """Return a part with a panel in front of its first tabs that have no anchor."""
    place = next(leaf for leaf in leaves_of(part) if _is_free(leaf, anchors))

    def change(leaf: Tabs) -> Tabs:
        return Tabs((*leaf.names, name), name) if leaf is place else leaf

    return _each_leaf(part, change)


def _enlarged(part: Part, name: str) -> Part:
    if isinstance(part, Tabs):
        return part
    is_last = name in names_of(part.parts[-1])
    if not part.across and len(part.parts) == 2 and is_last and part.shares[1] < OPENED_SHARE:
        return replace(part, shares=(1.0 - OPENED_SHARE, OPENED_SHARE))
    return replace(part, parts=tuple(_enlarged(child, name) for child in part.parts))


def _merged(part: Part, height: float, min_height: float, recent: Sequence[str]) -> Part:
    if isinstance(part, Tabs):
        return part
    if part.across:
        parts = tuple(_merged(child, height, min_height, recent) for child in part.parts)
        return replace(part, parts=parts)
    filled = [bool(names_of(child)) for child in part.parts]
    total = sum(share for share, is_filled in zip(part.shares, filled, strict=True) if is_filled)
    lowest = min((s for s, f in zip(part.shares, filled, strict=True) if f), default=0.0)
    if sum(filled) < 2 or height * lowest / (total or 1.0) >= min_height:
        return part
    fronts = [leaf.front for leaf in leaves_of(part) if leaf.names]
    ranks = {name: rank for rank, name in enumerate(recent)}
    return Tabs(names_of(part), min(fronts, key=lambda name: ranks.get(name, len(ranks))))
