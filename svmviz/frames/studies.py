"""Studies: further results about the lanes of a frame, computed in the frame thread.

A visible panel subscribes to a study. Then ``frame.studies`` of every frame has the result of the
study under the panel's name. So all panels show the same step, and no slow work runs in the GUI
thread. Studies of hidden panels are not computed.
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

# A study is called with a frame, whose ``studies`` are still empty, and with one run per lane. It
# returns an immutable result, or None. It is called only in the frame thread, so a study with a
# cache (a Gram matrix, a path through weight space) needs no lock.
Study = Callable[[Frame, tuple[Run, ...]], Any]
# A result may also be a tuple with one result per lane. If a result has an attribute ``unfinished``
# that is true, another frame is requested. Slow work of a study runs in the background
# (``svmviz.base.background``), so that it delays no frame. Until that work ends, the result is a
# ``Pending`` object.


def is_unfinished(results: Mapping[str, Any]) -> bool:
    """Return whether the result of some study is not final yet."""
    studies = (r if isinstance(r, tuple) else (r,) for r in results.values())
    return any(getattr(result, "unfinished", False) for lanes in studies for result in lanes)


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
