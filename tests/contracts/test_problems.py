"""What every named problem promises."""

from __future__ import annotations

import copy
import pickle
from functools import cache

import numpy as np
import pytest

from anonopt.operators import UniformSampling
from anonopt.problems import get_problem, list_problems
from anonopt.problems.base import AnonymizationProblem

NEEDS_DATA = (
    "cargo-5",
    "cargo-25",
    "census-masking",
    "tarragona-masking",
    "eia-masking",
)
"""Of the problems on data that are not packaged, these stand for all."""

# Problems of equations have a file of their own; local recodings as genomes are no numbers, and
# are those of the random keys beside them.
PACKAGED = [
    name
    for name in list_problems().index
    if not (
        name.startswith(("cargo-", "freight-", "diabetes-", "adult-local-"))
        or name.endswith("-equations")
        or "-groups-" in name
        or name in NEEDS_DATA
    )
]

# Two stand for the family.
PACKAGED += ["freight-5", "freight-25"]

every = pytest.mark.parametrize("name", [*PACKAGED, *NEEDS_DATA])


@pytest.fixture(autouse=True)
def data_folder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let problems on data that are not packaged find them, or skip their tests."""
    if request.node.callspec.params["name"] in NEEDS_DATA:
        folder = request.getfixturevalue("shared_data")
        monkeypatch.setenv("ANONOPT_DATA_DIR", str(folder))


@cache
def problem_named(name: str) -> AnonymizationProblem:
    return get_problem(name)


@cache
def objectives_of(name: str) -> np.ndarray:
    """Of some genomes."""
    problem = problem_named(name)
    return problem.evaluate(some_genomes(problem), return_values_of=["F"])


def some_genomes(problem: AnonymizationProblem) -> np.ndarray:
    pop = UniformSampling()(problem, 12, random_state=np.random.default_rng(5))
    X = np.vstack([problem.xl, problem.xu, pop.get("X")])
    return X.astype(np.int64) if problem.vtype is int else X


@every
def test_evaluation_is_repeatable_and_does_not_depend_on_the_batch(name):
    problem = problem_named(name)
    X = some_genomes(problem)
    before = X.copy()
    F = objectives_of(name)
    np.testing.assert_array_equal(problem.evaluate(X[::-1], return_values_of=["F"]), F[::-1])
    np.testing.assert_array_equal(X, before)
    for x, f in zip(X[:3], F, strict=False):
        np.testing.assert_array_equal(problem.evaluate(x, return_values_of=["F"]), f)


@every
def test_frame_shows_genomes_and_natural_values(name):
    problem = problem_named(name)
    X = some_genomes(problem)
    F = objectives_of(name)
    frame = problem.frame(X, F)
    genes = list(problem.space.names) or ["solution"]
    shown = X if problem.space.names else np.arange(len(X))[:, np.newaxis]
    assert list(frame.columns) == [*genes, *problem.objective_names]
    np.testing.assert_array_equal(frame[genes].to_numpy(), shown)
    values = frame[list(problem.objective_names)].to_numpy()
    np.testing.assert_array_equal(problem.minimized(values), F)
    assert np.all(values >= 0)


@every
def test_copies_give_the_same_objectives(name):
    problem = problem_named(name)
    X, F = some_genomes(problem)[:4], objectives_of(name)[:4]
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        np.testing.assert_array_equal(twin.evaluate(X, return_values_of=["F"]), F)
        assert twin.fingerprint == problem.fingerprint


@every
def test_fingerprint_tells_it_from_the_other_problems(name):
    compared = [*PACKAGED, *NEEDS_DATA] if name in NEEDS_DATA else PACKAGED
    others = [other for other in compared if other != name]
    fingerprints = {problem_named(other).fingerprint for other in others}
    assert problem_named(name).fingerprint not in fingerprints


@every
def test_genomes_out_of_bounds_are_refused(name):
    problem = problem_named(name)
    with pytest.raises(ValueError, match=r"expected a (whole )?number in"):
        problem.evaluate((problem.xu + 1)[np.newaxis])
    if problem.vtype is int:
        with pytest.raises(ValueError, match=r"found 0\.5"):
            problem.evaluate(np.full((1, problem.n_var), 0.5))
