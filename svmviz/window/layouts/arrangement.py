"""Arrangements of panels around the plane, as data: which panels, where, and how large.

An arrangement has up to four areas around the plane, each with columns of places from top to
bottom. A place shows one panel, or several as tabs. All sizes are shares, so an arrangement suits
any window. Functions return new arrangements.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

AREAS = ("left", "right", "top", "bottom")
BESIDE = ("left", "right")
# Maximum number of tabs in one place.
MAX_TABS = 5
# Share of the height that a panel gets if it is opened below another one, and share of the height
# of an area below the plane that is made for a panel.
OPENED_SHARE, BOTTOM_SHARE = 0.56, 0.36


@dataclass(frozen=True)
class Place:
    """Panels of which the one in front is shown; may be empty, as a place for panels to open.

    Attributes
    ----------
    names : tuple of str
    front : str
        By default, the first one.
    area : str
        One of ``AREAS``.
    column : int
        Number of the column of the area, from the left.
    width, height : float
        Share of the column in the width of the area, and of the place in the height of the column.
    """

    names: tuple[str, ...] = ()
    front: str = ""
    area: str = "right"
    column: int = 0
    width: float = 1.0
    height: float = 1.0

    def __post_init__(self) -> None:
        """Put a panel in front."""
        if self.front not in self.names:
            object.__setattr__(self, "front", self.names[0] if self.names else "")


@dataclass(frozen=True)
class Arrangement:
    """The panels around the plane.

    Attributes
    ----------
    places : tuple of Place
        In the order of areas, columns and rows.
    shares : dict of str to float
        Of the width of the window, by area; above and below the plane, of its height.
    """

    places: tuple[Place, ...] = ()
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all panels."""
        return tuple(name for place in self.places for name in place.names)

    @property
    def fronts(self) -> tuple[str, ...]:
        """Names of the panels in front."""
        return tuple(place.front for place in self.places if place.names)

    @property
    def columns(self) -> dict[str, list[list[Place]]]:
        """The columns of each area, without empty places."""
        filled = [place for place in self.places if place.names]
        columns: dict[str, list[list[Place]]] = {}
        for (area, _), places in groupby(filled, lambda place: (place.area, place.column)):
            columns.setdefault(area, []).append(list(places))
        return columns

    @property
    def shape(self) -> object:
        """Something that is equal for arrangements that differ only in sizes and tabs in front."""
        return {
            area: [[frozenset(place.names) for place in column] for column in columns]
            for area, columns in self.columns.items()
        }

    def mapped(self, change: Callable[[Place], Place]) -> Arrangement:
        """Return the arrangement with a function applied to each place."""
        return replace(self, places=tuple(map(change, self.places)))

    def only(self, names: Collection[str]) -> Arrangement:
        """Return the arrangement with these panels alone; places that become empty stay."""
        return self.mapped(
            lambda place: replace(place, names=tuple(n for n in place.names if n in names))
        )

    def without(self, names: Collection[str]) -> Arrangement:
        """Return the arrangement without some panels; places that become empty stay."""
        return self.only(set(self.names) - set(names))

    def with_fronts(self, names: Collection[str]) -> Arrangement:
        """Return the arrangement with these panels in front of others in their tabs."""

        def change(place: Place) -> Place:
            front = next((name for name in place.names if name in names), place.front)
            return replace(place, front=front)

        return self.mapped(change)

    def replaced(self, old: str, new: str) -> Arrangement:
        """Return the arrangement with a panel in the place of another one."""

        def change(place: Place) -> Place:
            names = tuple(new if name == old else name for name in place.names)
            return replace(place, names=names, front=new if place.front == old else place.front)

        return self.mapped(change)

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
        for area in ("bottom",) if below else ("right", "left"):
            for place in self.places:
                # Where others are, or none, but not on an anchor alone.
                is_free = not place.names or not set(place.names) <= set(anchors)
                if place.area == area and is_free:
                    return self._with(place, replace(place, names=(*place.names, name), front=name))
        area = "bottom" if below else "right"
        above = [place for place in self.places if place.area == area]
        if not above:
            shares = {area: BOTTOM_SHARE if below else 0.0, **self.shares}
            return Arrangement((*self.places, Place((name,), area=area)), shares)
        last = above[-1]
        new = replace(last, names=(name,), front=name, height=OPENED_SHARE)
        rest = (1.0 - OPENED_SHARE) / sum(p.height for p in above if p.column == last.column)
        shrunk = self.mapped(
            lambda place: (
                replace(place, height=rest * place.height)
                if (place.area, place.column) == (area, last.column)
                else place
            )
        )
        index = self.places.index(last) + 1
        return replace(self, places=(*shrunk.places[:index], new, *shrunk.places[index:]))

    def enlarged(self, name: str) -> Arrangement:
        """Return the arrangement with ``OPENED_SHARE`` of the height for a panel below another."""
        low = next(place for place in self.places if name in place.names)
        column = [p for p in self.places if (p.area, p.column) == (low.area, low.column)]
        if len(column) != 2 or column[1] is not low or low.height >= OPENED_SHARE:
            return self
        larger = self._with(low, replace(low, height=OPENED_SHARE))
        return larger._with(column[0], replace(column[0], height=1.0 - OPENED_SHARE))

    def merged(self, height: float, min_height: float, recent: Sequence[str]) -> Arrangement:
        """Return the arrangement, without empty places, with tabs in place of rows too low.

        Parameters
        ----------
        height : float
            Height of each area, px.
        min_height : float
            Minimum height of a row, px.
        recent : sequence of str
            Names of panels, the one used latest first. It is in front of the new tabs.
        """
        places: list[Place] = []
        for column in (column for columns in self.columns.values() for column in columns):
            shares = [place.height for place in column]
            if len(column) > 1 and height * min(shares) < min_height * sum(shares):
                names = tuple(name for place in column for name in place.names)
                front = min((place.front for place in column), key=rank_in(recent))
                column = [replace(column[0], names=names, front=front)]
            places += column
        return replace(self, places=tuple(places))

    def without_bottom(self, recent: Sequence[str], anchors: Collection[str]) -> Arrangement:
        """Return the arrangement with the panels below the plane as tabs at its right."""
        upper = tuple(place for place in self.places if place.area != "bottom")
        result = replace(self, places=upper)
        for name in (name for p in self.places if p.area == "bottom" for name in p.names):
            front = next((other for other in recent if other in (name, *result.fronts)), name)
            result = result.opened(name, anchors).with_fronts((front,))
        return result

    def _with(self, old: Place, new: Place) -> Arrangement:
        return self.mapped(lambda place: new if place is old else place)


