"""What is said of a pair is true of the numbers, computed here from beta and the kernel alone."""

import re

import numpy as np
import pytest

from solvers import RBF, SMO, Cursor, Linear, Problem, Regression, WorkingSet, solve
from tests.solvers.latex import evaluate, plain
from tests.solvers.problems import cloud, separated, wave

CHOICES = ("second-order", "maximal-violation", "platt", "random")
TASKS = {
    "classes": Problem(*cloud(30, 2, noise=0.8), RBF(0.8), C=1.3),
    "regression": Regression(*wave(20, 1), RBF(0.8), C=1.3, epsilon=0.1),
    "line": Regression(*wave(14, 5), Linear(), C=0.4, epsilon=0.2),
}
every_task = pytest.mark.parametrize("task", TASKS)


def F_of(problem, beta):
    X = problem.to_variables(problem.X)
    return problem.target - problem.kernel(X, X) @ beta


def dual(problem, beta):
    X = problem.to_variables(problem.X)
    return problem.target @ beta - 0.5 * beta @ problem.kernel(X, X) @ beta


def free_of(problem, beta):
    return (beta > problem.dual_form.lower) & (beta < problem.dual_form.upper)


def variable_of(problem, name):
    """Return the variable that a sentence or a formula names."""
    point = int(re.search(r"\d+", name)[0]) - 1
    return point if problem.task == "classification" or "*" in name else point + problem.n


def steps_of(run, most=60):
    states, cursor = Cursor(run), Cursor(run)
    for step in range(1, min(run.steps, most) + 1):
        before, after = states.state(step - 1), states.state(step)
        yield before, after, cursor.seek(step).event


def pair_steps(run, most=80):
    for before, after, event in steps_of(run, most):
        if event.kind == "pair":
            yield before, after, event


def number_in(text):
    return float(text.replace("−", "-"))


@every_task
@pytest.mark.parametrize("choice", ["fast", "worst", "osuna"])
def test_a_pair_of_a_working_set_is_chosen_within_it_and_says_so(task, choice):
    problem, seen = TASKS[task], 0
    run = solve(problem, WorkingSet(choice=choice, size=8))
    for before, _, event in pair_steps(run):
        seen += 1
        members = np.sort(before.points[: before.round["size"][0]])
        # Outside B, beta is that of the start of the round; F is computed anew.
        F, beta = F_of(problem, before.beta), before.beta
        beats = {beat.name: beat for beat in event.beats}
        for name, allowed in (
            ("Which may rise", beta < problem.dual_form.upper),
            ("Which may fall", beta > problem.dual_form.lower),
        ):
            sentence, moving = beats[name].sentence, members[allowed[members]]
            count = int(re.search(r"of (\d+)", sentence)[1])
            assert count == len(moving)
            assert " of B may " in sentence
            named = re.search(r"at (α\*? of point \d+|point \d+)", sentence)[1]
            best = F[moving].max() if "rise" in name else F[moving].min()
            assert F[variable_of(problem, named)] == pytest.approx(best, abs=1e-9)
        partners = re.search(r"each of (\d+)", beats["Its partners"].sentence)
        if partners:
            falling = members[(beta > problem.dual_form.lower)[members]]
            above = F[falling] < F[event.values["i"]] - 1e-6 * event.values["violation"]
            assert int(partners[1]) == np.count_nonzero(above)
            assert "of B that may fall" in beats["Its partners"].sentence
        assert "of B that may rise" in event.why
    assert seen > 5


def test_the_active_set_is_named_once_it_is_not_all():
    run = solve(TASKS["classes"], SMO(pair="maximal-violation", shrink_from=2, tol=1e-6))
    named = []
    for before, _, event in steps_of(run, run.steps):
        texts = [beat.sentence for beat in event.beats[:3]]
        named.append([" of the active set" in text for text in texts])
        assert all(named[-1]) == any(named[-1]) == (not before.active.all())
    assert [True] * 3 in named
    assert [False] * 3 in named


