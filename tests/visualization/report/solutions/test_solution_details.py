"""Details of every kind of solution: they hold for unusual data, and say what they disclose."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pymoo.constraints.as_penalty import ConstraintsAsPenalty

import anonopt as ao
from anonopt.data.recoded_groups import recode
from anonopt.problems import LatticeProblem
from anonopt.visualization.report.solutions.detail import RECORDS, Shown, changed_cells
from anonopt.visualization.report.solutions.solution_details import (
    backgrounds,
    solution_detail,
    unwrapped,
)
from tests.contracts.toy_problems import ToyLattice
from tests.visualization.report.hostile_problems import (
    KINDS,
    SCRIPT,
    lattice_problem,
    local_problem,
    solutions,
    wide_problem,
)

EVALUATED = pd.DataFrame({"IL": [10.0, 20.0], "DR": [30.0, 5.0]})


@pytest.fixture(scope="module")
def known():
    return solutions()


def built(detail, problem, shown):
    """JSON of all figures of a detail, those behind them included."""
    figures = [part.drawing.build() for part in detail.parts if part.drawing is not None]
    named = backgrounds(problem, shown)
    wanted = {part.drawing.background for part in detail.parts if part.drawing is not None}
    assert wanted - {""} <= set(named)
    return [figure.to_json() for figure in (*figures, *named.values())]


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_shown_as_they_are(known, kind):
    problem, x = known[kind]
    shown = Shown(evaluated=EVALUATED)
    detail = solution_detail(problem, x, shown)
    texts = "".join(built(detail, problem, shown))
    assert "<script" not in texts and "\\u003cscript" not in texts
    assert "<b>" not in texts and "\\u003cb\\u003e" not in texts
    tables = [part.table.astype(str).to_string() for part in detail.parts if part.table is not None]
    # Pages escape them; nothing was lost on the way.
    assert SCRIPT in "".join([detail.summary, *tables, *(part.text for part in detail.parts)])


@pytest.mark.parametrize("kind", KINDS)
def test_details_are_the_same_at_every_call(known, kind):
    problem, x = known[kind]
    first, second = (solution_detail(problem, x, Shown(seed=3)) for _ in range(2))
    assert first.summary == second.summary
    for one, other in zip(first.parts, second.parts, strict=True):
        assert (one.heading, one.text, one.notes) == (other.heading, other.text, other.notes)
        if one.table is not None:
            pd.testing.assert_frame_equal(one.table, other.table)


@pytest.mark.parametrize("kind", KINDS)
def test_records_are_shown_only_where_they_are_asked_for(known, kind):
    problem, x = known[kind]
    closed = solution_detail(problem, x, Shown(sample_rows=0))
    assert not [part.heading for part in closed.parts if part.discloses == "records"]
    sample = solution_detail(problem, x, Shown(sample_rows=2)).parts[-1]
    assert (sample.heading, sample.discloses) == (RECORDS, "records")
    assert sample.table.shape[0] == 4 == len(sample.marked)
    assert not sample.marked[0::2].any()


@pytest.mark.parametrize("kind", KINDS)
def test_changed_cells_of_the_sample_are_those_of_the_protected_data(known, kind):
    problem, x = known[kind]
    sample = solution_detail(problem, x, Shown(sample_rows=4)).parts[-1]
    cells = sample.table.to_numpy()[:, 1:]
    np.testing.assert_array_equal(cells[0::2] != cells[1::2], sample.marked[1::2, 1:])


def test_every_cell_has_a_name_in_the_measures_of_each_kind(known):
    for problem, x in known.values():
        tables = [
            part.table
            for part in solution_detail(problem, x, Shown()).parts
            if part.table is not None
        ]
        measures = next(table for table in tables if "meaning" in table)
        assert set(problem.objective_names) <= set(measures["measure"])
        assert (measures["meaning"] != "").all()


@pytest.mark.parametrize("kind", KINDS)
def test_infeasible_solution_has_a_detail_without_protected_data(known, kind):
    problem, x = known[kind]
    names = list(problem.objective_names)
    bound = {names[1]: -1.0}
    copies = {
        "lattice": lambda: lattice_problem(constraints=bound),
        "local recoding": lambda: local_problem(constraints=bound),
        "masked file": lambda: type(problem)(problem.original_file, names, constraints=bound),
        "masked numbers": lambda: type(problem)(problem.original_file, names, constraints=bound),
        "matrices": lambda: type(problem)(problem.original_file, constraints=bound, expected=True),
        "equation": lambda: type(problem)(problem.original_file, constraints=bound, expected=True),
        "graph": lambda: type(problem)(problem.graph, k=2, constraints=bound),
    }
    infeasible = copies[kind]()
    detail = solution_detail(infeasible, x, Shown())
    assert f"misses {names[1]}" in detail.parts[-1].text
    assert detail.parts[-1].table is None


def test_detail_of_ones_own_problem_is_its_genome_and_figures():
    problem = ToyLattice()
    x = problem.space.upper.astype(np.int64)
    detail = solution_detail(problem, x, Shown())
    values = problem.natural(problem.evaluate(x))
    table = detail.parts[0].table
    assert table["value"].tolist() == [f"{value:g}" for value in values]
    assert detail.parts[-1].table["value"].tolist() == [str(gene) for gene in x]


def test_detail_of_ones_own_class_can_be_registered():
    class Own(LatticeProblem):
        pass

    solution_detail.register(Own, lambda problem, x, shown: "own")
    own = lattice_problem()
    own.__class__ = Own
    assert solution_detail(own, [1, 0], Shown()) == "own"
    assert solution_detail(lattice_problem(), [1, 0], Shown()) != "own"


def test_wrapped_problem_has_the_detail_of_what_is_in_it():
    problem = lattice_problem(objectives=["glm"], constraints={"k": 2})
    wrapped = ConstraintsAsPenalty(problem)
    assert unwrapped(wrapped) is problem
    assert unwrapped(problem) is problem


def test_seventy_quasi_identifiers():
    problem = wide_problem()
    shown = Shown()
    detail = solution_detail(problem, np.full(70, 2), shown)
    assert detail.parts[0].table.shape[0] == 70
    assert max(map(len, built(detail, problem, shown))) < 30_000


@pytest.mark.parametrize("x", [np.array([1]), np.array([9, 0]), np.array([0.5, 0])])
def test_what_is_no_genome_is_refused(x):
    with pytest.raises(ValueError, match="expected a"):
        solution_detail(lattice_problem(), x, Shown())


def test_what_is_no_problem_is_refused():
    with pytest.raises(TypeError, match="expected an AnonymizationProblem"):
        solution_detail(object(), np.array([1]), Shown())


def test_values_that_are_equal_have_not_changed():
    before = pd.DataFrame({"a": [1, 2, None], "b": ["x", None, "y"]})
    after = pd.DataFrame({"a": ["1", "3", None], "b": ["x", "x", None]})
    np.testing.assert_array_equal(
        changed_cells(before, after, ["a", "b"]), [[False, False], [True, True], [False, True]]
    )


def test_quasi_identifiers_may_have_names_of_measures():
    names = ["height", "classes", "highest_risk"]
    frame = pd.DataFrame({name: list("aabbb") for name in names})
    table = ao.Microdata(
        frame,
        quasi_identifiers=names,
        hierarchies=dict.fromkeys(names, ao.Hierarchy([list("ab"), ["*", "*"]])),
    )
    problem = LatticeProblem(table, ["k", "glm"], k=3, suppression=2)
    detail = solution_detail(problem, np.zeros(3, int), Shown())
    assert "2 of 5 rows suppressed" in detail.summary
    assert "1 equivalence class kept, the smallest of 3 rows" in detail.summary
    assert "highest re-identification risk 33.3 %" in detail.summary


def test_detail_of_a_local_recoding_tells_labels_and_rows_that_stay():
    problem = ao.get_problem("patients-groups-glm")
    recoding = problem.space.top()
    frame, _ = recode(problem.table, recoding)
    detail = solution_detail(problem, problem.space.genomes([recoding])[0], Shown())
    told = detail.parts[0].table.set_index("attribute")
    assert (told["labels"] == 1).all() and (told["unchanged"] == "0 %").all()
    assert told["most frequent label"].tolist() == frame[list(told.index)].iloc[0].tolist()
    assert detail.summary.startswith("0 % of the cells of 3 quasi-identifiers as they were")
