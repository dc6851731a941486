"""Tables for LaTeX with the package booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