def terms_of_mean(numbers):
    """Return the names and the values of the F in a mean; the values are empty for many F."""
    names = re.findall(r"F_\{\d+\}(?:\^\{\*\})?", numbers)
    last = numbers.split(" = ")[-2]
    found = re.search(r"^\\left\((.*)\\right\) / \d+$|^([\d.]+) / \d+$", last)
    terms = re.split(r" (?=[+-] )", found[1] or found[2]) if found else []
    return names, [evaluate(plain(term.replace("+ ", "").replace("- ", "-")))[0] for term in terms]


@every_task
@pytest.mark.parametrize(
    "method",
    [*(SMO(pair=pair) for pair in CHOICES), WorkingSet(size=8), WorkingSet()],
    ids=lambda method: f"{method.name} {getattr(method, 'pair', method.values().get('size'))}",
)
def test_b_can_be_checked_from_the_F_that_are_shown(task, method):
    problem, checked = TASKS[task], 0
    run = solve(problem, method)
    for before, after, event in pair_steps(run):
        members = np.arange(problem.n_variables)
        if isinstance(method, WorkingSet):
            members = np.sort(before.points[: before.round["size"][0]])
        F, free = F_of(problem, after.beta), free_of(problem, after.beta)
        formula = next(f for f in event.formulas if f.letters.startswith("b^"))
        if isinstance(method, WorkingSet):
            assert r"k \in B" in formula.letters or r"\cap B" in formula.letters
        if problem.task == "regression" and "S = " in formula.letters:
            assert r"\alpha_k^{(*)} < C" in formula.letters
        names, terms = terms_of_mean(formula.numbers)
        if not terms:
            continue
        checked += 1
        if r"\dots" in formula.numbers:
            assert sum(terms) == pytest.approx(F[members[free[members]]].sum(), rel=1e-3)
            continue
        assert event.values["b"] == pytest.approx(np.mean(terms), rel=1e-3, abs=1e-9)
        shown = [F[variable_of(problem, name)] for name in names]
        assert terms == pytest.approx(shown, rel=1e-3, abs=1e-8)
        if r"\sum_{k \in S}" in formula.letters:
            used = {variable_of(problem, name) for name in names}
            assert used == set(members[free[members]].tolist())
    assert checked or getattr(method, "pair", "") in ("platt", "random")


@every_task
@pytest.mark.parametrize("pair", ["platt", "random"])
def test_F_of_a_sweep_follows_from_numbers_that_are_shown(task, pair):
    problem, seen = TASKS[task], 0
    run = solve(problem, SMO(pair=pair))
    for _, after, event in steps_of(run):
        F = F_of(problem, after.beta)
        for row in event.values["F_of_pair"]:
            seen += 1
            assert row["F_k"] == pytest.approx(F[variable_of(problem, row["F_name"])], abs=1e-8)
            moved = row["less_i"] * row["K_ik"] + row["less_j"] * row["K_jk"]
            expected = event.values["b_before"] - row["E_k"] + moved
            assert row["F_k"] == pytest.approx(expected, abs=1e-8)
    assert seen > 5


