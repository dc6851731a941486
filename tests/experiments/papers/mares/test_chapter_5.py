"""Masked files of German Credit, beside the print of Chapter 5, on a small grid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonopt.data import masking_set
from anonopt.experiments.items.verdicts import AGREES, DIFFERS, NOT_COMPARABLE, judged
from anonopt.experiments.papers.mares import pre_clustered_files
from anonopt.experiments.papers.mares.chapter_5 import (
    GERMAN_TABLES,
    ITEMS,
    dispersion_points,
)
from anonopt.experiments.papers.mares.pre_clustered_files import (
    LOSS,
    METHODS,
    MICROAGGREGATION,
    OWN_LOSS,
    RISK,
    german_files,
    masked_files,
    surface_points,
)
from anonopt.masking import MDAV, PreClustered, compared_partitions
from anonopt.measures import clustering_loss

ITEM = {item.name: item for item in ITEMS}


@pytest.fixture(autouse=True, scope="module")
def small_grid():
    """Few files, among them the best of microaggregation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pre_clustered_files, "GROUP_SIZES", (5, 35, 50))
        patch.setattr(pre_clustered_files, "N_CLUSTERS", (2, 40))
        masked_files.cache_clear()
        yield
    masked_files.cache_clear()


def test_everything_printed_is_measured_but_of_the_file_that_is_not_public():
    for item in ITEMS:
        measured = item.measure(1, True)
        missing = {one.label for one in item.printed} - set(measured)
        public = {one.label for one in item.printed if one.comparable and one.value is not None}
        assert missing & public == set()
        assert all("Housing" in label for label in missing) or not measured


def test_best_of_microaggregation_has_loss_and_risk_as_printed():
    found = german_files(1, False)
    best = f"{MICROAGGREGATION}, k up to 35"
    labels = f"{best}: {OWN_LOSS}", f"{best}: {RISK} beside {OWN_LOSS}"
    assert [found[label] for label in labels] == pytest.approx([18.73, 42.07], abs=0.005)
    assert found[f"{best}: {LOSS}"] == pytest.approx(16.91, abs=0.005)
    printed = [one for one in ITEM["table-5-2"].printed if one.label in labels]
    assert [one.value for one in printed] == ["18.90", "42.32"]
    assert {judged(one, [found[one.label]]).verdict for one in printed} == {AGREES}


def test_a_wrong_figure_would_be_told():
    found = german_files(1, False)
    for one in ITEM["table-5-2"].printed:
        if one.value is not None and one.comparable:
            wrong = replace(one, value=f"{float(one.value) + 20:.2f}")
            assert judged(wrong, [found[one.label]]).verdict == DIFFERS


def test_housing_is_not_compared():
    for name in ("table-5-1", "table-5-3"):
        rows = [one for one in ITEM[name].printed if one.label.startswith("Housing")]
        assert len(rows) == 6
        assert {judged(one, []).verdict for one in rows} == {NOT_COMPARABLE}


def test_every_printed_number_stands_beside_one_grid():
    for name, numbers in GERMAN_TABLES.items():
        values = [
            one.value for one in ITEM[name].printed if one.value is not None and one.comparable
        ]
        assert sorted(values) == sorted(value for pair in numbers.values() for value in pair)


def test_loss_of_a_clustered_file_is_that_of_the_library():
    german = masking_set("german")
    roles = {"columns": list(german.columns), "ordinal": german.order}
    masker = PreClustered(MDAV(35, **roles), 2, random_state=1)
    masked = masker.fit_transform(german.frame)
    assert masked.groupby(list(german.columns)).size().min() >= 35
    files = masked_files(1)
    row = files[(files["method"] == METHODS[1]) & (files["k"] == 35) & (files["clusters"] == 2)]
    partitions = compared_partitions(german.frame, masked, 3, random_state=1, **roles)
    assert row["clustering loss"].item() == pytest.approx(clustering_loss(*partitions))


def test_pictures_show_all_files_and_the_printed_ones():
    surfaces = surface_points(True)
    assert surfaces["panel"].nunique() == 4
    assert not surfaces.duplicated(["panel", "x", "y"]).any()
    assert surfaces["z"].between(0, 100).all()
    points = dispersion_points(True)
    assert points["panel"].nunique() == 2
    assert len(points) == 2 * (len(masked_files(1)) + len(METHODS))
    assert points[["x", "y"]].notna().all(axis=None)
