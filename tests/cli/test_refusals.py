"""Refusals of the command line: one sentence and an exit code."""

import pytest


def refused(done, code):
    """The one line on stderr."""
    assert done.code == code
    assert done.out == ""
    assert done.err.endswith("\n")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    return done.err.strip()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there are no points"),
        ("x,y,label\n", "there are no points"),
        ("0,0,1\n1,1,1\n", "at least one of each class"),
        ("0,0,0.5\n4,1,2\n2,2,3\n", "has 3 labels that are not whole numbers"),
        ("1,2,3,4,a\n1,2,3,4,b\n", "x and y may be any of"),
        ("0,0,a\n1,oops,b\n2,2,b\n", 'line 2, column "2": "oops" is not a number'),
        ("{", "this is not JSON"),
        ('{"svmviz": 1, "points": [[0, 0]], "labels": [1], "karnel": 3}', 'did you mean "kernel"?'),
        (
            '{"svmviz": 1, "points": [[0, 0]], "labels": [1],'
            ' "kernel": {"name": "composed", "expression": "rbf("}}',
            '"kernel.expression" cannot be read at character 5: expected a number',
        ),
        ('{"svmviz": 1, "points": [], "labels": []}', "There are no points yet"),
    ],
)
def test_bad_input_is_one_sentence(svmviz, tmp_path, text, sentence):
    (tmp_path / "a.csv").write_text(text)
    assert sentence in refused(svmviz("solve", tmp_path / "a.csv", "--json"), 1)


def test_unclear_columns_name_the_options(svmviz, tmp_path):
    for text, hint in (
        ("1,2,3,4,a\n1,2,3,4,b\n", "; choose two by --x and --y."),
        (
            "1,2,1\n7,4,2\n5,6,3\n",
            "; choose two or more of them by --classes, or another column by --labels.",
        ),
        ("a,u,1,2\nb,v,3,4\n", "; choose one by --labels."),
    ):
        (tmp_path / "a.csv").write_text(text)
        assert refused(svmviz("solve", tmp_path / "a.csv"), 1).endswith(hint)


def test_a_file_that_is_not_there(svmviz, tmp_path):
    sentence = refused(svmviz("solve", tmp_path / "a.csv"), 1)
    assert sentence == f"svmviz: No such file: {tmp_path / 'a.csv'}"
    assert "folder" in refused(svmviz("solve", tmp_path), 1)


def test_what_the_method_cannot_solve(svmviz, eight):
    sentence = refused(svmviz("solve", eight, *"--solver pegasos --C inf".split()), 1)
    assert "Pegasos needs a finite C" in sentence
    assert "bias" in refused(svmviz("solve", eight, "--bias", "none"), 1)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--gama 1", "unrecognized arguments: --gama 1"),
        ("--gam 1", "unrecognized arguments: --gam 1"),
        ("--gamma 1 --kernel linear", "--gamma is a setting of polynomial, rbf, sigmoid"),
        ("--degree 2", "--degree is a setting of polynomial, not of rbf or smo"),
        ("--batch-size 2", "--batch-size is a setting of pegasos, not of rbf or smo"),
        ("--tol 1e-3 --solver pegasos", "--tol is a setting of smo"),
        ("--gamma x", "'x' is not a number"),
        ("--gamma nan", "'nan' is not a number"),
        ("--gamma -1", "gamma must be above 0: got -1.0"),
        ("--gamma inf", "gamma must be finite"),
        ("--sigma 0", "sigma must be above 0"),
        ("--sigma 1e200", "sigma must be above 0 and neither tiny nor huge: got 1e+200"),
        ("--sigma 1e-200", "sigma must be above 0 and neither tiny nor huge: got 1e-200"),
        ("--sigma 1 --gamma 1", "not allowed with"),
        ("--sigma 1 --kernel linear", "--sigma is a setting of rbf, not of linear or smo"),
        ("--C 0", "C must be above 0: got 0"),
        ("--C -1", "C must be above 0: got -1"),
        ("--C 1e80", "C must be between"),
        ("--C 1e-80", "C must be between"),
        ("--lambda inf", "lambda must be finite and at least 0: got inf"),
        ("--lambda -1", "lambda must be finite and at least 0: got -1"),
        ("--C 1 --lambda 1", "not allowed with"),
        ("--max-steps 1.5", "'1.5' is not a whole number"),
        ("--max-steps inf", "'inf' is not a whole number"),
        ("--solver smoo", "invalid choice: 'smoo'"),
        ("--kernel rbff", "invalid choice: 'rbff'"),
        ("--scaling all", "invalid choice: 'all'"),
        ("--pair best", "invalid choice: 'best'"),
        ("--kernel composed --expression rbf+", "cannot be read at character 5: expected"),
        ("--kernel custom --formula x3", "cannot be read at character 1: there is no 'x3'"),
        ("extra", "unrecognized arguments: extra"),
        ("--classes a", "expected 2 arguments"),
    ],
)
def test_bad_usage_is_one_sentence(svmviz, eight, options, sentence):
    assert sentence in refused(svmviz("solve", eight, *options.split()), 2)


def test_a_formula_without_a_value_is_bad_input(svmviz, eight):
    options = "--kernel", "custom", "--formula", "log(x1*z1)"
    sentence = refused(svmviz("solve", eight, *options), 1)
    assert "The formula has no value for points 1 and 2: log of a number" in sentence


def test_columns_are_not_for_scenes(svmviz, scene_of):
    assert "--x is for tables" in refused(svmviz("solve", scene_of(), "--x", "a"), 2)


def test_no_file_at_all(svmviz):
    assert "required: FILE" in refused(svmviz("solve"), 2)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_rows_with_missing_values_are_left_out_by_an_option(svmviz, tmp_path, task):
    path = tmp_path / "missing.csv"
    path.write_text("u,v,class\n0,1,-1\n1,,1\n2,3,1\n4,NA,1\n")
    words = ("solve", path, "--task", task, "--kernel", "linear")
    done = svmviz(*words)
    assert done.code == 1
    assert "--skip-missing reads the table without 2 rows" in done.err
    done = svmviz(*words, "--skip-missing")
    said = "svmviz: missing.csv: 2 rows with missing values were left out.\n"
    assert (done.code, done.err) == (0, said)


def test_one_class_is_called_by_its_name_in_the_file(svmviz, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,b,label\n1,2,ok\n3,4,ok\n")
    assert 'All points are of the class "ok"' in refused(svmviz("solve", path), 1)


def test_open_numbers_are_settled_by_an_option(svmviz, tmp_path):
    path = tmp_path / "rents.csv"
    path.write_text("rent;pop;moved\n950;12.400;no\n1.250;9.800;no\n2.980;800;yes\n")
    said = refused(svmviz("solve", path, "--json"), 1)
    assert said.endswith("; choose by --decimal comma or --decimal point.")
    assert "12400" in svmviz("scene", path, "--decimal", "comma").out
    assert "12.4" in svmviz("scene", path, "--decimal", "point").out


def test_what_was_guessed_is_said_on_stderr(svmviz, tmp_path):
    path = tmp_path / "rents.csv"
    path.write_text('rent,pop,moved\n950,"12,400",no\n"1,250",800,yes\n')
    done = svmviz("scene", path)
    assert '"1,250" is read as 1250: commas separate thousands. Read 1.25: --decimal' in done.err
    assert done.out.startswith("{")
    path.write_text("0,1,2\n-1.5,0.5,0\n2.5,0.5,1\n")
    done = svmviz("scene", path)
    assert "line 1 (0, 1, 2) is read as the names of the columns. Read it as data:" in done.err
