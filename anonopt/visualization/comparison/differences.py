"""Critical differences: mean ranks, and which of them the test of Nemenyi does not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from anonopt.experiments.statistics.posthoc import critical_difference
from anonopt.experiments.tables.samples import rank_frame, samples
from anonopt.visualization import figures
from anonopt.visualization.comparison import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anonopt.experiments.runs import Runs


AXIS_INCHES = 4.2
FONT_SIZE = 9.5
LABEL_CHARACTERS = 44


def plot_critical_differences(
    runs: Runs,
    indicator: str = "hypervolume",
    *,
    alpha: float = 0.05,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
    **options: Any,
) -> Figure:
    """Draw the mean ranks of the algorithms; bars join those that are not told apart.

    J. Demsar, *Statistical comparisons of classifiers over multiple data sets*, JMLR 7 (2006),
    Section 3.2.4.

    Parameters
    ----------
    runs : Runs
        Of two problems or more.
    indicator : str
    alpha : float
        Level of the test of Nemenyi, above 0 and below 1.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.
    **options
        ``evaluations``, ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.tables.samples.samples`.

    Returns
    -------
    matplotlib Figure
        The best algorithm is on the left.

    Raises
    ------
    ValueError
        If there are fewer than two algorithms or problems, a name is unknown, or the ending of
        the file is.
    """
    figures.check_picture(path)
    table = rank_frame(samples(runs, indicator, **options))
    n_problems = len(table) - 1
    if n_problems < 2:
        raise ValueError(f"problems: expected at least 2 to rank on, found {n_problems}")
    means = table.iloc[-1].sort_values(kind="stable")
    names, ranks = [str(name) for name in means.index], means.tolist()
    apart = critical_difference(len(names), n_problems, alpha=alpha)
    groups = undecided(ranks, apart)
    labels = [
        f"{figures.short_text(name, LABEL_CHARACTERS)} ({rank:.2f})"
        for name, rank in zip(names, ranks, strict=True)
    ]
    n_left = (len(names) + 1) // 2
    unit = (len(names) - 1) / AXIS_INCHES
    left = _inches(labels[:n_left])
    right = max(_inches(labels[n_left:]), (1 + apart - len(names)) / unit)
    depth = 0.55 + 0.22 * len(groups) + 0.42 * n_left
    figure = figures.new_figure(left + AXIS_INCHES + right, 1.3 + 0.62 * depth)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_xlim(1 - left * unit, len(names) + right * unit)
    axes.set_ylim(-depth, 1.15)
    _scale(axes, len(names), apart, f"critical difference {apart:.2f} (level {alpha:g})")
    for row, (first, last) in enumerate(groups):
        height = -0.22 * (row + 1)
        ends = [ranks[first] - 0.04 * unit, ranks[last] + 0.04 * unit]
        axes.plot(ends, [height] * 2, color="black", lw=3.5)
    start = 0.55 + 0.22 * len(groups)
    for index, (label, rank) in enumerate(zip(labels, ranks, strict=True)):
        is_left = index < n_left
        height = -start - 0.42 * (index if is_left else len(names) - 1 - index)
        end = 1 - 0.2 * unit if is_left else len(names) + 0.2 * unit
        axes.plot([rank, rank, end], [0, height, height], color=figures.LINE_COLOR, lw=0.9)
        axes.plot([rank], [0], marker="o", color="black", markersize=4)
        axes.text(
            end,
            height,
            f"{label} " if is_left else f" {label}",
            ha="right" if is_left else "left",
            va="center",
            fontsize=FONT_SIZE,
            # A name is no formula, whatever signs it has.
            parse_math=False,
        )
    styles.title_above(figure, title)
    return figures.write_picture(figure, path)


def _inches(labels: Sequence[str]) -> float:
    """Room for the longest label, and for what joins it to the axis."""
    return 0.45 + FONT_SIZE / 110 * max((len(label) for label in labels), default=0)


def undecided(ranks: Sequence[float], apart: float) -> list[tuple[int, int]]:
    """Largest groups of ranks, in rising order, that are less than a difference apart.

    Examples
    --------
    >>> undecided([1.0, 1.5, 2.2, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    groups: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(i for i, other in enumerate(ranks) if other - rank < apart)
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def _scale(axes: Axes, n_algorithms: int, apart: float, label: str) -> None:
    """Axis of ranks, and the critical difference above it."""
    axes.plot([1, n_algorithms], [0, 0], color="black", lw=1)
    for rank in range(1, n_algorithms + 1):
        axes.plot([rank, rank], [0, 0.09], color="black", lw=1)
        axes.text(rank, 0.14, str(rank), ha="center", va="bottom", fontsize=9)
    axes.plot([1, 1 + apart], [0.68, 0.68], color="black", lw=1.4, marker="|", markersize=9)
    axes.text(1, 0.8, label, ha="left", va="bottom", fontsize=9)
