"""Studies: further results about the lanes of a frame, computed in the frame thread.

A visible panel subscribes to a study. Then every frame has the result in ``frame.studies`` under
the panel's name. So all panels show the same step, and no slow work runs in the GUI thread. Studies
of hidden panels are not computed.
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

# A study is a function of a frame without studies and its runs, one per lane. It returns an
# immutable result, or None. It runs only in the frame thread, so an object with a cache (a Gram
# matrix, a path through weight space) needs no lock.
Study = Callable[[Frame, tuple[Run, ...]], Any]
# If an attribute ``unfinished`` of a result is true, another frame is requested. A result may also
# be a tuple, one per lane. Slow work runs in the background (``svmviz.base.background``), so that
# it delays no frame; until it ends, the result is a ``Pending`` object.


def is_unfinished(results: Mapping[str, Any]) -> bool:
    """Return whether the result of some study is not final yet."""
    parts = (r if isinstance(r, tuple) else (r,) for r in results.values())
    return any(getattr(part, "unfinished", False) for lanes in parts for part in lanes)


def with_studies(frame: Frame, runs: tuple[Run, ...], studies: Mapping[str, Study]) -> Frame:
    """Return the frame with the results of the studies.

    If a study raises, the error is logged, and the frame has no result of this study.
    """
    if not studies or not frame.lanes:
        return frame
    results = {}
    for name, study in studies.items():
        try:
            results[name] = study(frame, runs)
        except Exception:
            log.exception("The study for %s failed", name)
    return replace(frame, studies=MappingProxyType(results))
