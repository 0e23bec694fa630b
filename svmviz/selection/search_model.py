"""The base classes of the data of panels that search in the background.

A *search model* contains the settings and results of a search. It is a model of data that panels
show, as in Qt, not a model that is trained.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol, Self, TypeVar

from PySide6.QtCore import QObject, Signal

from solvers.selection.risks import RISKS, risk_named
from svmviz.document.document import Document
from svmviz.selection.background_search import BackgroundSearch, SearchJob
from svmviz.selection.plan import Plan
from svmviz.session.session import Session


class SearchModel(QObject):
    """The results of a search, which several panels of a window show.

    Parameters
    ----------
    session : Session
    search : BackgroundSearch
        Computes the results.

    Attributes
    ----------
    document : Document or None
        The document for which the results were computed; None before the first search.

    Signals
    -------
    changed()
        Results, settings or progress have changed.
    """

    changed = Signal()

    def __init__(self, session: Session, search: BackgroundSearch) -> None:
        super().__init__()
        self._session = session
        self.search = search
        self.document: Document | None = None
        # The session's document with which `_differs` was called last, and the result of that call.
        self._compared: tuple[Document, bool] | None = None
        search.arrived.connect(self._on_arrived)
        search.changed.connect(self.changed)
        session.document_changed.connect(self._on_document)

    @property
    def is_stale(self) -> bool:
        """Whether the points or the model have changed since the search began."""
        if self.document is None:
            return False
        now = self._session.document
        if self._compared is None or self._compared[0] is not now:
            self._compared = now, self._differs(self.document, now)
        return self._compared[1]

    def _remove_results(self, document: Document) -> None:
        """Make room for the results of a document. A subclass removes its earlier results."""
        self.document, self._compared = document, None

    def _differs(self, earlier: Document, now: Document) -> bool:
        """Return whether results for an earlier document are not valid for the present document.

        Parameters
        ----------
        earlier : Document
            The document for which the results were computed.
        now : Document
            The session's document.
        """
        raise NotImplementedError

    def _on_arrived(self, batch: list[Any]) -> None:
        raise NotImplementedError

    def _on_document(self) -> None:
        """Cancel the search if the points or the model have changed, but not during a drag.

        ``previewing`` is true while the user drags a point or a slider.
        """
        if self.search.is_active and not self._session.previewing and self.is_stale:
            self.search.cancel()
        self.changed.emit()


class Settings(Protocol):
    """The settings of a search for risks: what is searched, and how its risks are estimated."""

    @property
    def plan(self) -> Plan:
        """The plan by which risks are estimated."""
        ...

    def adapt(self, document: Document) -> Self:
        """Return the settings, adapted to a document that may lack their parameters or risk."""
        ...

    def check(self, document: Document) -> None:
        """Raise BadInput if the risks of a document cannot be computed."""
        ...

    def job(self, document: Document) -> SearchJob:
        """Return the background job that computes the risks of a document."""
        ...


SettingsT = TypeVar("SettingsT", bound=Settings)


class RiskModel(Generic[SettingsT], SearchModel):
    """The settings and results of a search for risks.

    Parameters
    ----------
    session : Session
    search : BackgroundSearch
    settings : Settings
        The settings of the first search, if they are not changed before.

    Attributes
    ----------
    result_settings : Settings or None
        The settings with which the results were computed; None before the first search.
    """

    def __init__(self, session: Session, search: BackgroundSearch, settings: SettingsT) -> None:
        super().__init__(session, search)
        self._settings = settings
        self.result_settings: SettingsT | None = None

    @property
    def settings(self) -> SettingsT:
        """The settings of the next search, adapted to the session's document."""
        return self._settings.adapt(self._session.document)

    def set_settings(self, settings: SettingsT) -> None:
        """Change the settings of the next search."""
        self._settings = settings
        self.changed.emit()

    @property
    def risk_label(self) -> str:
        """The name of the risk of the results; empty before the first search."""
        if self.result_settings is None or self.document is None:
            return ""
        return risk_named(self.result_settings.plan.risk or None, self.document.task).label

    @property
    def is_fraction(self) -> bool:
        """Whether the risk is a fraction of the points; then it is written in percent."""
        return self.risk_label == RISKS["zero-one"].label

    def start(self) -> None:
        """Start to compute the risks of the session's document; remove the earlier results.

        Raise BadInput if they cannot be computed.
        """
        document, settings = self._session.document, self.settings
        settings.check(document)
        self.result_settings = settings
        self._remove_results(document)
        self.search.start(settings.job(document))
