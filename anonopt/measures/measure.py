"""What a measure is: a named number, what it is of, its direction, range, unit, monotonicity."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from anonopt._checks import check_choice
from anonopt._typing import AnyArray, FloatArray

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.measures.lattice.class_table import Classes, ClassTable, RowClasses
    from anonopt.measures.lattice.statistics import NodeStatistics
    from anonopt.measures.lattice.suppression_rule import SuppressionRule

REVERSE = "reverse"
FIXED = "fixed"
UNSUPPRESSED = "unsuppressed"
LASTING = "lasting class bounds"
BOUNDED = "class bounds"
"""Suppression rules under which a measure can be monotone: the reverse rule with a budget, the
fixed-k rule, the reverse rule with budget 0 (nothing is suppressed), a fixed k with bounds of
classes that no merging breaks, such as ``l``, and with other bounds, such as ``t``."""

ALL_RULES = frozenset({REVERSE, FIXED, UNSUPPRESSED, LASTING, BOUNDED})
BY_BUDGET = frozenset({REVERSE, UNSUPPRESSED})
BY_K = frozenset({FIXED, UNSUPPRESSED, LASTING})
"""Rules under which a row that is kept at a node is kept at every node above it."""
ALL_KEPT = frozenset({UNSUPPRESSED})

MORE, LESS = True, False
"""What is better, in tables of measures: whether they are maximized."""

OfStatistics: TypeAlias = "Callable[[NodeStatistics], AnyArray]"
OfClasses: TypeAlias = "Callable[[Classes], float]"

Kind: TypeAlias = Literal["node", "file", "numeric file", "matrix", "equation", "graph"]
"""What is measured: a node of a lattice, a masked file of categories or of numbers, PRAM
matrices, an equation that builds them, a protected graph."""

KINDS: tuple[Kind, ...] = get_args(Kind)

FUNCTIONS: dict[str, tuple[Kind, ...]] = {
    "from_statistics": ("node",),
    "from_classes": ("node",),
    "from_rows": ("node",),
    "per_class": ("node",),
    "from_files": ("file", "numeric file"),
    "from_matrices": ("matrix", "equation"),
    "from_graphs": ("graph",),
    "from_protected": (),
}
"""The functions of a measure, and what each of them measures; the last one, any other kind."""


@dataclass(frozen=True)
class Measure:
    """One number of a lattice node, a masked file, PRAM matrices, an equation or a graph.

    A user's own measure is a name, a direction and a function of what it measures::

        largest = Measure("largest_class", maximize=True, unit="rows", range="1..N",
                          from_classes=lambda classes: classes.sizes.max())
        changed = Measure("changed_cells", maximize=False, unit="cells", range="0..N*s",
                          from_files=lambda original, masked: (original != masked).sum().sum())

    Attributes
    ----------
    name : str
        Name in frames, objectives and constraints.
    maximize : bool
        Whether more is better.
    unit : str
        Unit of the value, e.g. ``"rows"``.
    range : str
        Range of the value, e.g. ``"1..N"``. An infinite value is allowed where it is the worst
        one; it ranks last.
    of : tuple of str
        What it is a measure of, among ``"node"``, ``"file"``, ``"numeric file"``, ``"matrix"``,
        ``"equation"`` and ``"graph"``; given as one of them or several. What its functions
        measure need not be said. A measure with `from_protected` names a kind of its own.
    from_statistics : callable, optional
        Takes `NodeStatistics` of n nodes and returns an array (n,). Of the three functions of
        nodes one can be given.
    from_classes : callable, optional
        Takes the kept `Classes` of one node and returns a number. All classes of the node are
        ``classes.all``, those left out ``classes.suppressed``.
    from_rows : callable, optional
        Takes the `RowClasses` of one node (from which property vectors follow) and returns a
        number. Slower than the others, as every row is touched.
    per_class : callable, optional
        Takes `Classes` of one node and returns the value of each, an array (n_classes,). Bounds
        of single classes (``class_bounds=``) are put on it. It may stand beside one of the three
        functions above; without them the value of a node is that of its worst kept class.
    merged : ``"best"`` or ``"worst"``, optional
        What is known of `per_class` for a class that others are merged into: that it is never
        worse than the best of them, or than the worst of them. By default nothing, and then no
        exact search prunes by a bound on it.
    of_parts : ``"worst"`` or ``"sum"``, optional
        How the value of a node follows from those of parts of its classes: it is the worst of
        them, or their sum. Classes that are too many for memory are measured part by part, and
        other measures of classes are refused there; `per_class` alone means the worst.
    from_files : callable, optional
        Takes the original and the masked DataFrame (n_rows, ...) and returns a number.
    from_matrices : callable, optional
        Takes the PRAM matrices, float arrays (L, L), and the frequencies (L,) of the categories
        they are over, one of each a masked column, and returns a number.
    from_graphs : callable, optional
        Takes the original and the protected `SocialGraph` and returns a number.
    from_protected : callable, optional
        Takes the original and the protected data of any other kind of problem, as that has them,
        and returns a number.
    needs : frozenset of str
        What a measure of nodes reads besides class sizes; see
        `anonopt.measures.lattice.statistics`.
    rising : frozenset of str
        Rules under which the value of a node never falls when a level is raised.
    falling : frozenset of str
        Rules under which the value of a node never rises when a level is raised.
    needs_k : bool
        Whether a measure of nodes is defined under the fixed-k rule only.
    needs_kept : bool
        Whether `from_classes` needs a kept class. It is then not asked about a node that keeps
        none: that has the worst value, which is infinite.
    paper : str
        Where it is from.
    summary : str
        One line for tables and ``--help``.

    Raises
    ------
    ValueError
        If it is of nothing, of something unknown, or of nodes without exactly one function of
        nodes.
    TypeError
        If a function is none, or `maximize` neither True nor False.

    Notes
    -----
    The built-in figures of files, matrices and graphs, such as IL, come without a function: the
    evaluator of what they are of computes them together.
    """

    name: str
    maximize: bool
    unit: str
    range: str
    of: Collection[str] = ()
    from_statistics: OfStatistics | None = None
    from_classes: OfClasses | None = None
    from_rows: Callable[[RowClasses], float] | None = None
    per_class: Callable[[Classes], AnyArray] | None = None
    merged: Literal["best", "worst"] | None = None
    # Not in the text of a measure, by which saved runs know it: it decides no value.
    of_parts: Literal["worst", "sum"] | None = field(default=None, repr=False)
    from_files: Callable[[pd.DataFrame, pd.DataFrame], float] | None = None
    from_matrices: Callable[[Sequence[FloatArray], Sequence[FloatArray]], float] | None = None
    from_graphs: Callable[[Any, Any], float] | None = None
    from_protected: Callable[[Any, Any], float] | None = None
    needs: frozenset[str] = frozenset()
    rising: frozenset[str] = frozenset()
    falling: frozenset[str] = frozenset()
    needs_k: bool = False
    needs_kept: bool = True
    paper: str = ""
    summary: str = ""

    def __post_init__(self) -> None:
        given = {self.of} if isinstance(self.of, str) else set(self.of)
        for kind in given if self.from_protected is None else ():
            check_choice(f"measure {self.name!r}: of", kind, KINDS)
        functions = [name for name in FUNCTIONS if getattr(self, name) is not None]
        for name in functions:
            if not callable(getattr(self, name)):
                raise TypeError(
                    f"measure {self.name!r}: {name}: expected a function, "
                    f"found {getattr(self, name)!r}"
                )
        if not isinstance(self.maximize, bool):
            raise TypeError(
                f"measure {self.name!r}: maximize: expected True or False, found {self.maximize!r}"
            )
        if self.merged is not None:
            check_choice(f"measure {self.name!r}: merged", self.merged, ("best", "worst"))
        if self.of_parts is not None:
            check_choice(f"measure {self.name!r}: of_parts", self.of_parts, ("worst", "sum"))
        of = given.union(*(FUNCTIONS[name] for name in functions))
        n_node_functions = sum("node" in FUNCTIONS[name] for name in functions)
        # The values of single classes can stand beside another function of nodes.
        n_node_functions -= n_node_functions > 1 and self.per_class is not None
        if not of or n_node_functions != ("node" in of):
            raise ValueError(
                f"measure {self.name!r}: expected exactly one of from_statistics, from_classes "
                f"and from_rows for nodes (or per_class), or a function of files, matrices or "
                f"graphs, found {n_node_functions} of them"
            )
        # A tuple, as the order of a set differs from process to process, and fingerprints with it.
        own = sorted(of.difference(KINDS))
        object.__setattr__(self, "of", (*(kind for kind in KINDS if kind in of), *own))

    @property
    def direction(self) -> str:
        """``"max"`` or ``"min"``."""
        return "max" if self.maximize else "min"

    @property
    def worst(self) -> float:
        """The value that nothing is worse than: infinite."""
        return -math.inf if self.maximize else math.inf

    def function(self, kind: str) -> Callable[..., Any] | None:
        """The function that measures a kind of thing; None where its evaluator does."""
        if kind not in KINDS:
            return self.from_protected
        for name, kinds in FUNCTIONS.items():
            if kind in kinds and getattr(self, name) is not None:
                found: Callable[..., Any] = getattr(self, name)
                return found
        return None

    def of_classes(self, table: ClassTable) -> float:
        """Value of a node by `from_classes` or `per_class`, from all its classes."""
        if self.needs_kept and not table.kept.any():
            return self.worst
        if self.from_classes is not None:
            return self.one_number(self.from_classes(table.kept_classes))
        values = self.of_each(table.kept_classes)
        return float(values.min() if self.maximize else values.max())

    def of_each(self, classes: Classes) -> FloatArray:
        """Value of each class by `per_class`, (n_classes,).

        Raises
        ------
        TypeError
            If it has no such function, or that returns no numbers.
        ValueError
            If these are not one a class, or not all numbers.
        """
        if self.per_class is None:
            raise TypeError(f"measure {self.name!r}: expected per_class, found none")
        found = self.per_class(classes)
        try:
            values = np.asarray(found, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"measure {self.name!r}: expected an array of numbers from per_class, "
                f"found {found!r}"
            ) from error
        if values.shape != (len(classes),) or np.isnan(values).any():
            raise ValueError(
                f"measure {self.name!r}: expected one number for each of {len(classes)} classes "
                f"from per_class, found {found!r}"
            )
        return values

    def one_number(self, value: Any) -> float:
        """What one of its functions returned, as a number.

        Raises
        ------
        TypeError
            If it is none, such as an array of several.
        """
        try:
            return float(value)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"measure {self.name!r}: expected a number from its function, found {value!r}"
            ) from error

    def monotonicity(self, rule: SuppressionRule) -> int:
        """How the value moves when a level is raised, for sure, under a suppression rule.

        Returns
        -------
        int
            1: never falls; -1: never rises; 0: both can happen.
        """
        name = rule_name(rule)
        return int(name in self.rising) - int(name in self.falling)


def rule_name(rule: SuppressionRule) -> str:
    """One of `REVERSE`, `FIXED`, `UNSUPPRESSED`, `LASTING` and `BOUNDED`."""
    if rule.bounds:
        return LASTING if rule.keeps_what_is_kept else BOUNDED
    if rule.k is not None:
        return FIXED
    return UNSUPPRESSED if rule.budget == 0 else REVERSE


def by_statistics(
    name: str, maximize: bool, unit: str, range: str, function: OfStatistics, **others: Any
) -> Measure:
    """A line of a table of measures: one that is a formula of `NodeStatistics`."""
    return Measure(name, maximize, unit, range, from_statistics=function, **others)


def by_classes(
    name: str, maximize: bool, unit: str, range: str, function: OfClasses, **others: Any
) -> Measure:
    """A line of a table of measures: one of `Classes`, defined where none is kept as well."""
    return Measure(name, maximize, unit, range, from_classes=function, needs_kept=False, **others)


def described(texts: Mapping[str, Mapping[str, str]], *measures: Measure) -> tuple[Measure, ...]:
    """Measures with their papers and summaries.

    Parameters
    ----------
    texts : mapping of paper to mapping of name to summary
        Holds every measure once.
    *measures : Measure
    """
    known = {name: (paper, text) for paper, part in texts.items() for name, text in part.items()}
    found = [(measure, *known[measure.name]) for measure in measures]
    return tuple(replace(measure, paper=paper, summary=text) for measure, paper, text in found)
