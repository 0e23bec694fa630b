"""What a view needs of a frame beyond its lanes, worked out in the frame thread.

A panel that is on screen subscribes to a study, and from then on every frame brings its result in
``frame.studies`` under the panel's name: so what it draws belongs to the same step as everything
else, and nothing slow happens on the GUI thread. Panels off screen cost nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from solvers import Run
from svmviz.frames.frame import Frame

log = logging.getLogger(__name__)

# Takes a frame without studies and the runs that it shows, one a lane, and returns something that
# is never changed afterwards, or None where there is nothing to say. It runs in the frame thread
# alone, so an object with a memory (a Gram matrix, a way through weight space) needs no lock.
Study = Callable[[Frame, tuple[Run, ...]], Any]
# A result whose attribute ``unfinished`` is true makes the playback ask for another frame; so does
# a tuple, one result a lane, with such a one in it. Slow work runs in the background
# (``svmviz.base.background``) and is pending, so that frames go on.


def is_unfinished(results: Mapping[str, Any]) -> bool:
    """Whether a study has more to tell of the same step."""
    parts = (r if isinstance(r, tuple) else (r,) for r in results.values())
    return any(getattr(part, "unfinished", False) for lanes in parts for part in lanes)


def with_studies(frame: Frame, runs: tuple[Run, ...], studies: Mapping[str, Study]) -> Frame:
    """Return the frame with the results of studies; one that fails is logged and left out."""
    if not studies or not frame.lanes:
        return frame
    results = {}
    for name, study in studies.items():
        try:
            results[name] = study(frame, runs)
        except Exception:
            log.exception("The study for %s failed", name)
    return replace(frame, studies=MappingProxyType(results))
