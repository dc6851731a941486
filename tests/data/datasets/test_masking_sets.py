"""What the thesis protects: sizes, orders, missing cells."""

from __future__ import annotations

import pytest

from anonopt.data import continuous_set, masking_set


def test_german():
    german = masking_set("german")
    assert german.categorical.codes.shape == (1000, 3)
    assert german.categorical.ordinal == (True, True, True)
    assert german.categorical.labels[0] == ("A11", "A12", "A13", "A14")


def test_adult_is_both_files_with_missing_cells_a_category():
    adult = masking_set("adult").categorical
    assert adult.codes.shape == (48842, 3)
    assert adult.n_categories == (16, 7, 15)
    assert adult.has_missing == (False, False, True)
    assert adult.labels[0][:2] == ("Preschool", "1st-4th")


def test_education_is_in_the_order_of_its_number():
    frame = masking_set("adult").frame
    order = frame.groupby("education")["education-num"].first().sort_values().index
    assert masking_set("adult").categorical.labels[0] == tuple(order)


def test_flare():
    flare = masking_set("flare")
    assert flare.categorical.n_categories == (6, 6, 4)
    assert flare.categorical.ordinal == (False, False, False)
    assert set(flare.order) == set(flare.columns)


def test_the_housing_survey_is_not_there():
    with pytest.raises(ValueError, match="found 'housing'"):
        masking_set("housing")


@pytest.mark.parametrize(
    ("name", "shape"), [("census", (1080, 13)), ("tarragona", (834, 13)), ("eia", (2000, 10))]
)
def test_sizes_of_numeric_sets_are_those_of_the_thesis(shared_data, name, shape):
    frame = continuous_set(name, data_dir=shared_data)
    assert frame.shape == shape
    assert (frame.dtypes == "int64").all()
    assert list(frame.index) == list(range(shape[0]))


def test_sets_of_other_columns_are_none():
    with pytest.raises(ValueError, match=r"one of 'census', 'tarragona', 'eia', found 'diabetes'"):
        continuous_set("diabetes")
    with pytest.raises(ValueError, match=r"one of 'adult', 'german', 'flare', found 'census'"):
        masking_set("census")