def rank_in(recent: Sequence[str]) -> Callable[[str], int]:
    """Return the function that ranks names: those that were used latest come first."""
    ranks = {name: rank for rank, name in enumerate(recent)}
    return lambda name: ranks.get(name, len(ranks))


def limited(place: Place, count: int, recent: Sequence[str], anchors: Collection[str]) -> Place:
    """Return a place from which panels used longest ago are removed until ``count`` are left.

    The tab in front and those of ``anchors`` stay.
    """
    old = sorted(place.names, key=rank_in(recent), reverse=True)
    removable = [name for name in old if name != place.front and name not in anchors]
    removed = removable[: max(0, len(place.names) - count)]
    return replace(place, names=tuple(name for name in place.names if name not in removed))


def to_json(arrangement: Arrangement) -> dict[str, Any]:
    """Return an arrangement as an object that JSON can hold."""
    places = [{**vars(place), "names": list(place.names)} for place in arrangement.places]
    return {"places": places, "shares": dict(arrangement.shares)}


def from_json(value: Any, known: Collection[str]) -> Arrangement | None:
    """Return a stored arrangement; None if it makes no sense. Panels not ``known`` are left out."""
    try:
        shares = {area: _share(value["shares"][area]) for area in AREAS if area in value["shares"]}
        places = tuple(
            Place(
                tuple(map(str, each["names"])),
                str(each["front"]),
                str(each["area"]),
                int(each["column"]),
                _share(each["width"]),
                _share(each["height"]),
            )
            for each in value["places"]
            if each["area"] in shares
        )
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        return None
    stored = Arrangement(places, shares)
    return stored.only(known) if len(set(stored.names)) == len(stored.names) else None


def _share(value: Any) -> float:
    share = float(value)
    if not (math.isfinite(share) and 0.0 <= share <= 1.0):
        raise ValueError("a share is between 0 and 1")
    return share
