"""Where records are best in a masked file, by measuring a file for every place they could go to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from anonopt.evaluation import MaskingEvaluator
from anonopt.evaluation.aim import Aim


def cost(evaluator: MaskingEvaluator, codes: Any, aim: Aim) -> float:
    figures = evaluator.measure(codes).figures()
    loss, risk = figures.IL, figures.DR
    return aim.loss * loss + aim.risk * risk + aim.larger * max(loss, risk)


def costs_of_records(
    evaluator: MaskingEvaluator, codes: Any, rows: Sequence[int], aim: Aim
) -> list[float]:
    """What the aim comes to with rows as each combination of categories, in their order."""
    found = []
    for record in itertools.product(*map(range, evaluator.original.n_categories)):
        changed = np.array(codes)
        changed[list(rows)] = record
        found.append(cost(evaluator, changed, aim))
    return found
