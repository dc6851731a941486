"""Tables that several of these tests need; they are read-only and coded once."""

from __future__ import annotations

import pytest

from anonopt import Microdata, load_dataset


@pytest.fixture(scope="session")
def adult() -> Microdata:
    """Adult with the quasi-identifiers of Dewri 2010, Table 1(a): 17920 nodes."""
    return load_dataset("adult")


@pytest.fixture(scope="session")
def adult_target(adult: Microdata) -> Microdata:
    """Adult with the salary class as the label of CM: 8960 nodes."""
    names = [name for name in adult.quasi_identifiers if name != "income"]
    return load_dataset("adult", quasi_identifiers=names, target="income")
