"""Results of a suite: kept in files, compared, told; docs/suite.md is what is packaged."""

from __future__ import annotations

import csv
import dataclasses
import io
import itertools

import numpy as np
import pandas as pd
import pytest

from anonopt.algorithms.built_in import BUILT_IN
from anonopt.experiments import suite
from anonopt.experiments.suites.page import (
    as_csv,
    as_latex,
    as_markdown,
    not_run,
)
from anonopt.experiments.suites.results_of_suite import (
    SuiteResults,
    from_texts,
    library_results,
    to_texts,
)
from anonopt.experiments.suites.standings import groups_of, standings, winners
from tests.repository import ROOT

SUITE = "anonopt-2026"
SMALL = "german-k-glm"


def by_hand(values: dict[tuple[str, str], list[float]], *, once=()) -> SuiteResults:
    """Results of problems and algorithms; NaN is a run that failed."""
    rows = [
        {
            "problem": problem,
            "algorithm": algorithm,
            "seed": seed,
            "deterministic": algorithm in once,
            "status": "failed" if np.isnan(value) else "done",
            "message": "KeyError: 3" if np.isnan(value) else "",
            "evaluations": 10,
            "hypervolume": value,
            "igd_plus": 0.0,
            "epsilon": 0.0,
            "found": 0.0,
            "cpu_seconds": 1.0,
        }
        for (problem, algorithm), found in values.items()
        for seed, value in enumerate(found)
    ]
    names = list(dict.fromkeys(problem for problem, _ in values))
    instances = pd.DataFrame(
        {
            "name": names,
            "family": "nodes",
            "problem": "LatticeProblem",
            "objectives": "k, glm",
            "size": "648",
            "budget": 10,
            "reference": "exact",
            "n_reference": 3,
        }
    )
    left_out = pd.DataFrame(
        [(names[0], "ga", "expected a problem of 1 objective, found 2")],
        columns=["problem", "algorithm", "reason"],
    )
    return SuiteResults("by hand", pd.DataFrame(rows), left_out, instances, "Written by hand.")


GOOD, MIDDLE, BAD = ([base + 0.001 * i for i in range(10)] for base in (0.9, 0.895, 0.1))


def won(results: SuiteResults) -> list[list[str]]:
    return winners(results)[["instance", "best", "not told apart", "worse"]].to_numpy().tolist()


def test_who_wins_is_told_with_what_cannot_be_told_apart():
    results = by_hand({("p", "bad"): BAD, ("p", "good"): GOOD, ("p", "middle"): [*GOOD[:9], 0.89]})
    assert won(results) == [["p", "good", "middle", "bad"]]
    both = by_hand({("p", "bad"): BAD, ("p", "good"): GOOD, ("p", "twin"): GOOD})
    assert winners(both)["best"].tolist() == ["good, twin"]


def test_what_draws_nothing_has_one_run_that_others_are_tested_against():
    values = {("p", "bad"): BAD, ("p", "fixed"): [0.95], ("p", "second"): [0.9]}
    results = by_hand(values, once=["fixed", "second"])
    ((_, of),) = groups_of(results)
    assert [len(of.of("p", name)) for name in of.algorithms] == [10, 1, 1]
    # Two values that are certain need no test; ten runs of ten below one have p 2 / 1024.
    assert won(results) == [["p", "fixed", "none", "bad, second"]]
    few = by_hand({("p", "bad"): BAD[:5], ("p", "fixed"): [0.95]}, once=["fixed"])
    assert won(few) == [["p", "fixed", "bad", "none"]]


def test_failed_runs_count_as_nothing_and_are_listed():
    results = by_hand({("p", "a"): [float("nan")] * 10, ("p", "b"): BAD})
    assert results.values("hypervolume").query("algorithm == 'a'")["value"].tolist() == [0.0] * 10
    page = as_markdown(results)
    assert "| p | a | 9 | failed | KeyError: 3 |" in page
    assert "None." in as_markdown(by_hand({("p", "a"): GOOD, ("p", "b"): BAD}))


def test_instances_of_a_family_stand_together():
    values = {
        ("p", "a"): GOOD, ("p", "b"): MIDDLE, ("p", "c"): BAD,
        ("q", "a"): BAD, ("q", "b"): GOOD, ("q", "c"): GOOD,
        ("r", "a"): GOOD, ("r", "b"): MIDDLE,
    }  # fmt: skip
    results = by_hand(values)
    left_out = pd.DataFrame(
        [("r", "c", "too large"), ("r", "d", "never ran")], columns=results.left_out.columns
    )
    results = dataclasses.replace(results, left_out=left_out)
    (group,) = groups_of(results)
    assert group.of.problems == ["p", "q", "r"] and group.of.algorithms == ["a", "b", "c"]
    # Who did not run on all has no rank, and the reason stands below the table.
    assert group.ranked.algorithms == ["a", "b"]
    assert group.of.notes == ("Not run, and not ranked: c on r: too large.",)
    table = standings(results).set_index("algorithm")
    assert table["mean rank"].tolist()[:2] == pytest.approx([4 / 3, 5 / 3])
    assert table.loc["a", ["low", "high"]].tolist() == [1, 2]
    assert table.loc["c", ["mean rank", "low", "high"]].isna().all()
    assert table.loc["c", ["instances", "best", "not told apart", "worse"]].tolist() == [2, 1, 0, 1]
    assert table.loc["b", ["instances", "best", "not told apart", "worse"]].tolist() == [3, 1, 0, 2]
    page = as_markdown(results)
    assert "| r | **0.9045** (0.0045) | 0.8995 (0.0045) - | - |" in page
    assert "c on r: too large" in page


