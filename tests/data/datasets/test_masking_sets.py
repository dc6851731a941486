"""What the thesis protects: sizes, orders, missing cells."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.data import continuous_set, load_frame, masking_set
from anonopt.data.datasets.loading import DATASETS


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


@pytest.mark.parametrize(
    ("name", "sizes"), [("german", (5, 6, 6)), ("flare", (8, 7, 5)), ("adult", (17, 8, 15))]
)
def test_whole_domains_are_those_of_the_thesis(name, sizes):
    plain, whole = masking_set(name), masking_set(name, empty_categories=True)
    assert whole.categorical.n_categories == sizes
    assert not any(whole.categorical.has_missing)
    assert whole.categorical.ordinal == plain.categorical.ordinal
    for column in whole.columns:
        cells = whole.frame[column].astype(object)
        kept = plain.frame[column].notna()
        assert cells[kept].tolist() == plain.frame.loc[kept, column].tolist()
        assert set(cells[~kept]) <= {"."}


def test_empty_categories_come_last_where_there_is_an_order():
    whole = masking_set("adult", empty_categories=True)
    assert whole.categorical.labels[0][-2:] == ("Doctorate", ".")
    assert whole.order["occupation"][-1] == "."


def test_class_a_of_flare_is_in_the_code_book_only():
    whole = masking_set("flare", empty_categories=True).categorical
    counts = dict(zip(whole.labels[0], np.bincount(whole.codes[:, 0], minlength=8), strict=True))
    assert {label for label, count in counts.items() if count == 0} == {"A", "."}


def test_unused_categories_do_not_occur():
    for name, dataset in DATASETS.items():
        for column, unused in dataset.unused.items():
            assert not load_frame(name)[column].isin(unused).any()


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
    with pytest.raises(
        ValueError, match=r"one of 'census', 'tarragona', 'eia', 'diabetes', found 'free1'"
    ):
        continuous_set("free1")
    with pytest.raises(ValueError, match=r"one of 'adult', 'german', 'flare', found 'census'"):
        masking_set("census")
