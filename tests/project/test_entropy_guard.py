"""The fixture that forbids unseeded randomness catches each way of drawing it."""

from __future__ import annotations

import copy
import pickle
import random
from random import randint

import numpy as np
import pytest
from pymoo.util import default_random_state

pytest_plugins = ["pytester"]


@default_random_state
def pymoo_style_draw(random_state: np.random.Generator | None = None) -> float:
    return random_state.random()


@pytest.mark.parametrize(
    "draw",
    [
        np.random.default_rng,
        np.random.PCG64,
        np.random.SeedSequence,
        pymoo_style_draw,
        lambda: np.random.rand(),  # noqa: NPY002
        lambda: np.random.shuffle([1, 2]),  # noqa: NPY002
        lambda: random.random(),
        lambda: random.choice([1, 2]),
    ],
)
@pytest.mark.usefixtures("entropy_guard")
def test_draw_without_a_seed_is_refused(draw):
    with pytest.raises(RuntimeError, match=r"without a seed|global random generator"):
        draw()


@pytest.mark.usefixtures("entropy_guard")
def test_seeded_generators_work_and_can_be_copied():
    generator = np.random.default_rng(7)
    copies = [copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))]
    expected = generator.integers(1000, size=5).tolist()
    for twin in copies:
        assert twin.integers(1000, size=5).tolist() == expected
    assert pymoo_style_draw(random_state=np.random.default_rng(7)) == pytest.approx(
        np.random.default_rng(7).random()
    )
    assert random.Random(3).random() == random.Random(3).random()


def test_function_imported_earlier_is_caught_by_the_moved_state(pytester, request):
    guard = request.config.rootpath / "tests" / "conftest.py"
    pytester.makeconftest(guard.read_text(encoding="utf-8"))
    pytester.makepyfile(
        """
        from random import randint

        def test_draw(entropy_guard):
            randint(0, 5)
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*moved the state of a global random generator*"])


def test_guard_is_lifted_after_the_test():
    assert 0 <= randint(0, 5) <= 5
    assert np.random.default_rng().random() < 1
