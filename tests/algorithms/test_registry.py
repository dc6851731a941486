"""The registry of algorithms and its table."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import anonopt.algorithms
from anonopt.algorithms import (
    ALGORITHMS,
    PBGEA,
    default_algorithm,
    get_algorithm,
    list_algorithms,
)
from anonopt.data import load_dataset
from anonopt.problems import LocalRecodingProblem
from tests.contracts.toy_problems import ToyLattice


def test_table_lists_every_entry():
    table = list_algorithms()
    assert table.index.tolist() == list(ALGORITHMS)
    assert table.loc["pbgea", "paper"] == "Dewri et al. 2010, Algorithm 2"
    assert table.loc[["pbgea", "ola"], "spaces"].tolist() == ["all", "levels"]
    capabilities = table.drop(columns=["summary", "paper", "spaces"])
    assert capabilities.dtypes.eq(bool).all()
    assert not (table["exact"] & table["stochastic"]).any()


def test_options_reach_the_algorithm():
    algorithm = get_algorithm("pbgea", ToyLattice(), pop_size=7)
    assert isinstance(algorithm, PBGEA)
    assert algorithm.pop_size == 7


def test_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown algorithm 'pbg'; did you mean pbgea\?"):
        get_algorithm("pbg", ToyLattice())


def test_public_names_exist():
    for name in anonopt.algorithms.__all__:
        assert hasattr(anonopt.algorithms, name)


def test_names_that_are_loaded_late_are_those_that_type_checkers_see():
    tree = ast.parse(Path(anonopt.algorithms.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {alias.asname: node.module for node in block.body for alias in node.names}
    assert anonopt.algorithms._PLACES == seen
    assert set(dir(anonopt.algorithms)) >= set(seen)
    with pytest.raises(AttributeError, match="'PBGEB'"):
        anonopt.algorithms.PBGEB  # noqa: B018


def test_what_is_taken_unasked_fits_the_genomes():
    patients = load_dataset("patients")
    expected = {
        "keys": ({}, "es"),
        "groups": ({}, "recoding-search"),
        "keys with a bound": ({"class_bounds": {"t": 0.6}}, "es"),
        "groups with a bound": ({"class_bounds": {"t": 0.6}}, "ga"),
    }
    for kind, (options, name) in expected.items():
        genome = kind.partition(" ")[0]
        problem = LocalRecodingProblem(patients, ["glm"], k=3, genome=genome, **options)
        assert default_algorithm(problem) == name
        two = LocalRecodingProblem(patients, ["glm", "k"], k=3, genome=genome, **options)
        assert default_algorithm(two) == "nsga2"
