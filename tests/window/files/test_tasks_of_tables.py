"""Tables open for the task that suits them, and a notice says so if it is another one."""

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton

from svmviz.document.document import Document
from svmviz.window.files.columns_dialog import ColumnsDialog
from tests.window.files.test_files import session

CURVE = "-2.4 1:-1\n1.2 1:0.5\n3 1:2\n"
TABLE = "x,y,label\n1,2,a\n3,4,b\n5,6,a\n"


def opened(user, path, text, task=None):
    path.write_text(text)
    user.window.files.open(str(path), task)
    user.until(lambda: user.window.files.path == path)
    return session(user).document


def test_a_curve_opens_as_a_regression_and_classes_as_before(user, tmp_path):
    document = opened(user, tmp_path / "a.libsvm", CURVE)
    assert (document.task, document.data.axis_names) == ("regression", ("x1", "target"))
    assert document.data.points.tolist() == [[-1.0, -2.4], [0.5, 1.2], [2.0, 3.0]]
    notice = user.window.messages._notice
    assert notice.text == "Two columns of numbers are read as a regression: target from x1."
    document = opened(user, tmp_path / "b.csv", TABLE)
    assert document.task == "classification"
    assert notice.text == "Labels are read as a classification: a is −1, b is +1."
    document = opened(user, tmp_path / "c.csv", TABLE)
    assert document.task == "classification"


def test_labels_in_a_regression_are_classes_unless_a_button_says_otherwise(user, tmp_path):
    session(user).reset(Document(task="regression"))
    document = opened(user, tmp_path / "a.csv", TABLE)
    assert document.task == "classification"
    np.testing.assert_array_equal(document.data.labels, [-1, 1, -1])
    button = user.window.messages._notice.findChild(QPushButton)
    assert button.text() == "Read as a regression"
    button.click()
    user.until(lambda: session(user).document.is_regression)
    assert session(user).document.data.points.tolist() == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_the_task_of_the_command_is_kept(user, tmp_path):
    assert opened(user, tmp_path / "a.csv", TABLE, "regression").data.axis_names == ("x", "y")
    assert session(user).document.is_regression


def test_names_of_rows_are_no_question_in_a_regression(user, answer, tmp_path):
    text = "town,x,y\n" + "".join(f"t{k},{k},{k * k}\n" for k in range(6))
    session(user).reset(Document(task="regression"))
    assert opened(user, tmp_path / "a.csv", text).is_regression
    session(user).reset(Document())
    asked = answer(lambda dialog: dialog.reject(), ColumnsDialog)
    user.window.files.open(str(tmp_path / "a.csv"))
    user.until(lambda: asked.given)


@pytest.mark.parametrize("text", ["1 1:2 3:4 7:1\n-1 1:3\n"])
def test_features_are_asked_for(user, answer, tmp_path, text):
    def choose(dialog):
        dialog._y.setCurrentText("x7")
        dialog.accept()

    answer(choose, ColumnsDialog)
    document = opened(user, tmp_path / "a.libsvm", text)
    assert document.data.axis_names == ("x1", "x7")
    assert document.data.points.tolist() == [[2.0, 1.0], [3.0, 0.0]]
