"""Questions and messages to the user."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from solvers import BadInput
from solvers.data.point_files import MissingValues, UnclearNumbers
from solvers.run.method import counted
from svmviz import __version__
from svmviz.base.logs import last_lines
from svmviz.base.versions import versions
from svmviz.document.limits import MAX_SHOWN_POINTS
from svmviz.frames.clocks import Clock
from svmviz.io.settings_store import StoredSettings
from svmviz.panels.controls.transport.transport import read_step
from svmviz.widgets.file_dialog import ask_save_path
from svmviz.widgets.plain_text import MessageBox, ask_text, show_rich_message
from svmviz.window.notice import Action, Notice

LOG_FILE = "The log of svmviz is in this file; its newest lines come last."
COPIED = "Versions, screen and settings are on the clipboard. None of your points are among them."
NO_LOG = "No log is written, because its folder cannot be written to."


class Messages:
    """Message boxes in front of one window, and notices in front of its planes.

    Parameters
    ----------
    parent : QWidget
    notice : Notice, optional
        Without one, notices are not shown.
    """

    def __init__(self, parent: QWidget, notice: Notice | None = None) -> None:
        self._parent = parent
        self._notice = notice

    def notify(self, sentence: str, actions: Sequence[Action] = ()) -> None:
        """Show a notice, which disappears by itself, with a button for each action."""
        if self._notice is not None:
            self._notice.show_text(sentence, actions)

    def withdraw(self, sentence: str) -> None:
        """Hide the notice if it shows this sentence, which is no longer true."""
        if self._notice is not None and self._notice.text == sentence:
            self._notice.hide()

    def warn(self, title: str, sentence: str) -> None:
        """Show a warning."""
        box = MessageBox(QMessageBox.Icon.Warning, title, title, self._parent)
        box.setInformativeText(sentence)
        box.exec()

    def warn_not_written(self, path: Path, error: Exception) -> None:
        """Show why a file was not written; raise the error if it is not BadInput."""
        if not isinstance(error, BadInput):
            raise error
        self.warn(f"{path.name} was not written", str(error))

    def fault(self, sentence: str, log_file: Path | None) -> None:
        """Show a sentence on an error of the program itself, and the path of the log."""
        text = "Something went wrong in svmviz."
        box = MessageBox(QMessageBox.Icon.Critical, "svmviz", text, self._parent)
        paragraphs = [sentence, "Your points are still there. Save them now."]
        close = box.addButton(QMessageBox.StandardButton.Close)
        if log_file is not None:
            paragraphs.append(f"The details are in {log_file}")
            show = box.addButton("Show log", QMessageBox.ButtonRole.ActionRole)
            show.clicked.connect(lambda: self.show_log(log_file))
        box.setInformativeText("\n\n".join(paragraphs))
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setDefaultButton(close)
        box.exec()

    def show_log(self, log_file: Path | None) -> None:
        """Show the path of the log, which can be copied, and its last lines as details.

        Without a desktop no other program could show them.
        """
        text = LOG_FILE if log_file else NO_LOG
        box = MessageBox(QMessageBox.Icon.Information, "Log file", text, self._parent)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
        if log_file is not None:
            box.setInformativeText(str(log_file))
            box.setDetailedText(last_lines(log_file))
            open_it = box.addButton("&Open in another program", QMessageBox.ButtonRole.ActionRole)
            url = QUrl.fromLocalFile(str(log_file))
            open_it.clicked.connect(lambda: QDesktopServices.openUrl(url))
        box.exec()

    def copy_for_report(self, settings: StoredSettings) -> None:
        """Copy what a report of a fault needs: versions, screen and settings of the look."""
        screen = self._parent.screen()
        size, ratio = screen.size(), screen.devicePixelRatio()
        lines = (
            versions(),
            f"Screen {size.width()} × {size.height()} at {ratio:.0%}, "
            f"window {self._parent.width()} × {self._parent.height()}, "
            f"{QGuiApplication.platformName()}, {QLocale.system().name()}",
            f"Theme {settings.theme}, class colours {settings.palette}, "
            f"text {settings.scale:.0%}, buttons {settings.controls:.0%}",
        )
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.notify(COPIED)

    def ask_save(self, name: str) -> QMessageBox.StandardButton:
        """Ask whether to save or to discard unsaved changes."""
        buttons = QMessageBox.StandardButton
        box = MessageBox(
            QMessageBox.Icon.Question, "Unsaved changes", f"Save the changes to “{name}”?",
            self._parent, buttons.Save | buttons.Discard | buttons.Cancel,
        )  # fmt: skip
        box.setInformativeText("Otherwise they are lost.")
        box.setDefaultButton(buttons.Save)
        box.button(buttons.Save).setText("&Save")
        box.button(buttons.Discard).setText("&Discard")
        return QMessageBox.StandardButton(box.exec())

    def ask(self, title: str, sentence: str, yes: str, no: str) -> bool:
        """Ask a question with two named answers."""
        return self.choose(title, sentence, yes, no) == yes

    def choose(self, title: str, sentence: str, *answers: str) -> str | None:
        """Ask a question with two or three named answers; None if the program ends first.

        The first answer is the default. The last answer changes nothing, and Escape selects it. A
        middle answer discards something.
        """
        roles = QMessageBox.ButtonRole
        box = MessageBox(QMessageBox.Icon.Question, title, title, self._parent)
        box.setInformativeText(sentence)
        answer_roles = [roles.DestructiveRole] * len(answers)
        answer_roles[0], answer_roles[-1] = roles.AcceptRole, roles.RejectRole
        buttons = [box.addButton(*each) for each in zip(answers, answer_roles, strict=True)]
        box.setDefaultButton(buttons[0])
        box.setEscapeButton(buttons[-1])
        box.exec()
        clicked = box.clickedButton()
        # Buttons are compared by identity. Some desktops add an ampersand to their texts.
        pairs = zip(buttons, answers, strict=True)
        return next((answer for button, answer in pairs if button is clicked), None)

    def may_skip(self, error: MissingValues) -> bool:
        """Ask whether to leave out rows with missing values."""
        rows = counted(error.rows, "row")
        sentence = f"{error}\n\nRead the table without the {rows} in which a value is missing?"
        return self.ask("Values are missing", sentence, f"Skip {rows}", "Cancel")

    def choose_decimal(self, error: UnclearNumbers) -> str | None:
        """Ask how the numbers of a table are written; return None if the user cancels."""
        texts = {name: f"Read {reading}" for name, reading in error.readings.items()}
        answer = self.choose("How are the numbers written?", str(error), *texts.values(), "Cancel")
        return next((name for name, text in texts.items() if text == answer), None)

    def may_sample(self, path: Path, count: int) -> bool:
        """Ask whether to open a sample of a file that has too many points."""
        return self.ask(
            "Open some of the points?",
            f"{path.name} has {count:,} points; the window shows at most {MAX_SHOWN_POINTS:,}.",
            f"Open {MAX_SHOWN_POINTS:,}, drawn at random",
            "Cancel",
        )

    def may_save_points(self, path: Path) -> bool:
        """Ask whether to save only the points, because the file can hold nothing else."""
        return self.ask(
            "Save the points only?",
            f"{path.name} can hold the points, including those held out, but no split, kernel, "
            "penalty, method or view. Save as a scene (.svmviz) to keep these too.",
            "Save points",
            "Cancel",
        )

    def may_replace(self, path: Path) -> bool:
        """Ask whether to replace a file or folder; if there is none, return true without asking."""
        if not os.path.exists(path):
            return True
        question = "Replace the folder?" if os.path.isdir(path) else "Replace the file?"
        return self.ask(question, f"{path.name} already exists.", "Replace", "Cancel")

    def ask_target(self, title: str, proposed: str, filters: str) -> Path | None:
        """Ask for a file to write, which has the ending of its kind; None if cancelled."""
        path, chosen_filter = ask_save_path(self._parent, title, proposed, filters)
        target = Path(path)
        if path and not target.suffix:
            # The file dialog has only asked about replacing a file of the name without a suffix.
            kind = chosen_filter or filters
            target = target.with_suffix(kind[kind.index("*") + 1 : kind.index(")")])
            return target if self.may_replace(target) else None
        return target if path else None

    def ask_reading(self, clock: Clock, reading: int, last: int) -> int | None:
        """Ask for a position in the unit of a clock, such as a step; None if cancelled."""
        question, complaint = f"{clock.title}, 0 to {last:,}{clock.suffix}:", ""
        text: str | None = f"{reading:,}"
        while (text := ask_text(self._parent, "Go to", complaint + question, text)) is not None:
            answer = read_step(text)
            if answer is not None:
                return answer
            complaint = f"“{text}” is not a whole number, such as {last // 2:,}.\n"
        return None


def show_about(parent: QWidget) -> None:
    """Show name, version and licences."""
    show_rich_message(
        parent,
        "About svmviz",
        f"<h3>svmviz {__version__}</h3>"
        "<p>Watch support vector machines learn, step by step, forwards and backwards.</p>"
        "<p>MIT licence. The fonts are Inter and STIX Two (Open Font License); the penguins are "
        "CC0.</p>",
    )
