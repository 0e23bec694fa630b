"""Fitting models on splits of the points, as a stream of results; all procedures use this."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solvers.problem.many_classes import AnyProblem
from solvers.selection.bounds import Bounds
from solvers.selection.fitting import Fit, FitContext, FitRequest, fit
from solvers.selection.keys import ResultStore
from solvers.selection.models import Models, as_models
from solvers.selection.pools import SERIAL, Pool
from solvers.selection.risks import risk_for
from solvers.selection.splits import Split

# The parts of a split on which a risk can be measured.
TEST, VALIDATION, TRAINING = "test", "validation", "training"


@dataclass(frozen=True, eq=False)
class Result:
    """The risk of one model on one part of one split.

    Attributes
    ----------
    model : int
        Index of the model.
    part : int
        Number of the split, from 0. Each split holds out another part of the points.
    split : Split
    measured_on : str
        The part of the split on which the risk was measured: "test", "validation", or "training"
        for a fit on all points.
    fit : Fit
        Risk, decision values and number of support vectors.
    outer : int, optional
        Number of the outer split, from 0, if ``split`` divides the training part of an outer split;
        otherwise None.
    chosen : bool
        Whether the procedure chose the model without the points of this part, so that the risk is
        unbiased.
    solved : bool
        Whether a fit was computed for this result. No fit is computed if the result was stored, or,
        in leave-one-out, if leaving out the point does not change f.
    bounds : Bounds, optional
        For a fit on all points, bounds on the leave-one-out error.
    """

    model: int
    part: int
    split: Split
    measured_on: str
    fit: Fit
    outer: int | None = field(default=None, kw_only=True)
    chosen: bool = field(default=False, kw_only=True)
    solved: bool = field(default=True, kw_only=True)
    bounds: Bounds | None = field(default=None, kw_only=True)

    @property
    def risk(self) -> float:
        """Return the risk of the model on this part."""
        return self.fit.risk

    @property
    def is_of_all_points(self) -> bool:
        """Return whether the model was trained on all points, so that no part was held out."""
        return self.measured_on == TRAINING


# A stream of results.
Results = Generator[Result, None, None]
# A stream of results; the generator returns the index of the model with the lowest risk.
ChoosingResults = Generator[Result, None, Any]


class Search:
    """A problem, the models to fit, a risk, and the pool that computes the fits.

    Parameters
    ----------
    problem : Problem or ManyClassProblem
    models : Method, Model or list of them
    risk : str, optional
        A key of :data:`solvers.selection.risks.RISKS`; by default the first risk of the task.
    pool : Pool
    store : ResultStore, optional
        Where results are stored. A fit is not computed if its result is already stored.
    """

    def __init__(
        self,
        problem: AnyProblem,
        models: Models | None,
        risk: str | None = None,
        pool: Pool = SERIAL,
        store: ResultStore | None = None,
    ) -> None:
        self.problem = problem
        self.models = as_models(models, problem)
        self.all_models = range(len(self.models))
        self.risk = risk_for(problem, risk)
        self._pool = pool
        self._store = store
        self._context = FitContext(problem, self.models, self.risk.name)

    def test(self, splits: Sequence[Split], models: Sequence[int] | None = None) -> Results:
        """Train models on the training parts; yield their risks on the test parts.

        ``models`` are indices of models; by default all models are trained.
        """
        return self._results(TEST, splits, self.all_models if models is None else models)

    def validate(self, splits: Sequence[Split]) -> Results:
        """Train all models on the training parts; yield their risks on the validation parts."""
        return self._results(VALIDATION, splits, self.all_models)

    def choose(self, splits: Sequence[Split], outer: int | None = None) -> ChoosingResults:
        """Validate all models; yield the results, and return the index of the best model.

        The best model has the lowest mean risk; among equal means it is the first.
        """
        sums = np.zeros(len(self.models))
        for result in self.validate(splits):
            sums[result.model] += result.risk
            yield replace(result, outer=outer)
        return int(np.argmin(sums))

    def _results(self, measured_on: str, splits: Sequence[Split], models: Sequence[int]) -> Results:
        """Train models on the training parts; yield their risks on the parts ``measured_on``."""
        models_and_parts = [(model, part) for model in models for part in range(len(splits))]
        requests = []
        for model, part in models_and_parts:
            split = splits[part]
            rows = split.validation if measured_on == VALIDATION else split.test
            requests.append(FitRequest(model, split.train, rows))
        for index, model_fit, solved in self.run(fit, requests):
            model, part = models_and_parts[index]
            yield Result(model, part, splits[part], measured_on, model_fit, solved=solved)

    def run(
        self, function: Callable[[FitContext, FitRequest], Any], requests: Sequence[FitRequest]
    ) -> Iterator[tuple[int, Any, bool]]:
        """Yield the index of each request, its fit, and whether the fit was computed now.

        ``function`` computes the fit of a request: :func:`~solvers.selection.fitting.fit` or
        :func:`~solvers.selection.fitting.fit_whole`.
        """
        store, kind = self._store, function.__name__
        if store is None:
            for index, new_fit in self._pool.run(function, self._context, requests):
                yield index, new_fit, True
            return
        keys = [store.key(kind, self._context, request) for request in requests]
        missing = []
        for index, key in enumerate(keys):
            stored_fit = store.find(kind, key, requests[index])
            if stored_fit is None:
                missing.append(index)
            else:
                yield index, stored_fit, False
        new_requests = [requests[index] for index in missing]
        for number, new_fit in self._pool.run(function, self._context, new_requests):
            index = missing[number]
            store.keep(keys[index], new_fit)
            yield index, new_fit, True
