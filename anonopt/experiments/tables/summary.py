"""The table of a comparison that papers print: medians, ranges, the best, what is significant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anonopt._checks import check_integer, check_number, unknown
from anonopt.experiments.tables.latex import booktabs_lines, escaped, parts_of, parts_that_fit
from anonopt.experiments.tables.markdown import markdown_lines, without_tags
from anonopt.experiments.tables.notes import VALUES
from anonopt.experiments.tables.pairwise import compared, holm_of_tests
from anonopt.experiments.tables.samples import Samples, rank_frame

BETTER, WORSE, ALIKE = "+", "-", "="
"""Against the one that the others are compared with."""


@dataclass(frozen=True)
class SummaryCell:
    """An algorithm on a problem.

    Attributes
    ----------
    median, spread : float
        Over seeds; the spread is the interquartile range. NaN without a run.
    is_best : bool
        Whether no other median of the row is better; where all are infinite there is no best.
    mark : str
        `BETTER`, `WORSE` or `ALIKE` by the tests of
        :func:`~anonopt.experiments.tables.pairwise.compared` with Holm; empty of the one that the
        others are compared with.
    """

    median: float
    spread: float
    is_best: bool
    mark: str


@dataclass(frozen=True)
class Summary:
    """Table of a comparison.

    Attributes
    ----------
    cells : dict of (problem, algorithm) to SummaryCell
    mean_ranks : dict of algorithm to float, or None
        None where no problem has runs of all algorithms.
    of : Samples
    control : str or None
    alpha : float
    """

    cells: dict[tuple[str, str], SummaryCell]
    mean_ranks: dict[str, float] | None
    of: Samples
    control: str | None
    alpha: float

    @property
    def explanation(self) -> str:
        """What the table shows, in sentences."""
        other = "the best median of the row" if self.control is None else self.control
        more = "more" if self.of.maximize else "less"
        return (
            f"Median (interquartile range) of {self.of.indicator}, {more} is better; the best "
            f"median of each row is bold. {BETTER}, {WORSE}, {ALIKE}: better than, worse than, or "
            f"not told apart from {other} (Mann-Whitney, Holm within the row, level "
            f"{self.alpha:g})."
        )

    def to_latex(
        self,
        *,
        digits: int = 4,
        caption: str | None = None,
        label: str | None = None,
        columns: int | None = None,
    ) -> str:
        """Write the table for LaTeX with the package booktabs.

        Parameters
        ----------
        digits : int
            Decimals, 0..17.
        caption : str, optional
            Text, which is escaped; by default what the table shows, and the notes on it.
        label : str, optional
            Such as ``"tab:runs"``.
        columns : int, optional
            Algorithms that stand beside each other, at least 1, the others below; by default as
            many as fit a page of LaTeX's class article.

        Returns
        -------
        str
        """
        check_integer("digits", digits, least=0, most=17)
        text = " ".join([self.explanation, *self.of.notes]) if caption is None else caption
        header, rows = self._texts(digits, _latex_cell, escaped)
        n_problems = len(self.of.problems)
        tables = [
            booktabs_lines(
                _picked(header, part),
                [
                    [_picked(row, part) for row in block]
                    for block in (rows[:n_problems], rows[n_problems:])
                    if block
                ],
                alignment=f"l{'r' * len(part)}",
            )
            for part in self._parts(digits, columns)
        ]
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped(text)}}}",
            *([] if label is None else [rf"\label{{{label}}}"]),
            *tables[0],
            *(line for table in tables[1:] for line in (r"\par\medskip", *table)),
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"

    def _parts(self, digits: int, columns: int | None) -> list[range]:
        """Algorithms of each part of the table in LaTeX."""
        if columns is not None:
            return parts_of(len(self.of.algorithms), check_integer("columns", columns, least=1))
        header, rows = self._texts(digits, _markdown_cell, str)
        cells = zip(header, *rows, strict=True)
        first, *widths = [max(len(text.replace("**", "")) for text in cell) for cell in cells]
        return parts_that_fit(widths, first=first)

    def to_markdown(self, *, digits: int = 4) -> str:
        """Write the table in Markdown, what it shows and the notes on it below.

        Parameters
        ----------
        digits : int
            Decimals, 0..17.

        Returns
        -------
        str
        """
        check_integer("digits", digits, least=0, most=17)
        header, rows = self._texts(digits, _markdown_cell, str)
        below = without_tags(" ".join([self.explanation, *self.of.notes]))
        return f"{markdown_lines(header, rows)}\n\n{below}\n"

    def _texts(
        self,
        digits: int,
        cell: Callable[[str, str, bool, str], str],
        name: Callable[[str], str],
    ) -> tuple[list[str], list[list[str]]]:
        """Header and rows, the mean ranks as the last of them."""
        rows = []
        for problem in self.of.problems:
            row = [name(problem)]
            for algorithm in self.of.algorithms:
                found = self.cells[problem, algorithm]
                texts = (_number(found.median, digits), _number(found.spread, digits))
                row.append(cell(*texts, found.is_best, found.mark))
            rows.append(row)
        if self.mean_ranks is not None:
            least = min(self.mean_ranks.values())
            ranks = [
                cell(f"{self.mean_ranks[a]:.2f}", "", self.mean_ranks[a] == least, "")
                for a in self.of.algorithms
            ]
            rows.append(["mean rank", *ranks])
        return ["problem", *map(name, self.of.algorithms)], rows


def summary(of: Samples, *, alpha: float = 0.05, control: str | None = None) -> Summary:
    """Summarize a comparison as papers print it.

    Parameters
    ----------
    of : Samples
    alpha : float
        Level of the tests, above 0 and below 1.
    control : str, optional
        Algorithm that the others are compared with; by default on each problem the first of the
        best median.

    Returns
    -------
    Summary

    Raises
    ------
    ValueError
        If there is no such algorithm, or an argument is out of its range.
    """
    check_number("alpha", alpha, above=0, below=1)
    if control is not None and control not in of.algorithms:
        raise ValueError(unknown("control", control, of.algorithms))
    medians, spreads = of.medians().to_numpy(), of.ranges().to_numpy()
    cells = {}
    for problem, row, spread in zip(of.problems, medians, spreads, strict=True):
        best = np.nanmax(row) if of.maximize else np.nanmin(row)
        other = of.algorithms[int(np.argmax(row == best))] if control is None else control
        marks = _marks(of, problem, other, alpha)
        for algorithm, value, width in zip(of.algorithms, row, spread, strict=True):
            cells[problem, algorithm] = SummaryCell(
                float(value),
                float(width),
                bool(value == best and np.isfinite(best)),
                marks.get(algorithm, ""),
            )
    has_ranks = len(of.algorithms) > 1 and len(of.complete()) > 0
    mean = None
    if has_ranks:
        mean = dict(zip(of.algorithms, rank_frame(of).to_numpy()[-1].tolist(), strict=True))
    return Summary(cells, mean, of, control, alpha)


def _marks(of: Samples, problem: str, other: str, alpha: float) -> dict[str, str]:
    """Marks of those that have runs, against one of them."""
    pairs = {
        algorithm: found
        for algorithm in of.algorithms
        if algorithm != other and (found := compared(of, problem, algorithm, other)) is not None
    }
    marks = {}
    p_values = holm_of_tests([found.p for found in pairs.values()])
    for (algorithm, found), p in zip(pairs.items(), p_values, strict=True):
        # Two values that are certain differ wherever they are not equal.
        differs = p <= alpha if found.test != VALUES else found.a12 != 0.5
        marks[algorithm] = (BETTER if found.a12 > 0.5 else WORSE) if differs else ALIKE
    return marks


def _picked(row: list[str], part: range) -> list[str]:
    """First cell of a row, and those of some algorithms."""
    return [row[0], *(row[i + 1] for i in part)]


def _number(value: float, digits: int) -> str:
    """Number as text; what is infinite, and what is missing, by the words of Python."""
    return f"{value:.{digits}f}"


def _latex_cell(median: str, spread: str, is_best: bool, mark: str) -> str:
    if median == "nan":
        return "--"
    shown = _latex_number(median)
    if is_best:
        shown = rf"\textbf{{{shown}}}"
    if spread:
        shown += f" ({_latex_number(spread)})"
    return shown + (f"$^{{{mark}}}$" if mark else "")


def _latex_number(text: str) -> str:
    return {"nan": "--", "inf": r"$\infty$", "-inf": r"$-\infty$"}.get(text, text)


def _markdown_cell(median: str, spread: str, is_best: bool, mark: str) -> str:
    if median == "nan":
        return "-"
    shown = f"**{median}**" if is_best else median
    if spread:
        shown += f" ({spread})"
    return f"{shown} {mark}" if mark else shown
