"""All tests of a comparison in one report."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonopt._checks import as_generator, check_integer, check_number
from anonopt.experiments.performance.curves import quartiles
from anonopt.experiments.statistics.friedman import FriedmanTest, friedman
from anonopt.experiments.statistics.intervals import bootstrap_interval
from anonopt.experiments.statistics.posthoc import critical_difference, nemenyi
from anonopt.experiments.statistics.power import effect_shown, power
from anonopt.experiments.tables.markdown import markdown_table, without_tags
from anonopt.experiments.tables.notes import notes_on_joint, notes_on_pairs
from anonopt.experiments.tables.pairwise import pairs_over_problems, pairs_within_problems
from anonopt.experiments.tables.samples import Samples, rank_frame

EFFECTS = {"small": 0.56, "medium": 0.64, "large": 0.71}
"""Vargha and Delaney's A from which on they call a difference so."""

_READING = {
    "Ranks": "1 is the best on a problem; the least mean is the best over all of them.",
    "Nemenyi, p of each pair": "Of the mean ranks; below the level, the two differ.",
    "Pairs over problems (Wilcoxon, Bayesian signed rank)": (
        "`won`, `lost`: problems on which the median of the first is better, or worse; `p_holm`: "
        "p of Wilcoxon's test, corrected for the number of pairs; `p_first_better`, "
        "`p_equivalent`, `p_second_better`: Bayesian probabilities, equivalent within {rope:g}."
    ),
    "Pairs within problems (tests of runs, effect sizes)": (
        "`p_holm`: p corrected for the number of tests of the problem; `a12`: chance that a run of "
        "the first is better than one of the second, 0.5 without a difference; `cliffs_delta`: "
        "the same from -1 to 1."
    ),
    "Medians with quartiles and bootstrap intervals": (
        "`lower`, `upper`: quartiles; `low`, `high`: bootstrap interval of the median at level "
        "{level:g}."
    ),
    "Power of these numbers of runs": (
        "Chance that a single Mann-Whitney test, without a correction, finds a difference whose "
        f"`a12` is {', '.join(f'{value} ({name})' for name, value in EFFECTS.items())}; "
        "`a12_shown`: the least that it finds with chance 0.8, -- if there is none."
    ),
}
"""What the columns of each table of the report say."""


@dataclass(frozen=True)
class Significance:
    """Tests of a comparison; a12 and differences above one half or 0 speak for the first.

    Attributes
    ----------
    indicator : str
    alpha : float
    rope : float
        Half the width of the region of practical equivalence, in the unit of the indicator.
    medians : DataFrame (n_problems, n_algorithms)
        Over seeds.
    ranks : DataFrame (n_problems + 1, n_algorithms), or None
        On each problem, and their mean.
    friedman : FriedmanTest or None
        Whether the algorithms differ at all; of three or more on two or more problems.
    critical_difference : float
        Of mean ranks, by the test of Nemenyi; NaN where Friedman's test is not made.
    nemenyi : DataFrame (n_algorithms, n_algorithms), or None
        p of each pair.
    over_problems : DataFrame
        One row a pair of two or more problems in common: ``first``, ``second``, ``n_problems``,
        ``won`` and ``lost`` (problems on which the median of the first is better, or worse),
        Wilcoxon's ``statistic``, ``p``, ``p_holm`` (over all pairs) and ``method``, and the
        Bayesian probabilities ``p_first_better``, ``p_equivalent``, ``p_second_better``.
    within_problems : DataFrame
        One row a problem and a pair: ``n_first``, ``n_second``, ``test`` (``Mann-Whitney``;
        ``sign`` against the one value of an algorithm that draws nothing at random; ``values`` of
        two such, which need no test), its ``statistic``, ``p``, ``p_holm`` (over the tests of the
        problem) and ``method``, ``a12`` (chance that a run of the first is better),
        ``cliffs_delta``, ``magnitude``.
    intervals : DataFrame
        One row a problem and an algorithm: ``n_runs``, ``lower``, ``median``, ``upper`` (the
        quartiles), ``low``, ``high`` (bootstrap interval of the median at level 1 - alpha).
    power : DataFrame
        One row a number of runs of algorithms that draw at random: ``n_runs``, chance that
        Mann-Whitney's test finds a ``small``, ``medium`` and ``large`` difference at level alpha,
        and ``a12_shown``, the least one found with chance 0.8.
    notes : tuple of str
        What was decided, and what these numbers of problems and runs cannot show.
    """

    indicator: str
    alpha: float
    rope: float
    medians: pd.DataFrame
    ranks: pd.DataFrame | None
    friedman: FriedmanTest | None
    critical_difference: float
    nemenyi: pd.DataFrame | None
    over_problems: pd.DataFrame
    within_problems: pd.DataFrame
    intervals: pd.DataFrame
    power: pd.DataFrame
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return self.to_markdown()

    def to_markdown(self, *, digits: int = 4) -> str:
        """Everything as text in Markdown, a table a heading.

        Parameters
        ----------
        digits : int
            Decimals of values and p values, 0..17.

        Returns
        -------
        str

        Raises
        ------
        TypeError
            If `digits` is no whole number.
        ValueError
            If it is out of 0..17.
        """
        check_integer("digits", digits, least=0, most=17)
        joint = self.friedman
        parts = [f"## {self.indicator}: tests at level {self.alpha:g}"]
        if joint is not None:
            parts.append(
                f"Friedman: chi-square {joint.statistic:.{digits}f}, "
                f"{_p_text(joint.p_value, digits)}; "
                f"Iman-Davenport: F {joint.f_statistic:.{digits}f}, "
                f"{_p_text(joint.f_p_value, digits)}; "
                f"{joint.n_problems} problems, {joint.n_algorithms} algorithms. "
                f"Critical difference of mean ranks: {self.critical_difference:.{digits}f}."
            )
            parts.append(without_tags(self.standing()))
        tables = {
            "Ranks": self.ranks,
            "Nemenyi, p of each pair": self.nemenyi,
            "Pairs over problems (Wilcoxon, Bayesian signed rank)": self.over_problems,
            "Pairs within problems (tests of runs, effect sizes)": self.within_problems,
            "Medians with quartiles and bootstrap intervals": self.intervals,
            "Power of these numbers of runs": self.power,
        }
        for heading, table in tables.items():
            if table is not None and len(table):
                text = markdown_table(table, digits=digits, index=table.index.name is not None)
                reading = _READING[heading].format(rope=self.rope, level=1 - self.alpha)
                parts.append(f"### {heading}\n\n{reading}\n\n{text}")
        parts.append("### Notes\n\n" + "\n".join(f"- {without_tags(note)}" for note in self.notes))
        return "\n\n".join(parts) + "\n"

    def standing(self) -> str:
        """Who has the best mean rank, and whom Nemenyi's test tells apart from it, in sentences.

        Returns
        -------
        str
            Empty where Nemenyi's test is not made.
        """
        if self.ranks is None or self.nemenyi is None:
            return ""
        names = [str(name) for name in self.ranks.columns]
        mean = self.ranks.loc["mean"].to_numpy()
        best = [name for name, rank in zip(names, mean, strict=True) if rank == mean.min()]
        p = self.nemenyi.loc[best[0]].to_numpy()
        worse = [name for name, one in zip(names, p, strict=True) if one < self.alpha]
        close = [name for name in names if name not in {*best, *worse}]
        return (
            f"Best mean rank: {', '.join(best)}. Worse by Nemenyi's test: "
            f"{', '.join(worse) or 'none'}. Not told apart by it: {', '.join(close) or 'none'}."
        )


