"""Items of a paper, its tables, figures and worked examples, and the numbers printed in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pandas as pd


@dataclass(frozen=True, kw_only=True)
class Printed:
    """One number of a paper.

    Attributes
    ----------
    label : str
        What it is; the key under which an item measures ours.
    value : str or None
        As it is printed, with all of its digits, such as ``"0.94"`` or ``"3.7e-4"``; None where
        the paper shows a picture or a trend without a number.
    tolerance : float
        Ours agrees if it is that near, in the printed unit, whatever the spread over seeds.
    why : str
        Why ours may stand apart, or cannot be compared, with the place in the paper that this
        rests on. Shown where the verdict needs a reason.
    comparable : bool
        Whether a comparison means anything: not for times of other machines, for data that are
        not public, and for what no number is printed of.
    variance_of : str or None
        Label whose variance over the runs this is; None where it is a mean.
    needs_seeds : bool
        Whether a quick look may come to another verdict.
    """

    label: str
    value: str | None
    tolerance: float = 0.0
    why: str = ""
    comparable: bool = True
    variance_of: str | None = None
    needs_seeds: bool = False

    @property
    def measured(self) -> str:
        """Label of what is measured in a run for this number."""
        return self.label if self.variance_of is None else self.variance_of


Measure: TypeAlias = Callable[[int, bool], Mapping[str, float]]
"""Of a seed, and whether a quick look is enough: our numbers by their labels."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What a figure of the paper shows, of ours.

    Attributes
    ----------
    points : callable
        Function of whether a quick look is enough, that returns a frame with the columns
        ``panel``, ``series``, ``x``, ``y``, in the order in which they are drawn; with ``z`` the
        picture is a surface of coloured cells. Printed points are series of their own, whose names
        begin with ``printed``.
    x, y, z : str
        What the axes show, with the unit.
    lines : bool
        Whether the points of a series are joined.
    log_x, log_y : bool
        Logarithmic axes.
    """

    points: Callable[[bool], pd.DataFrame]
    x: str
    y: str
    z: str | None = None
    lines: bool = True
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True, kw_only=True)
class Item:
    """One table, figure or example of a paper.

    Attributes
    ----------
    name : str
        Such as ``table-1b``.
    title : str
        What it shows, in a few words.
    printed : sequence of Printed
    measure : callable
        Function of the seed, and of whether fewer generations are enough, that returns ours by
        label. A function of a module, so that other processes can call it. Where files that it
        needs are not at hand it raises FileNotFoundError, which becomes the reason.
    n_seeds : int
        Runs of the paper, or those that its spread asks for; 1 where nothing is random.
    n_quick : int
        Runs of a quick look.
    picture : Picture or None
        Counterpart of the figure, where the item is one.
    also : sequence of str
        Other names under which it is found: of the further tables and figures it covers.
    """

    name: str
    title: str
    printed: Sequence[Printed]
    measure: Measure
    n_seeds: int = 1
    n_quick: int = 1
    picture: Picture | None = None
    also: Sequence[str] = ()

    @property
    def names(self) -> list[str]:
        """Names under which it is found: its own, those of a range of figures, and others.

        Examples
        --------
        >>> Item(name="figures-3-6-3-8", title="", printed=[], measure=print).names
        ['figures-3-6-3-8', 'figure-3-6', 'figure-3-7', 'figure-3-8']
        """
        return [self.name, *_singles(self.name), *self.also]

    def seeds(self, *, quick: bool, n_seeds: int | None = None) -> range:
        """Seeds of the runs, from 1; one where nothing is random, however many are asked for."""
        if self.n_seeds == 1:
            return range(1, 2)
        wanted = (self.n_quick if quick else self.n_seeds) if n_seeds is None else n_seeds
        return range(1, wanted + 1)


_RANGE = re.compile(r"(table|figure)s-((?:\d+-)?)(\d+)-(?:to-)?((?:\d+-)?)(\d+)")


def _singles(name: str) -> list[str]:
    """Names of the tables or figures of a range within a chapter; none of another name."""
    match = _RANGE.fullmatch(name)
    if match is None or match[2] != match[4]:
        return []
    return [f"{match[1]}-{match[2]}{i}" for i in range(int(match[3]), int(match[5]) + 1)]


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper and its items.

    Attributes
    ----------
    name : str
        Such as ``dewri2010``.
    citation : str
    summary : str
        How much of it comes back, in one paragraph; the counts of verdicts are computed.
    items : sequence of Item
        In the order of the paper.
    """

    name: str
    citation: str
    summary: str
    items: Sequence[Item] = field(repr=False)

    def frame(self) -> pd.DataFrame:
        """The items, one row each: name, title, number of printed numbers, of seeds, picture."""
        rows = [
            (item.name, item.title, len(item.printed), item.n_seeds, item.picture is not None)
            for item in self.items
        ]
        return pd.DataFrame(rows, columns=["item", "title", "numbers", "seeds", "picture"])