@every_task
@pytest.mark.parametrize("pair", ["platt", "random"])
def test_a_sweep_has_one_pair_of_letters_and_a_reason_for_a_twin(task, pair):
    problem, twins = TASKS[task], 0
    run = solve(problem, SMO(pair=pair))
    code = " ".join(line.text for line in run.method.pseudo_code(problem).lines)
    assert not re.search(r"[₁₂]|(?<!= [+−])\b1\b(?! for α)|if 2|[12] ←", code)
    for before, after, event in steps_of(run, 200):
        values, b = event.values, before.scalars["b"][0]
        violator = int(after.scalars["sweep_position"][0]) - 1
        i, j = values["i"], values["j"]
        assert problem.point_of(j) == problem.point_of(violator)
        assert after.beta[i] - before.beta[i] == pytest.approx(before.beta[j] - after.beta[j])
        F, alpha = F_of(problem, before.beta), np.abs(before.beta)
        lines = dict(line for beat in event.beats for line in beat.lines)
        partner = event.beats[1]
        for note in partner.values:
            k = variable_of(problem, note[0])
            assert number_in(note[1].split("= ")[1]) == pytest.approx(b - F[k], rel=6e-3, abs=1e-8)
        distance = re.search(r"\|Eᵢ − Eⱼ\|, ([\d.e-]+)", partner.sentence)
        if distance:
            free = free_of(problem, before.beta)
            free[violator] = False
            away = np.abs(F - F[violator])
            assert away[i] == pytest.approx(away[free].max())
            assert number_in(distance[1].rstrip(".")) == pytest.approx(away[i], rel=6e-3)
        assert ("twin" in lines) == (j != violator)
        if j == violator:
            continue
        twins += 1
        rises = abs(after.beta[j]) > alpha[j]
        if rises:
            assert alpha[violator] == 0.0
            assert "is 0 and cannot fall, so its twin" in partner.sentence
        else:
            assert alpha[j] > 0.0
            assert "is above 0, and falls before" in partner.sentence
    assert twins or problem.task == "classification"


@every_task
def test_a_promise_leaves_the_box_aside_and_the_rise_does_not(task):
    problem, cut = TASKS[task], 0
    run = solve(problem, SMO())
    for before, after, event in steps_of(run):
        why = {beat.name: beat.sentence for beat in event.beats}["Why this pair"]
        rise = dual(problem, after.beta) - dual(problem, before.beta)
        allowed = re.search(r"the bounds on α allow a rise of ([\d.e-]+)\.", why)
        assert bool(allowed) == event.values["cut_short"]
        if allowed:
            cut += 1
            assert number_in(allowed[1]) == pytest.approx(rise, rel=6e-3, abs=1e-9)
    assert cut


@pytest.mark.parametrize("pair", CHOICES)
def test_infinity_is_a_sign_in_every_text(pair):
    run = solve(Problem(*separated(16, 3), RBF(0.8), C=np.inf), SMO(pair=pair))
    for _, _, event in steps_of(run):
        texts = [event.sentence, event.why]
        for beat in event.beats:
            texts += [beat.sentence, *(text for _, text in (*beat.notes, *beat.lines))]
        assert not [text for text in texts if re.search(r"\binf\b|nan", text)]
        assert any("∞" in text for text in texts)


@every_task
def test_no_variable_is_listed_twice(task):
    for method in (SMO(), SMO(pair="maximal-violation"), SMO(pair="platt"), WorkingSet(size=8)):
        for _, _, event in pair_steps(solve(TASKS[task], method)):
            for beat in event.beats:
                names = [name for name, _ in beat.values]
                assert len(names) == len(set(names)), (beat.name, names)


@every_task
@pytest.mark.parametrize("pair", ["platt", "random"])
def test_a_question_says_behind_which_variable_a_sweep_goes_on(task, pair):
    problem, behind = TASKS[task], set()
    for before, after, event in steps_of(solve(problem, SMO(pair=pair)), 200):
        position = int(before.scalars["sweep_position"][0])
        same_sweep = before.scalars["sweep"][0] == after.scalars["sweep"][0]
        is_regression = problem.task == "regression"
        start = "from α* of point 1" if is_regression else "from point 1"
        if same_sweep and 0 < position < after.scalars["sweep_position"][0]:
            name = problem.name_of(position - 1)
            start = f"behind {name if is_regression else name.removeprefix('α of ')}"
            behind.add(start)
        question = event.beats[0].questions[0].ask
        assert question.startswith(f"The sweep goes on {start}, over "), question
    assert len(behind) > 3


@every_task
def test_what_the_partners_promise_is_said_in_two_lines_of_a_lecture_hall(task):
    for _, _, event in steps_of(solve(TASKS[task], SMO())):
        said = {beat.name: beat.sentence for beat in event.beats}.get("Its partners", "")
        # At full size, a line of a presentation has about 85 letters.
        assert len(said) <= 170, said
