"""Tables for LaTeX with the package booktabs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

PAGE = 74
"""Characters that fit beside each other on a page of LaTeX's class article at 10 points."""

BETWEEN = 2.5
"""Characters of the room between two columns."""

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # After the end of a row these are its options.
    "[": "{[}",
    "*": "{*}",
    "\n": " ",
}
"""What LaTeX would read as something else."""

HEAD_ENDS = {"tabular": r"\midrule", "longtable": r"\midrule \endhead"}
"""What stands below the header, which a longtable repeats on each page, by environment."""


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it stands.

    Examples
    --------
    >>> escaped("k_glm: 5% & more")
    'k\\_glm: 5\\% \\& more'
    """
    return "".join(SPECIAL.get(character, character) for character in text)


def parts_that_fit(widths: Sequence[int], *, first: int) -> list[range]:
    """Split columns into parts of about equal number, each of which fits a page with the first.

    Parameters
    ----------
    widths : sequence of int (n_columns,)
        Characters of each column.
    first : int
        Characters of the column that stands before each part.

    Returns
    -------
    list of range
        Columns of each part; a column that is too wide stands alone.

    Examples
    --------
    >>> parts_that_fit([15] * 8, first=12)
    [range(0, 3), range(3, 6), range(6, 8)]
    """
    parts: list[range] = []
    for size in range(len(widths), 0, -1):
        n_parts = math.ceil(len(widths) / size)
        parts = parts_of(len(widths), math.ceil(len(widths) / n_parts))
        needed = [first + sum(widths[i] + BETWEEN for i in part) for part in parts]
        if max(needed) <= PAGE:
            break
    return parts


def parts_of(n_columns: int, most: int) -> list[range]:
    """Split columns into parts of at most so many."""
    starts = range(0, n_columns, most)
    return [range(start, min(start + most, n_columns)) for start in starts]


def booktabs_lines(
    header: Sequence[str],
    blocks: Iterable[Iterable[Sequence[str]]],
    *,
    alignment: str,
    environment: str = "tabular",
) -> list[str]:
    r"""Lines of a table with the rules of booktabs.

    Parameters
    ----------
    header : sequence of str (n_columns,)
        As LaTeX reads it, such as by :func:`escaped`.
    blocks : iterable of blocks, each an iterable of rows (n_columns,)
        As LaTeX reads them; a rule stands between two blocks.
    alignment : str
        Of the columns, such as ``"lrr"``.
    environment : str
        A key of `HEAD_ENDS`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> print("\n".join(booktabs_lines(["", "k"], [[["a", "5"]], [["mean", "5"]]], alignment="lr")))
    \begin{tabular}{lr}
    \toprule
     & k \\
    \midrule
    a & 5 \\
    \midrule
    mean & 5 \\
    \bottomrule
    \end{tabular}
    """
    lines = [rf"\begin{{{environment}}}{{{alignment}}}", r"\toprule", _line(header)]
    lines.append(HEAD_ENDS[environment])
    for number, rows in enumerate(blocks):
        lines += [r"\midrule"] * (number > 0)
        lines += [_line(row) for row in rows]
    return [*lines, r"\bottomrule", rf"\end{{{environment}}}"]


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
