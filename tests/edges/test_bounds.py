"""Bounds of single classes, and sensitive columns of very many values."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.measures.lattice.class_bounds import bound_names
from anonopt.problems import LatticeProblem

ADULT_BOUNDS = {"k": 5, "suppression": 0.01, "class_bounds": {"l": 3}}
BACK_ENDS = [(a, b) for a in ("numpy", "auto") for b in ("rollup", "direct", "wide")]


@pytest.fixture(scope="module")
def worked() -> ao.Microdata:
    """The example of the definitions."""
    frame = pd.DataFrame({"q": list("aabbbc"), "s": list("xyxxxz")})
    hierarchy = ao.Hierarchy([list("abc"), ["*"] * 3])
    return ao.Microdata(frame, quasi_identifiers=["q"], hierarchies={"q": hierarchy}, sensitive="s")


def test_point_31_worked_example(worked):
    options = {"k": 2, "suppression": 4}
    bounded = LatticeProblem(worked, ["glm"], class_bounds={"l": 2}, **options)
    assert bounded.pareto_front().tolist() == [[4.0]]
    assert bounded.protect([0])["q"].tolist() == ["a", "a", "*", "*", "*", "*"]
    assert bounded.suppressed_rows([0]).tolist() == [False] * 2 + [True] * 4
    plain = LatticeProblem(worked, ["glm"], {"l": 2}, **options)
    assert plain.pareto_front().tolist() == [[6.0]]
    protected = worked.apply([0], class_bounds={"l": 2}, **options)
    pd.testing.assert_frame_equal(protected, bounded.protect([0]))
    assert ao.check(protected, quasi_identifiers=["q"], sensitive="s", l=2, suppressed="*")[
        "anonymous"
    ]


@pytest.mark.parametrize(("accelerator", "backend"), BACK_ENDS)
@pytest.mark.parametrize(
    ("bounds", "suppressed"),
    [
        ({"l": 2}, [4, 0]),
        ({"l": 3}, [6, 0]),
        ({"entropy_l": 2}, [4, 0]),
        ({"entropy_l": 2.2}, [6, 0]),
        ({"recursive_cl": 1}, [4, 6]),
        # Of the table x is 4/6, y and z 1/6 each: class a is 1/3 from it, class b as well.
        ({"t": 1 / 3}, [1, 0]),
        ({"t": 0.3}, [6, 0]),
        ({"t_ordered": 0.25}, [1, 0]),
        ({"l": 2, "t": 0.3}, [6, 0]),
        ({"beta_likeness": 2}, [1, 0]),
    ],
)
def test_point_31_every_bound_in_every_back_end(worked, accelerator, backend, bounds, suppressed):
    options = {"k": 2, "suppression": 0, "class_bounds": bounds}
    evaluator = ao.LatticeEvaluator(worked, accelerator=accelerator, backend=backend, **options)
    assert evaluator.evaluate_all(["suppressed"])["suppressed"].tolist() == suppressed
    assert evaluator.suppressed_rows(np.array([[0], [1]])).tolist() == suppressed
    assert evaluator.evaluate([[0]], ["suppressed"])["suppressed"].tolist() == suppressed[:1]


def test_point_31_measures_see_the_classes_that_are_kept(worked):
    evaluator = ao.LatticeEvaluator(worked, k=2, suppression=4, class_bounds={"l": 2})
    found = evaluator.evaluate([[0]], ["k", "l", "t", "classes", "violating_classes", "feasible"])
    assert found.iloc[0, 1:].tolist() == pytest.approx([2, 2, 1 / 3, 1, 2, 1])
    assert evaluator.attribute_loss([0])["glm"].tolist() == [4.0]


@pytest.mark.parametrize(
    ("bounds", "error", "message"),
    [
        ({"ll": 2}, ValueError, r"class_bounds: unknown measure 'll'; did you mean l"),
        ({"glm": 2}, ValueError, "class_bounds: expected measures of single classes .*'glm'"),
        ({"l": "2"}, TypeError, "class_bounds: 'l': expected a number, found '2'"),
        ({"t": float("nan")}, ValueError, "class_bounds: 't': expected a .*number, found nan"),
        ({"l": True}, TypeError, "class_bounds: 'l': expected a number, found True"),
        ([("l", 2)], TypeError, "class_bounds: expected a dictionary of bounds"),
        ({3: 2}, TypeError, "expected a name or a Measure, found 3"),
    ],
)
def test_point_31_bounds_that_do_not_fit(worked, bounds, error, message):
    for ask in (
        lambda: ao.LatticeEvaluator(worked, k=2, class_bounds=bounds),
        lambda: LatticeProblem(worked, ["glm"], k=2, class_bounds=bounds),
        lambda: worked.apply([0], k=2, class_bounds=bounds),
    ):
        with pytest.raises(error, match=message):
            ask()


def test_point_31_a_fixed_k_and_a_sensitive_column_are_needed(worked):
    bare = ao.Microdata(worked.frame, quasi_identifiers=["q"], hierarchies=worked.hierarchies)
    for table, options, message in (
        (worked, {}, r"class_bounds: expected a fixed k with them \(option k\), found none"),
        (bare, {"k": 2}, "class_bounds: measure 'l' needs a sensitive column"),
    ):
        for ask in (ao.LatticeEvaluator, ao.Microdata.apply):
            node = [[0]] if ask is ao.Microdata.apply else []
            with pytest.raises(ValueError, match=message):
                ask(table, *node, class_bounds={"l": 2}, **options)


def test_point_31_no_bounds_are_no_change(worked):
    assert worked.apply([0], class_bounds={}, suppression=1)["q"].tolist() == list("aabbb*")
    plain, empty = (
        LatticeProblem(worked, ["glm"], k=2, class_bounds=bounds) for bounds in (None, {})
    )
    assert plain.fingerprint == empty.fingerprint


def test_point_31_too_many_rows_are_refused(worked):
    with pytest.raises(
        ValueError, match=r"at most 3 rows in classes that miss k or a bound .*4 of"
    ):
        worked.apply([0], k=2, suppression=3, class_bounds={"l": 2})


def test_point_31_texts_name_the_bounds(worked):
    problem = LatticeProblem(worked, ["glm"], k=2, class_bounds={"t": 0.4, "l": 2})
    assert "k=2, suppression=0, class_bounds=[t <= 0.4, l >= 2])" in repr(problem)


def test_point_31_fingerprints_and_saved_runs_know_the_bounds(worked, tmp_path):
    bounds = ({"l": 2}, {"l": 3}, {"t": 2}, {"l": 2, "t": 0.4}, None)
    options = {"k": 2, "suppression": 4}
    problems = [LatticeProblem(worked, ["glm"], class_bounds=one, **options) for one in bounds]
    assert len({problem.fingerprint for problem in problems}) == len(bounds)
    turned = LatticeProblem(worked, ["glm"], class_bounds={"t": 0.4, "l": 2}, **options)
    assert turned.fingerprint == problems[3].fingerprint
    result = ao.solve(problems[0], ao.algorithms.ExhaustiveSearch(), seed=1)
    ao.save_run(result, tmp_path / "run.npz")
    again = ao.resume_run(tmp_path / "run.npz", problem=problems[0])
    assert again.F.tolist() == result.F.tolist()
    assert again.protect(0)["q"].tolist() == ["a", "a", "*", "*", "*", "*"]
    with pytest.raises(ValueError, match="problem"):
        ao.resume_run(tmp_path / "run.npz", problem=problems[1])


def test_point_31_a_measure_of_the_user(worked):
    share = ao.Measure(
        "share_of_x",
        maximize=False,
        unit="share",
        range="0..1",
        per_class=lambda classes: classes.sensitive_counts()[:, 0] / classes.sizes,
    )
    evaluator = ao.LatticeEvaluator(worked, k=2, suppression=4, class_bounds={share: 0.5})
    assert evaluator.evaluate_all(["suppressed"])["suppressed"].tolist() == [4, 6]
    assert evaluator.evaluate_all([share])["share_of_x"].tolist() == [0.5, np.inf]
    with pytest.raises(ValueError, match="one number for each of 2 classes"):
        wrong = ao.Measure("w", maximize=True, unit="", range="", per_class=lambda classes: [1.0])
        ao.LatticeEvaluator(worked, k=2, class_bounds={wrong: 0}).evaluate([[0]], ["suppressed"])
    assert set(bound_names()) >= {"l", "entropy_l", "recursive_cl", "t", "t_ordered"}


@pytest.mark.parametrize("backend", ["rollup", "direct", "wide"])
@pytest.mark.parametrize("bounds", [{}, {"l": 1}])
def test_k_of_any_size(worked, backend, bounds):
    most = 2**63 - 1
    evaluator = ao.LatticeEvaluator(worked, k=most, class_bounds=bounds, backend=backend)
    assert evaluator.evaluate_all(["suppressed"])["suppressed"].tolist() == [6, 6]
    with pytest.raises(ValueError, match=f"k: expected .* {most}, found {most + 1}"):
        ao.LatticeEvaluator(worked, k=most + 1, class_bounds=bounds, backend=backend)


def test_bounds_that_are_no_mapping(worked):
    with pytest.raises(TypeError, match="class_bounds: expected a dictionary"):
        ao.check(worked.frame, quasi_identifiers=["q"], class_bounds=3)
    with pytest.raises(ValueError, match="class_bounds: expected each measure once, found 'l'"):
        ao.LatticeEvaluator(worked, k=2, class_bounds={"l": 2, ao.get_measure("l"): 3})


@pytest.fixture(scope="module")
def adult() -> ao.Microdata:
    return ao.load_dataset("adult")


def test_point_31_adult_feasible_nodes_and_least_loss(adult):
    """Equal to what the rows say, one by one, at every node: see the benchmark of class bounds."""
    evaluator = ao.LatticeEvaluator(adult, **ADULT_BOUNDS)
    frame = evaluator.evaluate_all(["glm", "feasible"])
    feasible = frame[frame["feasible"] == 1]
    assert len(frame) == 17920
    assert len(feasible) == 4129
    assert feasible["glm"].min() == pytest.approx(74511.59828767124, rel=1e-12)


def distinct_values(n_rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(23)
    return pd.DataFrame(
        {name: rng.integers(0, 20, n_rows) for name in "abc"} | {"s": range(n_rows)}
    )


def megabytes(call) -> float:
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def test_point_23_distinct_sensitive_values_take_memory_like_rows():
    """The table of all counts would take gigabytes; a million rows are in the benchmarks."""
    frame, names = distinct_values(30_000), ["a", "b", "c"]
    options = {"quasi_identifiers": names, "sensitive": "s"}
    reports = []
    assert megabytes(lambda: reports.append(ao.check(frame, k=1, **options))) < 60
    smallest = frame.groupby(names).size().min()
    assert reports[0]["l"] == reports[0]["k"] == smallest
    assert reports[0]["entropy_l"] == pytest.approx(smallest)
    intervals = dict.fromkeys(names, ao.Hierarchy.intervals(range(20), width=5))
    table = ao.Microdata(frame, hierarchies=intervals, **options)
    measures = ["k", "l", "entropy_l", "recursive_cl", "t", "t_ordered", "S_l", "feasible"]
    for accelerator in ("numpy", "auto"):
        evaluator = ao.LatticeEvaluator(
            table, k=5, suppression=0.05, class_bounds={"l": 3}, accelerator=accelerator
        )
        found = []
        assert megabytes(lambda: found.append(evaluator.evaluate([[1, 1, 1]], measures))) < 60  # noqa: B023
        row = found[0].iloc[0]
        assert row["k"] == row["l"] == round(row["entropy_l"])
        assert row["recursive_cl"] == pytest.approx(1 / (row["k"] - 1))
        assert row["t"] == pytest.approx(1 - row["k"] / len(frame))
        assert row["S_l"] == len(frame)


def test_point_23_nothing_is_counted_that_was_not_asked(worked):
    evaluator = ao.LatticeEvaluator(worked, k=2, suppression=4)
    evaluator.evaluate_all(["k", "glm", "feasible"])
    evaluator.evaluate([[0]], ["k", "glm"])
    LatticeProblem(worked, ["glm"], k=2, suppression=4).pareto_front()
    counted = {"sensitive", "target", "present", "sparse_sensitive", "sparse_target"}
    assert not counted & set(vars(evaluator.tuples))
