"""Starting populations of numeric files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.masking import MDAV, continuous_starting_population
from anonopt.masking.continuous_starting_files import fitting_number


@pytest.fixture
def frame():
    rng = np.random.default_rng(1)
    return pd.DataFrame({"x": rng.normal(size=40), "y": rng.integers(0, 99, 40), "zone": "a"})


def masks(frame, n_files, seed=1):
    return continuous_starting_population(
        frame, columns=["x", "y"], n_files=n_files, random_state=seed
    )


def test_half_is_rank_swapped_and_half_microaggregated(frame):
    labels = [mask.label for mask in masks(frame, 5)]
    assert [label.split()[0] for label in labels] == ["RankSwapping"] * 3 + ["MDAV"] * 2
    assert labels[2:4] == ["RankSwapping p=50", "MDAV k=3"]


def test_files_are_those_of_the_methods(frame):
    made = masks(frame, 5)
    for mask in made[:3]:
        for column in ("x", "y"):
            assert sorted(mask.frame[column]) == sorted(frame[column])
    pd.testing.assert_frame_equal(made[3].frame, MDAV(3, columns=["x", "y"]).fit_transform(frame))
    assert all((mask.frame["zone"] == "a").all() for mask in made)


def test_seed_decides(frame):
    first, again, other = (masks(frame, 2, seed)[0].frame for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first.equals(other)


def test_faults(frame):
    with pytest.raises(ValueError, match="n_files: expected a whole number of at least 1, found 0"):
        masks(frame, 0)
    with pytest.raises(ValueError, match="expected a seed or a numpy Generator, found None"):
        masks(frame, 4, None)
    with pytest.raises(ValueError, match="k: expected a whole number of at least 1 and at most 40"):
        masks(frame, 120)


@pytest.mark.parametrize("n_rows", [1, 2, 3, 9, 10, 40])
def test_the_usual_number_fits_any_file(n_rows):
    frame = pd.DataFrame({"x": range(n_rows), "y": range(n_rows, 0, -1)})
    number = fitting_number(n_rows)
    assert len(masks(frame, number)) == number <= 16
