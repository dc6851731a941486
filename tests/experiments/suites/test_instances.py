"""The instances of the suites stay what they are."""

import time
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from anonopt.experiments.suites.instance import Instance
from anonopt.experiments.suites.instances import FINGERPRINTS, SUITES
from anonopt.problems.base import AnonymizationProblem

ALL = [
    pytest.param(suite, instance, id=instance.name)
    for suite, instances in SUITES.items()
    for instance in instances
]


@pytest.fixture(scope="module")
def made() -> Callable[[str, str], AnonymizationProblem]:
    """The problem of an instance of a suite, made once."""
    return cache(lambda suite, name: next(i for i in SUITES[suite] if i.name == name).make())


@pytest.mark.parametrize(("suite", "instance"), ALL)
def test_instance_is_the_problem_it_was(suite: str, instance: Instance, made) -> None:
    start = time.process_time()
    problem = made(suite, instance.name)
    assert time.process_time() - start < 2
    assert problem.lasting_fingerprint == FINGERPRINTS[suite][instance.name]
    assert problem.space.kind == instance.family


def test_every_instance_has_a_fingerprint_and_a_name_of_its_own() -> None:
    assert FINGERPRINTS.keys() == SUITES.keys()
    for suite, instances in SUITES.items():
        assert [instance.name for instance in instances] == list(FINGERPRINTS[suite])
        assert len(set(FINGERPRINTS[suite].values())) == len(instances)


def test_sizes_reach_from_few_nodes_to_more_than_can_be_evaluated(made) -> None:
    named = [i.name for i in SUITES["anonopt-2026"] if i.family == "levels"]
    lattices = [made("anonopt-2026", name) for name in named]
    sizes = [problem.space.size or 0 for problem in lattices]
    assert min(sizes) == 648
    assert max(sizes) > 10**12


def test_no_budget_comes_near_the_number_of_all_genomes(made) -> None:
    for instance in SUITES["anonopt-2026"]:
        size = made("anonopt-2026", instance.name).space.size
        assert instance.budget * 4 < (size or np.inf), instance.name


@pytest.mark.parametrize(("name", "is_same"), [("LatticeProblem", True), ("Another", False)])
def test_class_that_moves_to_another_file_keeps_the_fingerprint(name: str, is_same: bool) -> None:
    problem = SUITES["anonopt-2026"][0].make()
    kept, portable = problem.lasting_fingerprint, problem.portable_fingerprint
    cls = type(problem)
    problem.__class__ = type(name, (cls,), {"__module__": "anonopt.elsewhere"})
    assert (problem.lasting_fingerprint == kept) == is_same
    assert problem.portable_fingerprint != portable


def test_other_data_or_options_have_another_fingerprint() -> None:
    kept = FINGERPRINTS["anonopt-2026"]["freight-6-k-glm"]
    small = next(i for i in SUITES["anonopt-2026"] if i.name == "freight-6-k-glm")
    options = {**small.options, "suppression": 0.02}
    other = Instance(small.name, small.family, small.source, options, small.columns)
    fewer = Instance(small.name, small.family, small.source, small.options, small.columns[:3])
    assert kept not in {other.make().lasting_fingerprint, fewer.make().lasting_fingerprint}
