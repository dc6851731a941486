"""The page of the tables, made from the file of runs alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from recoding_tables.ways import BOUND, CASES, WAYS, Case

HEAD = """\
# What local recodings lose

<!-- Written by docs/build_recoding_tables.py: change that, not this page. -->

How much each way of protecting a table loses at the same k: nodes of the lattice, methods from the
literature, and searches of [local recodings](local_recoding.md). The loss is `glm`, the number of
cells that are lost: a cell that keeps its value costs 0, one that says nothing costs 1. Lower is
better. The best of each column is bold; ways whose labels are ranges of numbers that are no values
of the hierarchies (`ranges`) stand outside that comparison, as they may say more.
"""

NODE = "best node"
RANGES = "ranges"


def page(rows: pd.DataFrame) -> str:
    """Text of the page.

    Parameters
    ----------
    rows : DataFrame
        As :func:`recoding_tables.runs.read` returns it.
    """
    parts = [HEAD]
    for case in CASES.values():
        of_case = rows[rows["case"] == case.name]
        if len(of_case):
            parts += _case(case, of_case)
    return "\n".join([*parts, _notes(rows)])


def _case(case: Case, rows: pd.DataFrame) -> Iterator[str]:
    ks = [k for k in case.ks if k in set(rows["k"])]
    yield f"## {case.title}\n"
    yield f"{case.about}\n"
    yield from _in_short(rows)
    yield "Loss (`glm`): of several runs the median, and the least and the most.\n"
    yield _table(rows, ks, _loss(rows, ks))
    yield "Classes and evaluations of the median run, and seconds of processor time:\n"
    yield _table(rows, ks, _effort)


def _comparable(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of files whose labels are values of the hierarchies."""
    return rows[~rows["way"].str.contains(RANGES) & (rows["way"] != BOUND)]


def _in_short(rows: pd.DataFrame) -> Iterator[str]:
    """What the best node loses, in terms of the best way with values of the hierarchies."""
    losses = _comparable(rows).groupby(["k", "way"])["glm"].median()
    sentences = []
    for k, of_k in losses.groupby(level="k"):
        if NODE in of_k[k]:
            best = of_k[k].idxmin()
            sentences.append(f"{of_k[k][NODE] / of_k[k][best]:,.1f} at k = {k} ({best})")
    yield f"The best node loses more than the best way by a factor of {', '.join(sentences)}.\n"


def _table(rows: pd.DataFrame, ks: Sequence[int], cell: Callable[[pd.DataFrame], str]) -> str:
    lines = [
        "| way | " + " | ".join(f"k = {k}" for k in ks) + " |",
        "| --- |" + " ---: |" * len(ks),
    ]
    for way in (*(way.name for way in WAYS), BOUND):
        of_way = rows[rows["way"] == way]
        if len(of_way):
            cells = [cell(of_way[of_way["k"] == k]) for k in ks]
            lines.append(f"| {way} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _loss(rows: pd.DataFrame, ks: Sequence[int]) -> Callable[[pd.DataFrame], str]:
    ranked = _comparable(rows).groupby(["k", "way"])["glm"].median()
    best = {k: ranked[k].min() for k in ks}

    def cell(runs: pd.DataFrame) -> str:
        losses = runs["glm"].dropna()
        if losses.empty:
            return "none" if len(runs) else ""
        middle = f"{losses.median():,.0f}"
        if losses.median() == best[runs["k"].iloc[0]] and len(_comparable(runs)):
            middle = f"**{middle}**"
        return middle if len(runs) == 1 else f"{middle} ({losses.min():,.0f}..{losses.max():,.0f})"

    return cell


def _effort(runs: pd.DataFrame) -> str:
    runs = runs.dropna(subset=["glm"]).sort_values("glm")
    if runs.empty:
        return ""
    seconds = f"{runs['seconds'].median():.1f} s"
    middle = runs.iloc[(len(runs) - 1) // 2]
    if pd.isna(middle["classes"]):
        return seconds
    return f"{middle['classes']:,.0f} / {middle['decodings']:,.0f} / {seconds}"


def _notes(rows: pd.DataFrame) -> str:
    """How it was made, and what is not to be read from it."""
    done = rows.dropna(subset=["glm", "classes"])
    seeds = done.groupby(["case", "k", "way"]).size().max()
    return f"""\
## How it was made

```bash
ANONOPT_DATA_DIR=path/to/data python docs/build_recoding_tables.py
```

makes the runs that `docs/recoding_tables/runs.csv` does not hold, two at a time, and writes this
page from that file; it can be stopped and started again. `--repeat 20` runs 20 of the rows again
and compares: the same seed gives the same loss, to the last digit. The folder of data is needed for
the hierarchies of ARX only.

Every one of the {len(done):,} files was read again by pandas alone
(`docs/recoding_tables/plain_check.py`): rows of equal labels were counted by `groupby`, distinct
sensitive values as well, each label was seen to cover the value of its row, the other columns to be
unchanged, and the loss was computed anew from the texts of the labels and the rows of the
hierarchies. A file that breaks its promise, or has another loss than the search reported, is an
error, and no row.

- **best node** is proven by branch and bound; with 1 % suppressed each suppressed row costs 1 in
  every column.
- **bottom-up** and **top-down** recode a value in the same way in all rows, by subtrees
  (`gain="glm"`).
- **mondrian** and **k-member** stand with labels that are values of the hierarchies, as all others
  have them, and with **ranges** of numbers as in their papers. k-member weighs nominal columns by
  leaves, as `glm` does.
- **keys of 0.5** are decoded once: top-down cuts of three kinds, without a search.
- **keys by** a search: {seeds} seeds, the same number of decodings for each, all other options as
  they come. They cut as the default does (`balanced`) and begin at keys of 0.5.
- **recoding-search** groups regions of a recoding anew; one evaluation is a whole recoding, which
  takes far longer than a decoding. It has half of the seeds.
- **lower bound**: no recoding by values of the hierarchies without suppression loses less. The
  least loss lies between it and the best that was found.

What is not to be read from it: methods from the literature do not minimize `glm`, so they lose more
of it by design; a search that is run longer loses less; times are of one machine that did other
things as well, and contain what is compiled or loaded on first use.
"""
