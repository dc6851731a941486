"""Figures of files: the names of the registry, each once, and the means that follow."""

from __future__ import annotations

import pytest

from anonopt.evaluation import ContinuousFigures, MaskedFigures
from anonopt.evaluation.figures import with_rank_swapping
from anonopt.measures import get_measure, measure_names


@pytest.mark.parametrize(
    ("figures", "kind"), [(MaskedFigures, "file"), (ContinuousFigures, "numeric file")]
)
def test_the_fields_are_the_measures_of_their_kind(figures, kind):
    assert list(figures._fields) == measure_names(kind)
    assert all(get_measure(name, of=kind).function(kind) is None for name in figures._fields)


def test_means_and_scores_of_categories():
    figures = MaskedFigures.of(dbil=3.0, ctbil=6.0, ebil=9.0, id=40.0, dbrl=10.0, prl=20.0)
    assert figures == (3, 6, 9, 6, 40, 10, 20, 30, 30, 18)
    changed = figures.replaced(ebil=99.0, prl=0.0)
    assert changed == (3, 6, 99, 36, 40, 10, 0, 25, 36, 30.5)
    assert figures.replaced() == figures
    assert changed.values(["score_mean", "DBIL"]).tolist() == [30.5, 3]


def test_risk_and_scores_of_numbers():
    figures = ContinuousFigures.of(pil=50.0, id=40.0, dbrl=10.0, prl=20.0)
    assert figures == (50, 50, 40, 10, 20, 27.5, 50, 38.75)
    with pytest.raises(ValueError, match="unknown figure 'EBIL'; did you mean"):
        figures.values(["IL", "EBIL"])


def test_rank_swapping_linkage_stands_behind_the_other_linkages():
    figures = with_rank_swapping({"ID": 1.0, "PRL": 2.0, "DR": 3.0, "score_max": 4.0}, 5.0)
    assert list(figures.items()) == [
        ("ID", 1.0), ("PRL", 2.0), ("RSRL", 5.0), ("DR", 3.0), ("score_max", 4.0),
    ]  # fmt: skip