def test_one_objective_stands_apart_from_several():
    results = by_hand({("p", "a"): GOOD, ("q", "a"): BAD})
    results.instances.loc[1, "objectives"] = "glm"
    titles = [group.title for group in groups_of(results)]
    assert titles == ["nodes, two objectives or more", "nodes, one objective"]
    assert standings(results)["mean rank"].isna().all()


def test_results_come_back_from_their_files():
    results = by_hand({("p", "a"): [1 / 3, float("nan")], ("p", "b"): [0.1 + 0.2]}, once=["b"])
    again = from_texts(to_texts(results))
    assert to_texts(again) == to_texts(results)
    assert as_markdown(again) == as_markdown(results)
    assert as_csv(again) == as_csv(results)


def test_own_results_stand_beside_those_of_the_library():
    library = by_hand({("p", "a"): GOOD, ("p", "b"): BAD, ("q", "a"): GOOD, ("q", "b"): BAD})
    own = by_hand({("p", "mine"): MIDDLE, ("p", "b"): GOOD})
    both = own.beside(library)
    assert both.instances["name"].tolist() == ["p"]
    values = both.values("hypervolume").groupby("algorithm")["value"].agg(list)
    # What was run again takes the place of what is stored.
    assert values.to_dict() == {"mine": MIDDLE, "b": GOOD, "a": GOOD}
    assert "stored results of a: Written by hand." in both.made


@pytest.mark.parametrize(
    ("name", "value"), [("budget", 20), ("reference", "best known"), ("n_reference", 4)]
)
def test_stored_results_of_another_budget_or_front_are_refused(name, value):
    library, own = by_hand({("p", "a"): GOOD}), by_hand({("p", "mine"): MIDDLE})
    library.instances[name] = value
    with pytest.raises(ValueError, match=f"stored results of p: expected {name} .*, found {value}"):
        own.beside(library)


def test_packaged_results_are_of_these_instances_and_fronts(whole):
    packaged = library_results(SUITE)
    pd.testing.assert_frame_equal(packaged.instances, whole.instances, check_dtype=False)
    assert f"SHA-256 {whole.checksum[:16]}" in packaged.made


def test_tables_for_papers_and_programs():
    results = by_hand({("p", "a"): GOOD, ("p", "b_c"): BAD})
    text = as_latex(results)
    assert text.startswith("% Written by hand.") and r"b\_c" in text
    rows = list(csv.DictReader(io.StringIO(as_csv(results))))
    assert len(rows) == 21
    assert [row["message"] for row in rows if row["status"] == "not run"] == [
        "expected a problem of 1 objective, found 2"
    ]


@pytest.fixture(scope="module")
def page():
    return as_markdown(library_results(SUITE))


def test_page_is_what_the_packaged_results_come_to(page):
    assert (ROOT / "docs" / "suite.md").read_text(encoding="utf-8") == page


def test_page_has_facts_of_every_instance_and_no_cell_without_a_value(page):
    rows = page.partition("## Instances")[2].partition("\n## ")[0].splitlines()
    told = [row for row in rows if row.startswith("| ")]
    assert len(told) == 2 + len(library_results(SUITE).instances)
    assert all("|  |" not in row for row in told)
    assert "nan" not in page.replace("dominance", "")


def test_no_cell_of_the_packaged_results_is_empty_without_a_reason():
    results = library_results(SUITE)
    ran = set(zip(results.runs["problem"], results.runs["algorithm"], strict=True))
    left_out = set(zip(results.left_out["problem"], results.left_out["algorithm"], strict=True))
    assert not ran & left_out
    untold = set(itertools.product(results.instances["name"], BUILT_IN)) - ran - left_out
    # What has come to the library since then takes no instance, or the results are to be renewed.
    newer = list(dict.fromkeys(algorithm for _, algorithm in sorted(untold)))
    assert len(untold) == len(newer) * len(results.instances)
    if newer:
        with pytest.raises(ValueError, match="expected one that takes an instance"):
            suite(SUITE).experiment(newer, seeds=[0])
    assert (results.left_out["reason"] != "").all()
    assert ((results.runs["status"] == "done") | (results.runs["message"] != "")).all()


@pytest.mark.parametrize("algorithm", ["pbgea", "exhaustive"])
def test_packaged_results_come_back(tmp_path, algorithm):
    chosen = suite(SUITE)
    experiment = chosen.experiment([algorithm], seeds=[0], instances=[SMALL])
    results = chosen.results(experiment, experiment.run(tmp_path / "a.sqlite", workers=0))
    stored = library_results(SUITE).runs.query(
        "problem == @SMALL and algorithm == @algorithm and seed == 0"
    )
    for column in ("hypervolume", "igd_plus", "epsilon", "found", "evaluations"):
        assert results.runs[column].tolist() == pytest.approx(stored[column].tolist(), rel=1e-12)


def test_reasons_of_one_kind_stand_together():
    results = by_hand({("p", "a"): GOOD})
    assert not_run(results).to_numpy().tolist() == [
        ["ga", "expected a problem of 1 objective, found 2", "p"]
    ]
