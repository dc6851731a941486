"""The suite that tests of suites look at."""

from __future__ import annotations

import pytest

from anonopt.experiments import suite
from anonopt.experiments.suites.suite import Suite


@pytest.fixture(scope="session")
def whole() -> Suite:
    """The newest suite, which makes its instances once to tell of them."""
    return suite("anonopt-2026")
