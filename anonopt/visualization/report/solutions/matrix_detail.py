"""PRAM matrices: heat maps, diagonals, invariance, expected frequencies, a draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, FloatArray
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.evaluation.pram.expected_counts import agreement_counts
from anonopt.masking import expected_table, is_diagonally_dominant
from anonopt.measures import MEASURES, measure_names
from anonopt.problems import MatrixRules, PRAMEquationProblem, PRAMProblem
from anonopt.problems.pram.matrix_figures import DIFFERENCE
from anonopt.visualization.report.solutions.detail import (
    Detail,
    Drawing,
    Part,
    Shown,
    changed_cells,
    counted,
    nothing_protected,
    percent,
    sample,
    shortened,
)
from anonopt.visualization.report.solutions.detail_figures import MAX_PRINTED, heat_maps
from anonopt.visualization.report.solutions.measured_values import (
    measured,
    measures_table,
    missed_constraints,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND = "PRAM matrices"

MAX_CATEGORIES = 40
"""Categories whose probabilities are drawn; of more, the most frequent ones."""

MAX_COLUMNS = 12
"""Columns whose matrix is drawn; of more, the first ones."""

_MOVED = MatrixRules(invariance="constraint", tolerance=0.0)
"""Its violation is how far frequencies move in expectation, in total variation."""


def matrix_detail(problem: PRAMProblem, x: AnyArray, shown: Shown) -> Detail:
    """Describe PRAM matrices.

    Parameters
    ----------
    problem : PRAMProblem
    x : array (n_var,)
        A genome.
    shown : Shown
    """
    genome = problem.space.checked_one(x)
    names = [name for name in measure_names("matrix") if name != DIFFERENCE]
    values = measured(problem, genome, names)
    matrices = problem.matrices(genome)
    return Detail(
        KIND,
        f"{summary_of(problem.columns.names, matrices, problem.frequencies)} "
        f"{measured_summary(values)}",
        (
            Part("Loss and risk of the matrices", table=measures_table(values, MEASURES)),
            *matrix_parts(problem, genome, matrices, shown),
        ),
        by_chance=True,
    )


def measured_summary(values: dict[str, float]) -> str:
    """Loss and risk in words, where they are known."""
    named = {"information loss": "IL", "disclosure risk": "DR"}
    found = [f"{text} {values[name]:.4g} %" for text, name in named.items() if name in values]
    text = ", ".join(found)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def summary_of(
    columns: Sequence[object],
    matrices: Sequence[MarkovMatrix],
    frequencies: Sequence[FloatArray],
) -> str:
    """What matrices do, in a sentence."""
    changed = expected_changes(matrices, frequencies)
    cells = sum(float(counts.sum()) for counts in frequencies)
    share = sum(changed) / cells if cells else 0.0
    return (
        f"{counted(len(columns), 'matrix', 'matrices')}; {percent(share)} of the cells change in "
        f"expectation."
    )


def expected_changes(
    matrices: Sequence[MarkovMatrix], frequencies: Sequence[FloatArray]
) -> list[float]:
    """Expected number of cells that change, by column: records off the diagonal."""
    pairs = zip(matrices, frequencies, strict=True)
    return [float(agreement_counts(n, [one.probabilities])[:, 0].sum()) for one, n in pairs]


def matrix_parts(
    problem: PRAMProblem | PRAMEquationProblem,
    genome: AnyArray,
    matrices: Sequence[MarkovMatrix],
    shown: Shown,
) -> list[Part]:
    """Parts on matrices, of a search for them or for equations that build them."""
    names = list(map(str, problem.columns.names))
    frequencies = problem.frequencies
    parts = [_diagonals(names, matrices, frequencies)]
    pairs = zip(names, matrices, frequencies, strict=True)
    parts += [_heat_map(*pair) for pair in list(pairs)[:MAX_COLUMNS]]
    if len(names) > MAX_COLUMNS:
        parts.append(
            Part("Further matrices", f"{len(names) - MAX_COLUMNS} more are not drawn here.")
        )
    return [*parts, _drawn(problem, genome, shown)]


def _diagonals(
    names: Sequence[str], matrices: Sequence[MarkovMatrix], frequencies: Sequence[FloatArray]
) -> Part:
    changes = expected_changes(matrices, frequencies)
    rows = []
    for name, matrix, counts, change in zip(names, matrices, frequencies, changes, strict=True):
        diagonal = np.diagonal(matrix.probabilities)
        moved = moved_share(matrix, counts)
        rows.append(
            [
                name,
                matrix.n_categories,
                *(f"{value:.4g}" for value in (diagonal.min(), diagonal.mean(), diagonal.max())),
                "yes" if is_diagonally_dominant(matrix) else "no",
                percent(moved),
                percent(change / counts.sum()),
            ]
        )
    columns = [
        "column",
        "categories",
        "least diagonal",
        "mean diagonal",
        "largest diagonal",
        "dominant",
        "frequencies moved",
        "cells changed",
    ]
    return Part(
        "Diagonal and invariance",
        "The diagonal is the probability of a category to stay. Frequencies moved: total variation "
        "between the original and the expected frequencies; 0 % is an invariant matrix. Cells "
        "changed: their expected share.",
        pd.DataFrame(rows, columns=columns),
        notes=(
            "Dominant: each diagonal entry exceeds the rest of its row, so that original "
            "frequencies can be estimated from masked ones.",
        ),
        discloses="statistics",
    )


def moved_share(matrix: MarkovMatrix, counts: FloatArray) -> float:
    """How far frequencies move in expectation, in total variation, 0..1."""
    probabilities = matrix.probabilities
    return max(0.0, _MOVED.violations(probabilities, probabilities, counts)[0])


def _heat_map(name: str, matrix: MarkovMatrix, counts: FloatArray) -> Part:
    kept = np.sort(np.argsort(-counts, kind="stable")[:MAX_CATEGORIES])
    labels = [matrix.labels[code] for code in kept]
    probabilities = matrix.probabilities[np.ix_(kept, kept)]

    def figure() -> go.Figure:
        return heat_maps(
            {"probability": probabilities},
            rows=labels,
            columns=labels,
            row_name="from",
            column_name="to",
            share=True,
        )

    expected = expected_table(matrix, counts)
    table = pd.DataFrame(
        {
            "category": labels,
            "stays with": [f"{p:.4g}" for p in np.diagonal(matrix.probabilities)[kept]],
            "records": counts[kept].astype(int),
            "expected after": [f"{value:,.1f}" for value in expected[kept]],
        }
    )
    n_more = matrix.n_categories - len(kept)
    note = (f"{n_more} less frequent categories are not shown.",) if n_more > 0 else ()
    return Part(
        f"Matrix of {shortened(name)}",
        "Row: the original category; column: the one it becomes; darker is likelier.",
        table,
        drawing=Drawing(
            figure,
            f"Heat map: the {matrix.n_categories} by {matrix.n_categories} "
            f"probabilities of {shortened(name)}.",
        ),
        notes=note,
        discloses="statistics",
        is_half=len(labels) <= MAX_PRINTED,
    )


def _drawn(problem: PRAMProblem | PRAMEquationProblem, genome: AnyArray, shown: Shown) -> Part:
    if missed := missed_constraints(problem, genome):
        return nothing_protected(missed)
    masked = problem.protect(genome, random_state=shown.seed)
    columns, original = list(problem.columns.names), problem.original_file
    changed = changed_cells(original, masked, columns)
    note = (
        f"Drawn with random_state={shown.seed}: {counted(int(changed.sum()), 'cell')} of "
        f"{changed.size:,} changed. Publish no file of a seed that others know: who has it can "
        f"undo what was drawn."
    )
    return sample(original, masked, shown, columns=columns, note=note)
