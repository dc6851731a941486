"""Several sensitive columns: the worst over all of them, and each by its name."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import Hierarchy, LatticeEvaluator, Measure, Microdata, check, get_measure, solve
from anonopt.algorithms import PBGEA, BranchAndBound
from anonopt.problems import LatticeProblem
from tests.examples import examples
from tests.oracles.measures import NEED_SENSITIVE

ZIP = Hierarchy([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])
PAY = Hierarchy([["1", "2", "3"], ["low", "low", "high"], ["*"] * 3])
JOB = Hierarchy.ordered(["cook", "clerk", "<missing>"])
TREES = {"zip": ZIP, "pay": PAY, "job": JOB}
NAMES = sorted(NEED_SENSITIVE)
COLUMNS = ["pay", "job"]

rows = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(1, 3), st.sampled_from(["cook", "clerk", None])),
    min_size=1,
    max_size=25,
)


def make_frame(cells: list[tuple[Any, ...]]) -> pd.DataFrame:
    return pd.DataFrame(cells, columns=["zip", *COLUMNS])


def make_table(frame: pd.DataFrame, sensitive: Any) -> Microdata:
    trees = {c: tree for c, tree in TREES.items() if c == "zip" or c in np.atleast_1d(sensitive)}
    return Microdata(frame, quasi_identifiers=["zip"], hierarchies=trees, sensitive=sensitive)


def worst(name: str, values: list[Any]) -> Any:
    return np.minimum.reduce(values) if get_measure(name).maximize else np.maximum.reduce(values)


@given(rows, st.data())
@examples(24)
def test_the_worst_column_counts_and_each_has_its_name(cells, data):
    frame = make_frame(cells)
    k = data.draw(st.none() | st.integers(1, 4))
    rule = {"suppression": data.draw(st.integers(0, len(frame) - 1)), "k": k}
    backend = data.draw(st.sampled_from(["rollup", "direct", "wide"]))
    every = [*NAMES, *(f"{name}:{column}" for name in NAMES for column in COLUMNS), "k", "glm"]
    evaluator = LatticeEvaluator(make_table(frame, COLUMNS), backend=backend, **rule)
    found = evaluator.evaluate_all(every)
    pd.testing.assert_frame_equal(evaluator.evaluate([[0], [1], [2]], every), found)
    alone = {
        column: LatticeEvaluator(make_table(frame, column), **rule).evaluate_all([*NAMES, "k"])
        for column in COLUMNS
    }
    for name in NAMES:
        values = [alone[column][name].to_numpy(dtype=float) for column in COLUMNS]
        np.testing.assert_allclose(found[name], worst(name, values), rtol=1e-12)
        for column, value in zip(COLUMNS, values, strict=True):
            np.testing.assert_allclose(found[f"{name}:{column}"], value, rtol=1e-12)
    assert found["k"].equals(alone["pay"]["k"])


@given(rows, st.integers(1, 3), st.integers(0, 8), st.integers(1, 3))
@examples(20)
def test_bounds_of_classes_hold_in_every_column(cells, k, budget, l):  # noqa: E741
    frame = make_frame(cells)
    table, budget = make_table(frame, COLUMNS), min(budget, len(frame) - 1)
    bounds = {"l": l, "t:pay": 0.6}
    evaluator = LatticeEvaluator(table, k=k, suppression=budget, class_bounds=bounds)
    found = evaluator.evaluate_all(["suppressed", "feasible", "l", "t:pay"])
    everywhere, paths = frame["pay"].value_counts(normalize=True), ZIP.to_frame()
    for level, wanted in enumerate(found.itertuples()):
        labels = frame["zip"].map(dict(zip("abcd", paths[f"level{level}"], strict=True)))
        lost = 0
        for _, part in frame.groupby(labels):
            distance = part["pay"].value_counts(normalize=True).sub(everywhere, fill_value=0)
            few = min(part[column].nunique(dropna=False) for column in COLUMNS)
            if len(part) < k or few < l or distance.abs().sum() / 2 > 0.6 + 1e-9:
                lost += len(part)
        assert (wanted.suppressed, wanted.feasible) == (lost, lost <= budget)
        if wanted.feasible:
            protected, mask = table.apply(
                [level], k=k, suppression=budget, class_bounds=bounds, return_mask=True
            )
            assert mask.sum() == lost
            if not mask.all():
                report = check(
                    protected,
                    quasi_identifiers=["zip"],
                    sensitive=COLUMNS,
                    k=k,
                    class_bounds=bounds,
                    suppressed=mask,
                )
                assert report["anonymous"]
                assert report["l"] == wanted.l


@given(rows)
def test_check_has_the_figures_of_the_evaluator(cells):
    frame = make_frame(cells)
    report = check(
        frame,
        quasi_identifiers=["zip"],
        sensitive=COLUMNS,
        hierarchies={column: TREES[column] for column in COLUMNS},
        class_bounds={"t_ordered": 1},
    )
    names = sorted(NEED_SENSITIVE & set(report.index))
    assert {"l", "t", "t_ordered", "t_hierarchical", "beta_likeness"} <= set(names)
    names += [f"{name}:{column}" for name in names for column in COLUMNS]
    found = LatticeEvaluator(make_table(frame, COLUMNS)).evaluate([[0]], names).iloc[0]
    assert report[names].astype(float).tolist() == pytest.approx(found[names].tolist())


def test_names_of_columns():
    frame = make_frame([("a", 1, "cook"), ("b", 2, "clerk")])
    table = make_table(frame, COLUMNS)
    assert table.sensitive == ("pay", "job")
    assert [column.name for column in table.sensitive_columns] == COLUMNS
    one = make_table(frame, ["pay"])
    assert one.sensitive == "pay"
    assert one.fingerprint == make_table(frame, "pay").fingerprint != table.fingerprint
    evaluator = LatticeEvaluator(table)
    with pytest.raises(
        ValueError, match="measure 'l:pya': expected a sensitive column after ':', f"
    ):
        evaluator.evaluate([[0]], ["l:pya"])
    with pytest.raises(ValueError, match="'k': expected one of the sensitive column before ':pay'"):
        evaluator.evaluate([[0]], ["k:pay"])
    with pytest.raises(ValueError, match="unknown measure 'll:pay'"):
        evaluator.evaluate([[0]], ["ll:pay"])
    assert LatticeEvaluator(one).evaluate([[0]], ["l:pay"])["l:pay"].tolist() == [1]
    with pytest.raises(
        ValueError, match="l:illness: expected a sensitive column after ':', one of"
    ):
        check(frame, quasi_identifiers=["zip"], sensitive=COLUMNS, class_bounds={"l:illness": 2})


@pytest.mark.parametrize(
    ("sensitive", "message"),
    [
        ([], "sensitive: expected at least one column in the list, found none"),
        (["pay", "age"], "sensitive 'age': expected one of the columns"),
        (["pay", "pay"], "column 'pay': expected one role, found 2"),
        (["pay", "zip"], "column 'zip': expected one role, found 2"),
    ],
)
def test_columns_that_cannot_be(sensitive, message):
    with pytest.raises(ValueError, match=message):
        Microdata(
            make_frame([("a", 1, "cook")]),
            quasi_identifiers=["zip"],
            hierarchies={"zip": ZIP},
            sensitive=sensitive,
        )


def test_a_column_without_a_hierarchy_is_named():
    frame = make_frame([("a", 1, "cook"), ("b", 2, "clerk")])
    table = Microdata(
        frame,
        quasi_identifiers=["zip"],
        hierarchies={"zip": ZIP, "pay": PAY},
        sensitive=COLUMNS,
    )
    evaluator = LatticeEvaluator(table)
    assert evaluator.evaluate([[2]], ["t_hierarchical:pay"]).iloc[0, 1] == 0
    with pytest.raises(ValueError, match="needs a hierarchy of the sensitive column 'job'"):
        evaluator.evaluate([[2]], ["t_hierarchical"])


def test_own_measures_see_one_column_at_a_time():
    frame = make_frame([("a", 1, "cook"), ("a", 2, "cook"), ("b", 2, "clerk"), ("b", 2, None)])
    own = Measure(
        "values",
        maximize=True,
        unit="values",
        range="0..inf",
        from_classes=lambda classes: classes.sensitive_counts().shape[1],
    )
    evaluator = LatticeEvaluator(make_table(frame, COLUMNS))
    assert evaluator.evaluate([[0]], [own])["values"].tolist() == [2]
    table = evaluator.class_table([0])
    assert table.sensitive_counts().shape[1] == 4
    assert table.of_sensitive("job").sensitive_counts().tolist() == [[0, 2, 0], [1, 0, 1]]


def test_problems_can_be_searched_and_pickled():
    frame = make_frame([(z, p % 3 + 1, "cook") for p, z in enumerate("aabbccdd" * 3)])
    table = make_table(frame, COLUMNS)
    problem = LatticeProblem(table, ["l", "glm"], {"t:job": 0.4}, suppression=2)
    twin = pickle.loads(pickle.dumps(problem))
    assert twin.fingerprint == problem.fingerprint
    assert [a is b for a, b in zip(twin.measures, problem.measures, strict=True)] == [True] * 3
    result = solve(problem.recording(["l:pay"]), PBGEA(), budget=3, seed=1)
    assert result.front["l"].tolist() == [1]
    bounded = LatticeProblem(table, ["glm"], k=2, class_bounds={"l:pay": 3}, suppression=0)
    assert solve(bounded, BranchAndBound()).front["glm"].tolist() == bounded.pareto_front().min()
