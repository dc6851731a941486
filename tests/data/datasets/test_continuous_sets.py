"""The numeric files of the thesis."""

from __future__ import annotations

import pytest

from anonopt.data import continuous_set


@pytest.mark.parametrize(
    ("name", "shape"), [("census", (1080, 13)), ("tarragona", (834, 13)), ("eia", (2000, 10))]
)
def test_sizes_are_those_of_the_thesis(shared_data, name, shape):
    frame = continuous_set(name, data_dir=shared_data)
    assert frame.shape == shape
    assert (frame.dtypes == "int64").all()
    assert list(frame.index) == list(range(shape[0]))


def test_unknown_name():
    with pytest.raises(ValueError, match=r"one of .*found 'diabetes'"):
        continuous_set("diabetes")
