"""Comparisons in which something is missing, equal or alone: what is made, and what is said."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anonopt.experiments.tables.samples import rank_frame, samples
from anonopt.experiments.tables.significance import significance
from anonopt.experiments.tables.summary import ALIKE, summary
from tests.experiments.stores_of_tests import Written
from tests.experiments.tables.values_of_tests import THREE, held

RNG = np.random.default_rng(3)


def cells(algorithms: str, problems: str, n: int = 6):
    """Runs of each algorithm on each problem; later algorithms are worse."""
    return {
        (problem, algorithm): (RNG.random(n) + "abcd".index(algorithm)).tolist()
        for problem in problems
        for algorithm in algorithms
    }


def said(report, text: str) -> bool:
    return any(text in note for note in report.notes)


def test_families_without_a_common_problem_are_compared_by_pairs():
    # As in a suite: nobody takes every kind of problem.
    runs = held({**cells("abc", "pq"), **cells("cd", "rst")})
    of = samples(runs, "epsilon")
    assert of.problems == list("pqrst") and len(of.complete()) == 0
    report = significance(of)
    assert report.friedman is None and report.ranks is None
    pairs = report.over_problems.set_index(["first", "second"])["n_problems"]
    assert pairs.to_dict() == {("a", "b"): 2, ("a", "c"): 2, ("b", "c"): 2, ("c", "d"): 3}
    assert said(report, "Without runs: a on r, s, t; b on r, s, t; d on p, q.")
    assert said(report, "are of the 0 of 5 problems on which all have runs.")
    assert said(report, "2 of 6 pairs have fewer than two problems in common")
    table = summary(of)
    assert table.mean_ranks is None and math.isnan(table.cells["p", "d"].median)
    assert "mean rank" not in table.to_latex()
    with pytest.raises(ValueError, match=r"all algorithms have runs \(a, b, c, d\), found none"):
        rank_frame(of)
    chosen = samples(runs, "epsilon", algorithms=["c", "d"])
    assert rank_frame(chosen).index.tolist() == ["r", "s", "t", "mean"]
    assert rank_frame(chosen).loc["mean"].tolist() == [1, 2]
    only = samples(runs, "epsilon", problems=["q"], algorithms=["a", "b", "c"])
    assert only.notes == ("Runs of each algorithm on each problem: 6.",)


@pytest.mark.parametrize(
    ("choice", "error", "message"),
    [
        ({"problems": ["x"]}, ValueError, "unknown problem 'x'; known ones: p, q, r"),
        ({"algorithms": ["aa"]}, ValueError, "unknown algorithm 'aa'; did you mean a?"),
        ({"algorithms": []}, ValueError, "algorithms: expected at least one, found none"),
        ({"problems": "p"}, TypeError, "problems: expected several names, found 'p'"),
    ],
)
def test_wrong_choices_are_refused(choice, error, message):
    with pytest.raises(error, match=message):
        samples(held(THREE), "epsilon", **choice)


def test_an_algorithm_with_one_seed_beside_others_with_many():
    one = {key: row[:1] if key[1] == "a" else row for key, row in THREE.items()}
    report = significance(samples(held(one), "epsilon"))
    assert said(report, "Runs of each algorithm on each problem: 8, but a 1.")
    # 2 of 9 places; the pairs with it can have none of the 3 smallest p.
    assert said(
        report,
        "Mann-Whitney's p of 1 and 8 runs is at least 0.222, with Holm 0.444: none of 6 pairs",
    )
    assert not said(report, "of 8 and 8 runs")
    assert said(report, "Where there is one run, its value is its median, quartiles and interval.")
    first = report.intervals.iloc[0]
    assert (first["low"], first["high"]) == (THREE["p", "a"][0],) * 2
    assert report.power["n_runs"].tolist() == [1, 8]


def test_one_seed_of_each():
    report = significance(samples(held({key: row[:1] for key, row in THREE.items()}), "epsilon"))
    assert (report.within_problems["p"] == 1).all()
    assert said(report, "of 1 and 1 runs is at least 1, with Holm 1: none of 9 pairs")
    assert (report.intervals["low"] == report.intervals["median"]).all()
    assert math.isnan(report.power["a12_shown"][0])


def test_one_algorithm_has_a_table_without_ranks_and_marks():
    table = summary(samples(held({k: v for k, v in THREE.items() if k[1] == "a"}), "epsilon"))
    assert table.mean_ranks is None
    assert {cell.mark for cell in table.cells.values()} == {""}
    assert table.to_markdown().startswith("| problem | a |\n| --- | --- |\n| p | **")


def test_what_is_equal_everywhere_is_said_and_never_significant():
    runs = held({(p, a): [2.0] * 5 for p in "pq" for a in "abc"})
    report = significance(samples(runs, "epsilon"))
    assert said(report, "All values are equal on: p, q.")
    assert (report.friedman.statistic, report.friedman.p_value) == (0, 1)
    assert (report.nemenyi.to_numpy() == 1).all()
    assert (report.over_problems[["p", "p_holm", "p_equivalent"]].to_numpy() == 1).all()
    assert (report.within_problems[["p", "p_holm"]].to_numpy() == 1).all()
    assert set(report.within_problems["a12"]) == {0.5}
    marks = {cell.mark for cell in summary(samples(runs, "epsilon")).cells.values()}
    assert marks == {"", ALIKE}


def test_an_algorithm_whose_runs_are_all_equal_is_named():
    runs = held({**THREE, **{(p, "d"): [2.5] * 8 for p in "pqr"}})
    assert said(samples(runs, "epsilon"), "All runs on a problem are equal of: d. If nothing")
    assert not said(samples(runs, "epsilon", algorithms=["a", "b"]), "are equal")


def test_where_nothing_feasible_is_found_there_is_no_best():
    runs = held({("p", a): [math.inf] * 3 for a in "ab"} | {("q", a): [1.0] * 3 for a in "ab"})
    table = summary(samples(runs, "epsilon"))
    assert not table.cells["p", "a"].is_best and table.cells["q", "a"].is_best
    assert table.to_latex(digits=1).count(r"$\infty$ (--)") == 2


def test_agreement_of_all_problems_is_said():
    runs = held(
        {(p, a): [v] * 2 for p in "pq" for a, v in zip("abc", (1.0, 2.0, 3.0), strict=True)}
    )
    report = significance(samples(runs, "epsilon"))
    assert said(report, "All problems agree on all ranks: Iman-Davenport's F is infinite")
    assert "F inf, p < 0.0001;" in str(report) and "p = 0.1353;" in str(report)


def test_pairs_of_three_problems_cannot_differ_after_holm():
    report = significance(samples(held(cells("abc", "pqr")), "epsilon"))
    assert said(report, "over 3 problems is at least 0.25, with Holm 0.75: none of 3 pairs")
    # Without Holm six problems would do: 2 / 2 ** 6.
    enough = significance(samples(held(cells("ab", "pqrstu")), "epsilon"))
    assert not said(enough, "Wilcoxon's p")


def test_failed_runs_that_are_all_of_an_algorithm():
    failed = tuple(Written(p, "c", seed, [], status="failed") for p in "pqr" for seed in range(8))
    runs = held({k: v for k, v in THREE.items() if k[1] != "c"}, extra=failed)
    of = samples(runs, "epsilon")
    assert np.isinf(of.of("p", "c")).all() and rank_frame(of).loc["mean", "c"] == 3
    assert said(of, "8 of c on p, 8 of c on q, 8 of c on r; they count as having found nothing.")
    left = samples(runs, "epsilon", failed="left out")
    assert said(left, "Without runs: c on p, q, r.")