def _p_text(p: float, digits: int) -> str:
    least = 10.0**-digits
    return f"p < {least:.{digits}f}" if digits and p < least else f"p = {p:.{digits}f}"


def significance(
    of: Samples,
    *,
    alpha: float = 0.05,
    rope: float = 0.01,
    random_state: int | np.random.Generator = 0,
) -> Significance:
    """Make all tests of a comparison.

    Parameters
    ----------
    of : Samples
    alpha : float
        Level of the tests, above 0 and below 1.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the indicator, at
        least 0.
    random_state : int or numpy Generator
        Of the bootstrap and of the draws from posteriors.

    Returns
    -------
    Significance

    Raises
    ------
    ValueError
        If there is one algorithm alone, or an argument is out of its range.
    """
    check_number("alpha", alpha, above=0, below=1)
    check_number("rope", rope, least=0)
    rng = as_generator(random_state)
    if len(of.algorithms) < 2:
        raise ValueError(
            f"algorithms: expected at least 2 to compare, found {', '.join(of.algorithms)} alone"
        )
    medians = of.complete()
    n_problems, n_algorithms = medians.shape
    is_joint = n_problems >= 2 and n_algorithms >= 3
    joint = friedman(medians, maximize=of.maximize) if is_joint else None
    over, within = pairs_over_problems(of, rope, rng), pairs_within_problems(of)
    n_pairs = math.comb(len(of.algorithms), 2)
    return Significance(
        indicator=of.indicator,
        alpha=alpha,
        rope=rope,
        medians=of.medians(),
        ranks=rank_frame(of) if n_problems else None,
        friedman=joint,
        critical_difference=critical_difference(n_algorithms, n_problems, alpha=alpha)
        if is_joint
        else math.nan,
        nemenyi=nemenyi(medians, maximize=of.maximize).rename_axis("algorithm")
        if is_joint
        else None,
        over_problems=over,
        within_problems=within,
        intervals=interval_frame(of, alpha, rng),
        power=_power(of, alpha),
        notes=(
            *of.notes,
            *notes_on_joint(joint, n_problems, n_algorithms),
            *notes_on_pairs(over, within, n_pairs, alpha),
        ),
    )


def interval_frame(of: Samples, alpha: float, rng: np.random.Generator) -> pd.DataFrame:
    """Quartiles and bootstrap intervals of the medians; see :class:`Significance`."""
    rows = []
    for problem, algorithm in itertools.product(of.problems, of.algorithms):
        sample = of.of(problem, algorithm)
        if len(sample) == 0:
            continue
        lower, median, upper = quartiles(sample)
        low, high = (
            bootstrap_interval(sample, level=1 - alpha, random_state=rng)
            if np.isfinite(sample).all()
            else (math.nan, math.nan)
        )
        rows.append((problem, algorithm, len(sample), lower, median, upper, low, high))
    names = ["problem", "algorithm", "n_runs", "lower", "median", "upper", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def _power(of: Samples, alpha: float) -> pd.DataFrame:
    sizes = of.values.groupby(["problem", "algorithm"]).size()
    numbers = sorted({n for cell, n in sizes.items() if cell not in of.fixed})
    return pd.DataFrame(
        [
            {
                "n_runs": n,
                **{name: power(n, effect, alpha=alpha) for name, effect in EFFECTS.items()},
                "a12_shown": effect_shown(n, alpha=alpha),
            }
            for n in map(int, numbers)
        ]
    )
