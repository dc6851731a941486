"""How the searches of Chapter 4 of the thesis go: what its items measure and its figures show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import scipy

from anonopt.algorithms.masking.pramea import PRAMEA
from anonopt.algorithms.masking.pramgp import PRAMGP
from anonopt.evaluation.pram.pram_score import PRAMScore
from anonopt.masking.pram.pram_matrices import pram_matrix
from anonopt.operators.matrices.gray_bit_flip import GrayBitFlip
from anonopt.operators.matrices.range_swap_crossover import RangeSwapCrossover
from anonopt.problems.catalogue import get_problem
from anonopt.runs.solve import solve

FIGURES = ("IL", "DR", "score")
MAX, MEAN = "score_max", "score_mean"
DEPTH = 5
"""Most levels of an equation, where the thesis does not say otherwise."""

TOGETHER = "all three attributes"
CAPTIONS = {"german": "German", "flare": "Solar Flare", "housing": "Housing"}
Ends = tuple[Sequence[str], Sequence[str]]
"""Printed numbers at the start and at the end of a search."""

Point = tuple[str, str, float, float]


@cache
def course_of_matrices(name: str, columns: tuple[str, ...] | None, seed: int) -> pd.DataFrame:
    """EBIL as IL, DR and their mean of all generations of Algorithm 6; row 0 is the start.

    Parameters
    ----------
    name : ``"german"`` or ``"flare"``
    columns : tuple of str or None
        By default all three.
    seed : int
    """
    problem = get_problem(
        f"{name}-pram", objectives=[MEAN], columns=columns, p=0.5, loss="EBIL", seed=seed
    )
    algorithm = PRAMEA(
        mutation=GrayBitFlip(matrices="one"), crossover=RangeSwapCrossover(matrices="one")
    )
    result = solve(problem.recording(["EBIL", "DR"]), algorithm, seed=seed)
    history = result.algorithm.history()
    measured = [history[f"{figure}_mean"] for figure in ("EBIL", "DR", MEAN)]
    return pd.DataFrame(dict(zip(FIGURES, measured, strict=True)))


def column_entropy_of_start(name: str) -> float:
    """Mean over the columns of the file, in percent, of the entropy down the matrix's columns.

    ``sum over j of freq_j * -(sum over i of p_ij log p_ij) / (N log L)``, p being the starting
    matrix as it stands, whose columns do not sum to 1, and freq_j the original frequencies.
    """
    problem = get_problem(f"{name}-pram", p=0.5)
    shares = []
    for codes, matrix in zip(problem.columns.codes.T, problem.matrices(problem.start), strict=True):
        entropies = scipy.special.entr(matrix.probabilities).sum(axis=0)
        weights = np.bincount(codes, minlength=len(entropies)) / len(codes)
        shares.append(weights @ entropies / np.log(len(entropies)))
    return float(100 * np.mean(shares))


@cache
def course_of_equations(name: str, objective: str, depth: int, seed: int) -> pd.DataFrame:
    """IL, DR and score of the best equation of Algorithm 7, from the first population on.

    Parameters
    ----------
    name : ``"german"`` or ``"flare"``
    objective : ``"score_max"`` or ``"score_mean"``
    depth : int
    seed : int
    """
    problem = get_problem(
        f"{name}-pram-equations",
        objectives=[objective],
        max_depth=depth,
        empty_categories=True,
        seed=seed,
    )
    best: list[tuple[float, float, float]] = []

    def note(algorithm: Any) -> None:
        equation = algorithm.opt[0]
        best.append((equation.get("anon_IL"), equation.get("anon_DR"), float(equation.F[0])))

    solve(problem, PRAMGP(), seed=seed, callback=note)
    return pd.DataFrame(best, columns=list(FIGURES))


def named_matrices(name: str, seed: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """IL and DR of frequency PRAM with the best p, and of diagonal PRAM, means over five files.

    The best of the tenths of p is that of the least maximum of IL and DR.
    """
    columns = get_problem(f"{name}-pram", empty_categories=True, seed=seed).columns
    counts = [
        np.bincount(codes, minlength=size).astype(np.float64)
        for codes, size in zip(columns.codes.T, columns.n_categories, strict=True)
    ]
    score = PRAMScore(columns, seed=seed)

    def measured(matrix: str, **options: float) -> tuple[float, float]:
        figures = score.figures([pram_matrix(matrix, one, **options) for one in counts])
        return figures.IL, figures.DR

    by_share = [measured("frequency", p=p / 10) for p in range(1, 10)]
    return min(by_share, key=max), measured("diagonal", theta=0.5)


@cache
def best_protections(name: str, seed: int) -> dict[str, tuple[float, float]]:
    """IL and DR of named matrices and of the best equations, as Tables 4.12 to 4.14 name them."""
    found = dict(zip(("Freq PRAM", "Unif PRAM"), named_matrices(name, seed), strict=True))
    for row, objective in (("GP Max", MAX), ("GP Mean", MEAN)):
        end = course_of_equations(name, objective, DEPTH, seed).iloc[-1]
        found[row] = float(end["IL"]), float(end["DR"])
    return found


def points_together(name: str, ends: Ends, quick: bool) -> pd.DataFrame:
    """Figures 4.7 and 4.9: the first seed, and the printed starts and ends."""
    found = course_of_matrices(name, None, 1)
    points = _course(TOGETHER, found)
    for figure, *values in zip(FIGURES, *ends, strict=True):
        points += _ends(TOGETHER, figure, values, len(found))
    return _frame(points)


def points_alone(name: str, attributes: Mapping[str, str], quick: bool) -> pd.DataFrame:
    """Figures 4.6 and 4.8: the first seed, a panel each attribute."""
    points = []
    for attribute, column in attributes.items():
        points += _course(attribute, course_of_matrices(name, (column,), 1))
    return _frame(points)


def points_of_scores(
    ends: Mapping[tuple[str, str], Sequence[str]], names: Sequence[str], quick: bool
) -> pd.DataFrame:
    """Figure 4.16: the first seed, and the printed starts and ends."""
    points = []
    for objective in (MEAN, MAX):
        for name in names:
            scores = course_of_equations(name, objective, DEPTH, 1)[["score"]]
            found = scores.rename(columns={"score": CAPTIONS[name]})
            points += _course(objective, found)
            points += _ends(objective, CAPTIONS[name], ends[name, objective], len(found))
    return _frame(points)


def points_of_parts(name: str, quick: bool) -> pd.DataFrame:
    """Figures 4.17 and 4.19: IL and DR of the best equation, the first seed."""
    points = []
    for objective in (MEAN, MAX):
        points += _course(objective, course_of_equations(name, objective, DEPTH, 1)[["IL", "DR"]])
    return _frame(points)


def points_of_protections(
    printed: Mapping[str, Sequence[Sequence[str]]], names: Sequence[str], quick: bool
) -> pd.DataFrame:
    """Figure 4.20: IL against DR of the first seed."""
    points: list[Point] = []
    for name in names:
        for row, (loss, risk) in best_protections(name, 1).items():
            points.append((CAPTIONS[name], row, loss, risk))
        points += [
            (CAPTIONS[name], "printed", float(row[0]), float(row[1])) for row in printed[name]
        ]
    return _frame(points)


def _course(panel: str, found: pd.DataFrame) -> list[Point]:
    return [
        (panel, str(figure), generation, value)
        for figure in found
        for generation, value in enumerate(found[figure].tolist())
    ]


def _ends(panel: str, series: str, values: Sequence[str], length: int) -> list[Point]:
    places = zip((0, length - 1), values, strict=True)
    return [(panel, f"printed {series}", place, float(value)) for place, value in places]


def _frame(points: Iterable[Point]) -> pd.DataFrame:
    return pd.DataFrame(points, columns=["panel", "series", "x", "y"])
