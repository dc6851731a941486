"""Starting populations: numbers of each kind, codes, labels, seeds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from anonopt.data import MaskingSet, masking_set
from anonopt.masking import MDAV, FileCounts, RankSwapping, starting_files, starting_population
from anonopt.masking.starting_files import FILE_COUNTS

GERMAN = masking_set("german")


@pytest.fixture(scope="module")
def german():
    return starting_population(GERMAN, random_state=1)


def kinds(population) -> FileCounts:
    counts = Counter(protection.label.split()[0] for protection in population)
    names = ("MDAV", "BottomCoding", "TopCoding", "GlobalRecoding", "RankSwapping", "PRAM")
    return FileCounts(*(counts[name] for name in names))


def own_set(frame: pd.DataFrame, **options) -> MaskingSet:
    order = dict.fromkeys(frame.columns)
    return MaskingSet(
        **{
            "name": "own",
            "frame": frame,
            "columns": tuple(frame.columns),
            "ordinal": order,
            "order": order,
            **options,
        }
    )


@pytest.mark.parametrize(
    ("name", "size"), [("german", 104), ("flare", 104), ("adult", 86), ("housing", 110)]
)
def test_mixes_of_the_thesis(name, size):
    assert sum(FILE_COUNTS[name]) == size


def test_german_has_its_mix_and_no_label_twice(german):
    assert len(german) == 104
    assert kinds(german) == FILE_COUNTS["german"]
    assert len({protection.label for protection in german}) == 104


def test_flare_has_its_mix():
    flare = masking_set("flare")
    assert kinds(starting_population(flare, random_state=1)) == FILE_COUNTS["flare"]


def test_adult_has_its_mix():
    # Some of the rows: all of them take half a minute.
    adult = masking_set("adult")
    part = MaskingSet("adult", adult.frame[::30], adult.columns, adult.ordinal, adult.order)
    assert kinds(starting_population(part, random_state=1)) == FILE_COUNTS["adult"]


def test_codes_are_small_and_those_of_the_original(german):
    columns = GERMAN.categorical
    for protection in german:
        assert protection.codes.dtype == np.uint8
        assert protection.codes.shape == columns.codes.shape
        assert (protection.codes < np.array(columns.n_categories)).all()
    differing = [(protection.codes != columns.codes).mean() for protection in german]
    assert min(differing) > 0


def test_protections_are_what_the_labels_say(german):
    by_label = {protection.label: protection.codes for protection in german}
    frame, columns = GERMAN.frame, GERMAN.categorical
    method = MDAV(k=12, columns=GERMAN.columns, ordinal=GERMAN.order, n_variables=2)
    expected = columns.encode(method.fit_transform(frame))
    np.testing.assert_array_equal(by_label["MDAV k=12 n_variables=2 medians"], expected)
    expected = columns.encode(method.set_params(ordinal=None).fit_transform(frame))
    np.testing.assert_array_equal(by_label["MDAV k=12 n_variables=2 modes"], expected)
    swapped = RankSwapping(
        p=2, columns=GERMAN.columns, ordinal=GERMAN.order, random_state=np.random.default_rng(1)
    )
    expected = columns.encode(swapped.fit_transform(frame))
    np.testing.assert_array_equal(by_label["RankSwapping p=2"], expected)


def test_same_seed_gives_the_same_population(german, entropy_guard):
    again = starting_population(GERMAN, random_state=np.random.default_rng(1))
    for one, other in zip(german, again, strict=True):
        assert one.label == other.label
        np.testing.assert_array_equal(one.codes, other.codes)
    other = starting_population(GERMAN, random_state=2)
    assert any((a.codes != b.codes).any() for a, b in zip(german, other, strict=True))


def test_files_that_are_made_once_are_not_shared():
    german = masking_set("german")
    starting_files._made_of.cache_clear()
    few = FileCounts(6, 2, 2, 2, 2, 2)
    made = starting_population(german, random_state=5, n_files=few)
    kept = [protection.codes.copy() for protection in made]
    for protection in made:
        protection.codes[:] = 0
    again = starting_population(german, random_state=5, n_files=few)
    for protection, codes in zip(again, kept, strict=True):
        np.testing.assert_array_equal(protection.codes, codes)


def test_own_table_with_numbers_and_missing_cells():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "grade": rng.integers(1, 6, 150),
            "zone": rng.choice([*"abcd", None], 150),
        },
        index=rng.permutation(150),
    )
    population = starting_population(
        own_set(frame), random_state=0, n_files=FileCounts(8, 3, 3, 3, 2, 2)
    )
    assert kinds(population) == FileCounts(8, 3, 3, 3, 2, 2)
    labels = [protection.label for protection in population if "Bottom" in protection.label]
    assert labels == [
        "BottomCoding p=2 grade, zone",
        "BottomCoding p=3 grade, zone",
        "BottomCoding p=2 grade",
    ]


@pytest.mark.parametrize(
    ("names", "n_rows", "size"),
    [
        (["status"], 1000, 24 + 3 * 2 + 11 + 9),
        (["status", "savings"], 1000, 48 + 3 * 6 + 11 + 9),
        (["status", "savings", "employment"], 5, 44),
        (["status"], 1, 11 + 9),
    ],
)
def test_any_file_has_a_start_that_fits(names, n_rows, size):
    frame = GERMAN.frame[names].head(n_rows)
    population = starting_population(own_set(frame), random_state=0)
    assert len(population) == size
    assert all(protection.codes.shape == (n_rows, len(names)) for protection in population)


@pytest.mark.parametrize(
    ("n_files", "message"),
    [
        (FileCounts(7, 0, 0, 0, 0, 0), "expected 0, 6, ... or 72 microaggregations of 3 columns"),
        (FileCounts(78, 0, 0, 0, 0, 0), "found 78"),
        (FileCounts(0, 11, 0, 0, 0, 0), "expected at most 10 recodings of columns of"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(n_files, message):
    with pytest.raises(ValueError, match=message):
        starting_population(GERMAN, random_state=0, n_files=n_files)


def test_seed_is_asked_for():
    with pytest.raises(ValueError, match="random_state: expected a seed"):
        starting_population(GERMAN, random_state=None, n_files=FileCounts(0, 0, 0, 0, 0, 0))
