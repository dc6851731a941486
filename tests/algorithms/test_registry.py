"""The registry of algorithms and its table."""

from __future__ import annotations

import pytest

import anonopt.algorithms
from anonopt.algorithms import ALGORITHMS, PBGEA, get_algorithm, list_algorithms
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
