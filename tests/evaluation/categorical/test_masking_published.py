"""Loss and risk of PRAM on German: what independent trials of the definitions gave."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.data.datasets.masking_sets import masking_set
from anonopt.evaluation import MaskingEvaluator
from anonopt.masking.pram.pram_matrices import pram_matrix


@pytest.mark.parametrize(
    ("matrix", "options", "loss", "risk"),
    [
        # Mares 2013, Tables 4.12-4.14, print 37.88, 31.03 and 13.60, 46.12 for these matrices.
        ("frequency", {"p": 0.5}, 41.6, 26.1),
        ("diagonal", {"theta": 0.5}, 14.4, 45.6),
    ],
)
def test_loss_and_risk_of_pram_on_german(matrix, options, loss, risk):
    german = masking_set("german").categorical
    evaluator = MaskingEvaluator(german)
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        codes = german.codes.copy()
        for j, size in enumerate(german.n_categories):
            frequencies = np.bincount(german.codes[:, j], minlength=size)
            rows = np.asarray(pram_matrix(matrix, frequencies, **options))
            codes[:, j] = [rng.choice(size, p=rows[code]) for code in german.codes[:, j]]
        figures = evaluator.measure(codes).figures()
        found.append((figures.IL, figures.DR))
    assert np.mean(found, axis=0) == pytest.approx([loss, risk], abs=1)
