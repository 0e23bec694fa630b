"""What was guessed about a table is said after it was opened, and what is open is asked."""

import pytest
from PySide6.QtWidgets import QApplication

from solvers.data.point_files import UnclearColumns, parse_points
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
    with pytest.raises(UnclearColumns) as caught:
        parse_points("kind,u,v,w\np,1,2,3\nq,2,3,3\n")
    dialog = ColumnsDialog(caught.value, user.window)
    assert {name: dialog.choice()[name] for name in ("x", "y", "labels")} == {
        "x": "u",
        "y": "v",
        "labels": "kind",
    }
    dialog.deleteLater()


def test_the_dialog_keeps_all_classes_unless_two_are_chosen(user):
    cells = ((k, k % 5, k * k % 7, "abc"[k % 3], "pqrstuvw"[k % 8]) for k in range(40))
    rows = "".join(",".join(map(str, row)) + "\n" for row in cells)
    with pytest.raises(UnclearColumns) as caught:
        parse_points("u,v,w,kind,many\n" + rows)
    dialog = ColumnsDialog(caught.value, user.window)
    dialog.show()
    dialog._labels.setCurrentText("kind")
    assert dialog.choice()["classes"] == ("a", "b", "c")
    assert not dialog._negative.isVisible()
    dialog._classes.setCurrentText("Two of them")
    assert dialog._negative.isVisible()
    dialog._positive.setCurrentText("c")
    assert dialog.choice()["classes"] == ("a", "c")
    dialog._labels.setCurrentText("many")
    assert dialog._classes.currentText() == "The 6 with the most points"
    assert dialog.choice()["classes"] is None
    dialog.close()
    dialog.deleteLater()


def test_labels_in_doubt_are_only_read_if_they_are_chosen(user):
    # If all of them could be kept without their names, the same question would come again.
    rows = "".join(f"{k % 9},{k % 5},{k % 8 / 2}\n" for k in range(40))
    with pytest.raises(UnclearColumns, match="not whole numbers") as caught:
        parse_points("u,v,w\n" + rows)
    dialog = ColumnsDialog(caught.value, user.window)
    dialog.show()
    assert not dialog._classes.isVisible()
    assert dialog.choice()["classes"] == ("0.0", "0.5")
    dialog.close()
    dialog.deleteLater()


def test_three_species_open_without_a_question(user, tmp_path):
    path = tmp_path / "birds.csv"
    rows = "1,2,Gentoo\n3,4,Adelie\n5,6,Chinstrap\n7,8,Adelie\n"
    path.write_text("depth,mass,species\n" + rows * 3)
    user.window.files.open(str(path))
    stage, notice = user.window.stage, user.window.messages._notice
    user.until(lambda: stage.session.document.many is not None)
    assert stage.session.document.class_names == ("Adelie", "Chinstrap", "Gentoo")
    assert notice.text == (
        "3 classes. A machine separates some classes from others: the plane shows Adelie against "
        "Chinstrap, the other points pale."
    )
