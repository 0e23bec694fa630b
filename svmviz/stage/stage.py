"""The stage: the one object that every view is given."""

from __future__ import annotations

from dataclasses import dataclass

from svmviz.document.document import Document
from svmviz.playback.feed import FrameFeed
from svmviz.playback.playback import Playback
from svmviz.session.session import Session
from svmviz.stage.spotlight import Spotlight
from svmviz.stage.view_state import ViewState


@dataclass(frozen=True)
class Stage:
    """The models behind the window.

    Attributes
    ----------
    session : Session
        Takes edits.
    playback : Playback
        Takes the transport's commands: which step is shown.
    feed : FrameFeed
        Brings frames; studies subscribe to it.
    view : ViewState
        How the picture is shown.
    spotlight : Spotlight
        The point under the mouse.
    """

    session: Session
    playback: Playback
    feed: FrameFeed
    view: ViewState
    spotlight: Spotlight

    @classmethod
    def of(cls, document: Document | None = None) -> Stage:
        """Return a stage for a document, with new models."""
        session = Session(document)
        playback = Playback(session)
        return cls(session, playback, FrameFeed(session, playback), ViewState(), Spotlight())

    def close(self) -> None:
        """End the background threads."""
        self.session.close()
        self.feed.close()
