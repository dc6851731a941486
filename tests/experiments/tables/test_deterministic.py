"""Algorithms that draw nothing at random have one run, whatever the number of seeds."""

from __future__ import annotations

import math

import pandas as pd
import pytest

import anonopt as ao
from anonopt.experiments.statistics import holm, mann_whitney
from anonopt.experiments.tables.samples import one_each, samples
from anonopt.experiments.tables.significance import significance
from anonopt.experiments.tables.summary import ALIKE, BETTER, WORSE, summary
from tests.experiments.tables.values_of_tests import held

LOW = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.95]
HIGH = [2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 3.0]
VALUES = {
    ("p", "low"): LOW,
    ("p", "high"): HIGH,
    ("p", "exact"): [0.9] * 10,
    ("p", "greedy"): [1.5] * 10,
    ("p", "equal"): [1.5] * 10,
}
"""Less is better."""


@pytest.fixture
def runs():
    return held(VALUES, deterministic=("exact", "greedy", "equal"))


def test_repeated_runs_are_one(runs):
    of = samples(runs, "epsilon")
    assert of.of("p", "exact").tolist() == [0.9] and len(of.of("p", "low")) == 10
    assert of.fixed == {("p", "exact"), ("p", "greedy"), ("p", "equal")}
    assert of.notes[0] == "Runs of each algorithm on each problem: 10."
    assert of.notes[1].startswith("Nothing is drawn at random by: equal, exact, greedy. Theirs is")
    assert len(of.notes) == 2
    assert of.ranges().loc["p", "exact"] == 0


def test_pairs_are_compared_by_the_test_that_holds(runs):
    report = significance(samples(runs, "epsilon"))
    rows = report.within_problems.set_index(["first", "second"])
    tests = {("low", "high"): "Mann-Whitney", ("low", "exact"): "sign", ("high", "exact"): "sign",
             ("exact", "greedy"): "values", ("greedy", "equal"): "values"}  # fmt: skip
    assert {pair: rows.loc[pair, "test"] for pair in tests} == tests
    assert rows.loc[("low", "high"), "p"] == mann_whitney(LOW, HIGH).p_value
    # Nine of ten below 0.9, one above: 2 (1 + 10) / 2**10. All ten above it: 2 / 2**10.
    assert rows.loc[("low", "exact"), ["statistic", "p"]].tolist() == [9, 22 / 1024]
    assert rows.loc[("high", "exact"), ["statistic", "p"]].tolist() == [0, 2 / 1024]
    assert rows.loc[("low", "exact"), "a12"] == pytest.approx(0.9)
    assert rows.loc[("exact", "greedy"), ["p", "p_holm"]].isna().all()
    assert rows.loc[("exact", "greedy"), "a12"] == 1 and rows.loc[("greedy", "equal"), "a12"] == 0.5
    # What is no test does not count for Holm.
    tested = rows[rows["p"].notna()]
    assert len(tested) == 7
    assert tested["p_holm"].tolist() == holm(tested["p"].tolist()).tolist()
    assert report.power["n_runs"].tolist() == [10]
    intervals = report.intervals.set_index("algorithm").loc["exact"]
    assert intervals[["n_runs", "low", "median", "high"]].tolist() == [1, 0.9, 0.9, 0.9]


def test_order_of_a_pair_turns_the_sign_test_round(runs):
    of = samples(runs, "epsilon", algorithms=["low", "exact"])
    first = significance(of).within_problems.iloc[0]
    turned = held(
        {key: VALUES[key] for key in (("p", "exact"), ("p", "low"))}, deterministic=("exact",)
    )
    second = significance(samples(turned, "epsilon")).within_problems.iloc[0]
    assert (second["first"], second["statistic"], second["a12"]) == ("exact", 1, pytest.approx(0.1))
    assert first["p"] == second["p"]


def test_marks_are_of_the_same_tests(runs):
    of = samples(runs, "epsilon")
    marks = {a: cell.mark for (_, a), cell in summary(of, control="greedy").cells.items()}
    assert marks == {"low": BETTER, "high": WORSE, "exact": BETTER, "greedy": "", "equal": ALIKE}
    # Of ten runs nine are better than 0.9: p 22/1024 is the larger of two, and is not corrected.
    few = samples(runs, "epsilon", algorithms=["low", "high", "exact"])
    marks = {a: cell.mark for (_, a), cell in summary(few, control="exact").cells.items()}
    assert marks == {"low": BETTER, "high": WORSE, "exact": ""}


def test_too_few_runs_for_the_sign_test_are_told():
    runs = held({("p", "a"): [1.0, 2.0, 3.0], ("p", "b"): [4.0]}, deterministic=("b",))
    report = significance(samples(runs, "epsilon"))
    assert any(
        note.startswith("The sign test's p of 3 runs is at least 0.25, with Holm 0.25: none of 1")
        for note in report.notes
    )


def test_only_deterministic_ones_need_no_power_and_no_test():
    runs = held({("p", "a"): [1.0], ("p", "b"): [4.0]}, deterministic=("a", "b"))
    report = significance(samples(runs, "epsilon"))
    assert report.within_problems["test"].tolist() == ["values"]
    assert len(report.power) == 0 and "NaN" not in report.to_markdown()
    marks = [cell.mark for cell in summary(samples(runs, "epsilon")).cells.values()]
    assert marks == ["", WORSE]


def test_runs_that_differ_all_the_same_are_kept():
    rows = [("p", "a", 0, 1.0), ("p", "a", 1, 2.0), ("p", "b", 0, 3.0), ("p", "b", 1, 3.0)]
    values = pd.DataFrame(rows, columns=["problem", "algorithm", "seed", "value"])
    kept, fixed = one_each(values, {"a", "b"})
    assert kept["value"].tolist() == [1, 2, 3] and fixed == {("p", "b")}


def test_file_tells_which_algorithms_draw_nothing(tmp_path):
    experiment = ao.experiments.Experiment(
        problems=["german-k-glm"],
        algorithms={"all": "exhaustive", "object": ao.algorithms.ExhaustiveSearch(), "r": "random"},
        seeds=range(3),
        budget=20,
    )
    runs = experiment.run(tmp_path / "a.sqlite", workers=0)
    assert runs.deterministic == {"all", "object"}
    of = runs.samples()
    assert [len(of.of("german-k-glm", name)) for name in ("all", "object", "r")] == [1, 1, 3]
    assert not math.isnan(runs.tests().within_problems["p"].iloc[1])
