"""Fixtures every test folder uses."""

from __future__ import annotations

import functools
import gc
import os
import random
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import numpy.random.bit_generator
import pytest
import typer.testing
from hypothesis import settings

from anonopt._registry import FAMILIES, loaded
from tests.chromium import launched
from tests.examples import USUAL
from tests.repository import ROOT

# A first example may compile kernels, so that no deadline fits; where a run decides about a change
# the examples are the same each time.
settings.register_profile(
    "anonopt", max_examples=USUAL, deadline=None, derandomize="CI" in os.environ
)
settings.load_profile("anonopt")

# It would read the signatures of all commands anew for each of hundreds of calls.
typer.testing._get_command = functools.cache(typer.testing._get_command)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Look for no garbage among thousands of tests and libraries, which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        # Compilers and generators of examples make many objects, of which few are in circles.
        gc.set_threshold(50_000, 10, 10)


ROOMS = (
    *("evaluation/lattice", "evaluation", "masking", "local_recoding", "optima", "graphs"),
    *("measures", "sources", "algorithms", "contracts", "edges"),
    *("data", "fuzz", "faults", "visualization", "cli", "teaching", "runs", "operators"),
    *("problems", "project", "experiments"),
)
"""Folders in the order that two processes share best, which begin with a half of the tests each.

The first compiles kernels that the second, whose tests need few at the beginning, then finds;
by the alphabet both would compile the same ones at the same time.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the folders; what is in none of them comes last."""
    here = Path(__file__).parent

    def place_of(item: pytest.Item) -> int:
        inner = f"{item.path.relative_to(here).parent.as_posix()}/"
        places = (place for place, room in enumerate(ROOMS) if inner.startswith(f"{room}/"))
        return next(places, len(ROOMS))

    items.sort(key=place_of)


# Read before any test sets or removes the variable.
DATA_FOLDER = Path(os.environ.get("ANONOPT_DATA_DIR") or ROOT.parent / "shared" / "data")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the real data sets and hierarchies that the package may not ship."""
    if not DATA_FOLDER.is_dir():
        pytest.skip(f"no folder of data sets at {DATA_FOLDER} (set ANONOPT_DATA_DIR)")
    return DATA_FOLDER


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium for all tests of pages: a process can start playwright only once."""
    yield from launched()


@pytest.fixture(autouse=True)
def registries_as_they_were() -> Iterator[None]:
    """Forget what a test registers, so that no test depends on those that ran before it."""
    registries = [loaded(place) for place in FAMILIES.values()]
    # Installed packages are looked up once, and theirs stay.
    kept = [(dict(one), set(one._registered)) for one in registries]
    yield
    for registry, (entries, registered) in zip(registries, kept, strict=True):
        registry._entries = entries
        registry._registered = registered


@pytest.fixture
def entropy_guard(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every draw that no seed decides an error while the test runs.

    Caught: numpy generators, bit generators and seed sequences without a seed (among them the
    silent default of pymoo's operators and survivals), the global functions of ``random`` and
    ``numpy.random``, and code that holds such a function already: it moves the global state,
    which is compared at the end. Copying or unpickling a seeded generator stays allowed.
    """
    _guard_system_entropy(monkeypatch)
    for module, state in ((random, random.getstate), (np.random, np.random.get_state)):
        _guard_global_functions(monkeypatch, module, owner=state.__self__)
    before = _global_states()
    yield
    if _global_states() != before:
        pytest.fail("the test moved the state of a global random generator")


def _guard_system_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    randbits = numpy.random.bit_generator.randbits

    def guarded(bits: int) -> int:
        # A copied generator is first made anew, from entropy that its own state then replaces.
        if sys._getframe(1).f_globals.get("__name__") == "numpy.random._pickle":
            return randbits(bits)
        raise RuntimeError("a numpy generator was made without a seed")

    monkeypatch.setattr(numpy.random.bit_generator, "randbits", guarded)


def _guard_global_functions(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, *, owner: object
) -> None:
    # Hypothesis sets and restores the global states around an example, so these stay usable.
    bookkeeping = {"seed", "getstate", "setstate", "get_state", "set_state", "get_bit_generator"}
    for name, value in vars(module).copy().items():
        if getattr(value, "__self__", None) is owner and name not in bookkeeping:
            monkeypatch.setattr(module, name, _refusal(f"{module.__name__}.{name}"))


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise RuntimeError(f"{name} draws from a global random generator")

    return refuse


def _global_states() -> tuple[object, ...]:
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), name, keys.tobytes(), *rest


@pytest.fixture(scope="module")
def cluster():
    """Two workers of dask, each a process of its own."""
    distributed = pytest.importorskip("distributed", reason="needs the extra scale")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    """A client of :func:`cluster`."""
    distributed = pytest.importorskip("distributed", reason="needs the extra scale")
    with distributed.Client(cluster) as client:
        yield client
