"""What has to be said of a comparison: sentences that go with its tables."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt.experiments.statistics.friedman import FriedmanTest
from anonopt.experiments.statistics.pairs import MAX_EXACT

ENOUGH_PROBLEMS, ENOUGH_ALGORITHMS = 10, 5
"""Of Demsar, JMLR 7 (2006), Section 3.2.2: from more on the approximations hold."""

MANN_WHITNEY, SIGN, VALUES = "Mann-Whitney", "sign", "values"
"""Tests of two algorithms on a problem; the last is none, of values that are certain."""


def notes_on_failures(bad: pd.DataFrame, failed: str) -> list[str]:
    """How many runs failed, and what they count as."""
    if len(bad) == 0:
        return []
    counts = Counter(zip(bad["algorithm"], bad["problem"], strict=True))
    where = ", ".join(f"{n} of {one} on {problem}" for (one, problem), n in counts.items())
    fate = "they count as having found nothing" if failed == "worst" else "they are left out"
    return [f"Runs that did not end well: {where}; {fate}."]


def notes_on_unmeasured(problems: Sequence[str]) -> list[str]:
    """Problems that have no reference."""
    if not problems:
        return []
    return [f"Left out, as nothing feasible is known of them: {', '.join(problems)}."]


def notes_on_numbers(
    values: pd.DataFrame,
    problems: Sequence[str],
    algorithms: Sequence[str],
    fixed: Collection[tuple[str, str]] = (),
) -> list[str]:
    """How many runs there are, and of whom there are fewer, or none.

    Parameters
    ----------
    values : DataFrame
        ``problem`` and ``algorithm`` of each run.
    problems, algorithms : sequence of str
    fixed : collection of (problem, algorithm)
        Of which one run is all there is.
    """
    counts = Counter(zip(values["problem"], values["algorithm"], strict=True))
    most = max((n for cell, n in counts.items() if cell not in fixed), default=1)
    few, lost = [], []
    for algorithm in algorithms:
        without = [problem for problem in problems if not counts[problem, algorithm]]
        numbers = {
            p: counts[p, algorithm]
            for p in problems
            if p not in without and (p, algorithm) not in fixed
        }
        if without:
            lost.append(f"{algorithm} on {', '.join(without)}")
        if len(set(numbers.values())) == 1 and most not in numbers.values():
            few.append(f"{algorithm} {next(iter(numbers.values()))}")
        else:
            few += [f"{algorithm} on {p} {n}" for p, n in numbers.items() if n < most]
    but = f", but {', '.join(few)}" if few else ""
    notes = [f"Runs of each algorithm on each problem: {most}{but}."]
    if lost:
        shared = [p for p in problems if all(counts[p, a] for a in algorithms)]
        notes += [
            f"Without runs: {'; '.join(lost)}.",
            f"Ranks, and tests of all algorithms together, are of the {len(shared)} of "
            f"{len(problems)} problems on which all have runs{': ' * bool(shared)}"
            f"{', '.join(shared)}.",
        ]
    return notes


def notes_on_fixed(fixed: Collection[tuple[str, str]]) -> list[str]:
    """How algorithms are compared that draw nothing at random."""
    if not fixed:
        return []
    names = ", ".join(sorted({algorithm for _, algorithm in fixed}))
    return [
        f"Nothing is drawn at random by: {names}. Theirs is one run, whatever the number of seeds; "
        "runs of others are compared with its value by the sign test, and two such values as they "
        "are, without a p."
    ]


def notes_on_values(values: pd.DataFrame) -> list[str]:
    """What is infinite, what is equal everywhere, and who does not vary."""
    notes = []
    n_nothing = int(np.isinf(values["value"]).sum())
    if n_nothing:
        notes.append(
            f"{n_nothing} of {len(values)} values are infinite, as nothing feasible was found; "
            "tests count them as far worse than all others, and means of them are infinite."
        )
    of_problem = values.groupby("problem", sort=False)["value"].agg(["nunique", "size"])
    equal = of_problem.index[(of_problem["nunique"] == 1) & (of_problem["size"] > 1)]
    if len(equal):
        notes.append(f"All values are equal on: {', '.join(equal)}.")
    varied = values[~values["problem"].isin(equal)]
    of_cell = varied.groupby(["algorithm", "problem"], sort=False)["value"].agg(["nunique", "size"])
    of_algorithm = of_cell.groupby(level="algorithm", sort=False).max()
    same = of_algorithm.index[(of_algorithm["nunique"] == 1) & (of_algorithm["size"] > 1)]
    if len(same):
        notes.append(
            f"All runs on a problem are equal of: {', '.join(same)}. If nothing in them is drawn "
            "by chance they are one run repeated, which tests take for several."
        )
    return notes


def notes_on_joint(joint: FriedmanTest | None, n_problems: int, n_algorithms: int) -> list[str]:
    """Which tests over problems are made, and how far they hold."""
    if n_problems < 2:
        return [
            f"Problems on which all algorithms have runs: {n_problems}. Tests of all algorithms "
            "over problems (Friedman, Nemenyi) are not made; compare pairs, and the runs within "
            "problems."
        ]
    if joint is None:
        return ["Of two algorithms Wilcoxon's test takes the place of Friedman's."]
    notes = []
    if n_problems <= ENOUGH_PROBLEMS or n_algorithms <= ENOUGH_ALGORITHMS:
        notes.append(
            "Friedman's p values and those of Nemenyi are approximations for more than "
            f"{ENOUGH_PROBLEMS} problems and {ENOUGH_ALGORITHMS} algorithms, found {n_problems} "
            f"and {n_algorithms}."
        )
    if np.isinf(joint.f_statistic):
        notes.append("All problems agree on all ranks: Iman-Davenport's F is infinite, and p is 0.")
    return notes


def notes_on_pairs(
    over: pd.DataFrame, within: pd.DataFrame, n_pairs: int, alpha: float
) -> list[str]:
    """Which pairs are not compared, and which cannot differ significantly whatever is found.

    Parameters
    ----------
    over, within : DataFrame
        Tests of pairs over problems, and within them.
    n_pairs : int
        Of all algorithms.
    alpha : float
    """
    notes = []
    if len(over) < n_pairs:
        notes.append(
            f"{n_pairs - len(over)} of {n_pairs} pairs have fewer than two problems in common and "
            "are not compared over problems."
        )
    least = {n: 2.0 ** (1 - n) for n in map(int, over["n_problems"])}
    for n, count, corrected in _out_of_reach([list(map(int, over["n_problems"]))], least, alpha):
        notes.append(
            f"Wilcoxon's p over {n} problems is at least {least[n]:.3g}, with Holm "
            f"{corrected:.3g}: none of {count} pairs can differ significantly at {alpha:g}."
        )
    tested = within[within["p"].notna()]
    sizes = [
        [
            (test, min(a, b), max(a, b))
            for test, a, b in rows[["test", "n_first", "n_second"]].itertuples(index=False)
        ]
        for _, rows in tested.groupby("problem", sort=False)
    ]
    least_of = {
        (test, a, b): 2.0 ** (1 - b) if test == SIGN else 2 / math.comb(a + b, a)
        for test, a, b in itertools.chain(*sizes)
    }
    for (test, a, b), count, corrected in _out_of_reach(sizes, least_of, alpha):
        whose = (
            f"The sign test's p of {b} runs" if test == SIGN else f"{test}'s p of {a} and {b} runs"
        )
        notes.append(
            f"{whose} is at least {least_of[test, a, b]:.3g}, with Holm "
            f"{corrected:.3g}: none of {count} pairs within problems can differ significantly at "
            f"{alpha:g}."
        )
    if "normal" in {*over["method"], *within["method"]}:
        notes.append(f"Of more than {MAX_EXACT} values p is of the normal approximation.")
    if len(within) and within[["n_first", "n_second"]].to_numpy().min() == 1:
        notes.append("Where there is one run, its value is its median, quartiles and interval.")
    return notes


def _out_of_reach(
    families: Sequence[Sequence[Any]], least: Mapping[Any, float], alpha: float
) -> Iterator[tuple[Any, int, float]]:
    """Sizes of tests of which no p that Holm corrects can be at most alpha.

    Yields
    ------
    size, number of its tests in all families, least corrected p
    """
    for size in sorted(set(itertools.chain(*families))):
        # Tests that could have a smaller p may all come before it.
        factors = [
            sum(least[other] >= least[size] for other in family)
            for family in families
            if size in family
        ]
        corrected = min(1.0, min(factors) * least[size])
        if corrected > alpha:
            yield size, sum(list(family).count(size) for family in families), corrected
