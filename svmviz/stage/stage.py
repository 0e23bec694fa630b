"""What every view is handed: one object with the four things a view may know."""

from __future__ import annotations

from dataclasses import dataclass

from svmviz.model.document import Document
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
        Brings frames; takes the transport's commands.
    view : ViewState
        How the picture is shown.
    spotlight : Spotlight
        The point under the mouse.
    """

    session: Session
    playback: Playback
    view: ViewState
    spotlight: Spotlight

    @classmethod
    def of(cls, document: Document | None = None) -> Stage:
        """A stage with everything on it."""
        session = Session(document)
        return cls(session, Playback(session), ViewState(), Spotlight())

    def close(self) -> None:
        """End the background threads."""
        self.session.close()
        self.playback.close()
