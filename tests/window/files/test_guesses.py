"""What was guessed about a table is said after it was opened, and what is open is asked."""

import pytest
from PySide6.QtWidgets import QApplication

from svmviz.window.files.columns_dialog import ColumnsDialog

pytestmark = pytest.mark.display

QUOTED = 'rent,pop,moved\n950,"12,400",no\n"1,250","9,800",yes\n"2,980",800,yes\n'
OPEN = "rent;pop;moved\n950;12.400;no\n1.250;9.800;yes\n2.980;800;yes\n"


def points_of(user):
    return user.window.stage.session.document.data.points.tolist()


def test_thousands_are_said_and_can_be_read_otherwise(user, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(
        user.window.messages, "notify", lambda text, actions=(): said.append((text, actions))
    )
    path = tmp_path / "rents.csv"
    path.write_text(QUOTED)
    user.window.files.open(str(path))
    user.until(lambda: points_of(user)[0] == [950, 12400])
    ((text, actions),) = said
    assert text == 'rents.csv: "1,250" is read as 1250: commas separate thousands.'
    ((offer, read),) = actions
    assert offer == "Read 1.25"
    read()
    user.until(lambda: points_of(user)[0] == [950, 12.4])


@pytest.mark.parametrize(("answer", "first"), [("Read 1250", 12400), ("Read 1.25", 12.4)])
def test_open_numbers_are_asked(user, tmp_path, monkeypatch, answer, first):
    asked = []

    def choose(_title, sentence, *answers):
        asked.append((sentence, answers))
        return answer

    monkeypatch.setattr(user.window.messages, "choose", choose)
    path = tmp_path / "rents.csv"
    path.write_text(OPEN)
    user.window.files.open(str(path))
    user.until(lambda: points_of(user)[0] == [950, first])
    assert asked[0][1] == ("Read 1.25", "Read 1250", "Cancel")
    QApplication.clipboard().setText(OPEN)
    user.window.edits.paste()
    assert points_of(user)[3] == [950, first]
    assert len(asked) == 2


def test_the_dialog_proposes_what_the_reader_guessed(user):
    from solvers.data.point_files import UnclearColumns, read_csv

    with pytest.raises(UnclearColumns) as caught:
        read_csv("kind,u,v,w\np,1,2,3\nq,2,3,3\n")
    dialog = ColumnsDialog(caught.value, user.window)
    assert {name: dialog.choice()[name] for name in ("x", "y", "labels")} == {
        "x": "u",
        "y": "v",
        "labels": "kind",
    }
    dialog.deleteLater()
