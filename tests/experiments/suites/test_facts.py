"""Landscape facts that come with the library are those that their command measures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.experiments import landscape, suite
from anonopt.experiments.suites.facts import (
    AUTOCORRELATIONS,
    CORRELATIONS,
    NUMBERS,
    facts_files,
    facts_made,
    measured_facts,
    packaged_facts,
    told_facts,
)
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.references import packaged_fronts, packaged_reference

SUITE = "anonopt-2026"
CHEAP = ["german-k-l-glm", "freight-10-k-glm"]


@pytest.mark.parametrize("name", SUITES)
def test_every_instance_has_facts(name):
    table = suite(name).facts()
    assert table.index.tolist() == [one.name for one in SUITES[name]]
    fronts = packaged_fronts(name)
    for instance, row in table.iterrows():
        assert row["objectives"] == ", ".join(fronts[instance].objectives)
        kept = fronts[instance]
        assert (row["n_front"], row["front"]) == (len(kept.front), kept.source)


def test_packaged_facts_come_back():
    made = facts_made(SUITE)
    problems = {name: suite(SUITE).problem(name) for name in CHEAP}
    again = measured_facts(
        problems, seed=made["seed"], n_samples=made["n_samples"], n_steps=made["n_steps"]
    )
    packaged = packaged_facts(SUITE).loc[CHEAP].drop(columns=["n_front", "front"])
    pd.testing.assert_frame_equal(packaged, again, check_dtype=False, rtol=1e-12, atol=0)
    assert "anonopt experiment facts" in made["made"]


def test_every_empty_cell_has_its_reason_and_no_other():
    for _, row in packaged_facts(SUITE).iterrows():
        named = {
            name
            for part in row["empty"].split("; ")
            for name in part.split(": ")[0].split(", ")
            if name
        }
        assert named == {name for name in NUMBERS if np.isnan(row[name])}
        assert all(value != "" for name, value in row.items() if name != "empty")


def test_row_is_what_the_landscape_of_the_problem_is():
    problem = suite(SUITE).problem("german-k-l-glm")
    row = measured_facts({"a": problem}, seed=4, n_samples=60, n_steps=30).loc["a"]
    facts = landscape(problem, random_state=4, n_samples=60, n_steps=30)
    assert (row["n_samples"], row["n_steps"], row["size"]) == (60, 30, "648")
    assert (row["feasible_low"], row["feasible_high"]) == facts.feasible_interval
    for i, column in AUTOCORRELATIONS.items():
        assert row[column] == facts.autocorrelations.iloc[i - 1]
    for (i, j), column in CORRELATIONS.items():
        assert row[column] == facts.rank_correlations.iloc[i - 1, j - 1]
    assert row["empty"] == ""


def test_reasons_say_what_is_constant_or_infeasible():
    names = ["freight-10-k-glm", "freight-10"]
    problems = {name: suite(SUITE).problem(name) for name in names}
    table = measured_facts(problems, seed=1, n_samples=20, n_steps=20)
    assert table.loc[names[0], "empty"] == (
        "autocorrelation_1: k is constant or not finite on the walk; "
        "correlation_12: k constant in the sample; "
        "autocorrelation_3, correlation_13, correlation_23: there are 2 objectives"
    )
    assert table.loc[names[1], "empty"].endswith("correlation_23: there is 1 objective")


def test_told_facts_have_no_empty_cell():
    told = told_facts(packaged_facts(SUITE)).set_index("name")
    assert (told != "").all().all()
    front = len(packaged_reference(SUITE, "freight-10-k-glm").front)
    assert told.loc["freight-10-k-glm", "front"] == f"{front}, exact"
    assert told.loc["freight-10-k-glm", "correlation"] == "k-glm none (k constant in the sample)"
    assert told.loc["freight-10", "correlation"] == "one objective"
    assert told.loc["freight-10", "feasible"] == "0 % (0..0.383)"


def test_files_hold_how_facts_were_measured():
    table = packaged_facts(SUITE).drop(columns=["n_front", "front"])
    contents = facts_files(table, seed=2, n_samples=3, n_steps=4, command=["by", "hand"])
    assert b'"seed": 2' in contents["made.json"] and b"`by hand`" in contents["made.json"]
    assert contents["facts.csv"].decode().count("\n") == 28


@pytest.mark.parametrize("option", ["seed", "n_samples", "n_steps"])
def test_wrong_numbers_are_refused(option):
    options = {"seed": 1, "n_samples": 5, "n_steps": 5, option: -1}
    with pytest.raises(ValueError, match=f"{option}: expected"):
        measured_facts({"a": suite(SUITE).problem("german-k-glm")}, **options)
