"""Archives: the best individuals seen so far, kept apart from any population.

Archives are plain objects that pickle and hold no randomness. They fit pymoo's
``algorithm.archive``, of which only ``add`` is used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import moocore
import numpy as np
import numpy.typing as npt
from pymoo.core.population import Population

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.measures.fronts.boxes import box_bound, box_sides, boxes, directions, dominates
from anonopt.operators.duplicates import genome_key

ArchiveT = TypeVar("ArchiveT", bound="Archive")


class Archive(ABC):
    """Individuals that are kept; a subclass has `_kept`, which of members and candidates stay.

    Individuals are copied on the way in and on the way out, so nothing done to a population
    changes the archive.

    Parameters
    ----------
    key : function of a genome, returns bytes
        Tells genomes apart; the `key` of a problem's space for genomes that are no numbers.
    """

    def __init__(self, *, key: Callable[[AnyArray], bytes] = genome_key) -> None:
        self.key = key
        self._members: dict[bytes, Any] = {}
        self._F: FloatArray | None = None

    def add(self: ArchiveT, population: Any) -> ArchiveT:
        """Insert the individuals of a population one at a time, in their order.

        Only feasible individuals (CV <= 0) enter. An individual whose genome is a member already
        is passed over, whatever its objectives.

        Parameters
        ----------
        population : pymoo Population, or sequence of Individuals
            Evaluated, with one minimized F of the same length each; may be empty.

        Returns
        -------
        the archive itself

        Raises
        ------
        ValueError
            If an individual is not evaluated, its F is NaN, or the number of objectives is not
            that of the archive.
        """
        F = self._checked_objectives(population)
        candidates: dict[bytes, Any] = {}
        rows = []
        for row, individual in enumerate(population):
            if not np.all(individual.CV <= 0):
                continue
            key = self.key(individual.X)
            if key not in self._members and key not in candidates:
                candidates[key] = individual
                rows.append(row)
        if candidates:
            self._insert(candidates, F[rows])
        return self

    def population(self) -> Any:
        """Members in order of insertion, as a new pymoo Population of copies."""
        return Population([_copied(member) for member in self._members.values()])

    @property
    def keys(self) -> tuple[bytes, ...]:
        """Genome key of each member, in order of insertion."""
        return tuple(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def _checked_objectives(self, population: Any) -> FloatArray:
        lengths = {np.size(individual.F) for individual in population}
        if self._F is not None:
            lengths.add(self._F.shape[1])
        if len(lengths) > 1 or 0 in lengths:
            raise ValueError(
                "population: expected evaluated individuals with equal numbers of objectives"
                f"{'' if self._F is None else f' ({self._F.shape[1]})'}, "
                f"found numbers {sorted(lengths)}"
            )
        F = np.array([individual.F for individual in population], dtype=np.float64)
        if np.any(np.isnan(F)):
            row, objective = np.argwhere(np.isnan(F))[0]
            raise ValueError(
                "population: expected objectives without NaN, "
                f"found one in objective {objective} of individual {row}"
            )
        return F

    def _insert(self, candidates: dict[bytes, Any], F: FloatArray) -> None:
        n_members = len(self)
        together = F if self._F is None else np.concatenate([self._F, F])
        kept = self._kept(together)
        if np.array_equal(kept, np.arange(n_members)):
            return
        keys = [*self._members, *candidates]
        self._F = together[kept]
        self._members = {
            keys[row]: (
                self._members[keys[row]] if row < n_members else _copied(candidates[keys[row]])
            )
            for row in kept.tolist()
        }

    @abstractmethod
    def _kept(self, F: FloatArray) -> IntArray:
        """Rows that stay, increasing, of the members' F followed by the candidates' F.

        Parameters
        ----------
        F : float array (n_members + n_candidates, n_objectives)
            Minimized objectives; at least one row is a candidate's.

        Returns
        -------
        int64 array
        """


class ParetoArchive(Archive):
    """All non-dominated feasible individuals seen, however many.

    Different genomes with equal objective values are all kept; the same genome is kept once.
    Which genomes are kept does not depend on the order of insertion.

    Parameters
    ----------
    key : function of a genome, returns bytes
        As in :class:`Archive`.

    Examples
    --------
    >>> pop = Population.new(
    ...     "X", np.array([[0], [1], [2], [0]]),
    ...     "F", np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 2.0], [1.0, 2.0]]),
    ... )
    >>> archive = ParetoArchive().add(pop)
    >>> archive.population().get("X").tolist()
    [[0], [1]]
    """

    def _kept(self, F: FloatArray) -> IntArray:
        return np.flatnonzero(moocore.is_nondominated(F, keep_weakly=True))


class BoxArchive(Archive):
    """One feasible individual for each non-dominated box of objective space.

    Dewri 2010, Algorithm 1: a candidate removes the members it box-dominates, and enters if no
    member box-dominates it and none has its box. Of two incomparable individuals of one box the
    first stays, so the order of insertion may decide which individual stands for a box, but
    never which boxes are held. A whole population is inserted at once, with the result of
    inserting its individuals one at a time.

    Parameters
    ----------
    eps : float or array_like (n_objectives,)
        Side lengths of the boxes, in the natural unit of each objective. All ones is plain
        dominance for objectives that are whole numbers.
    maximize : sequence of bool (n_objectives,)
        True where larger is better. The individuals' F is minimized, so these objectives are
        negated there; boxes are those of the natural values.
    key : function of a genome, returns bytes
        As in :class:`Archive`.

    Raises
    ------
    ValueError
        If a side is not positive, or their number is not that of the objectives.
    TypeError
        If maximize is not a sequence of booleans.

    Examples
    --------
    Class size (larger is better) in boxes of 5, loss (smaller is better) in boxes of 100:

    >>> pop = Population.new(
    ...     "X", np.array([[0], [1], [2]]),
    ...     "F", np.array([[-7.0, 250.0], [-5.0, 240.0], [-3.0, 20.0]]),
    ... )
    >>> archive = BoxArchive([5, 100], [True, False]).add(pop)
    >>> archive.population().get("X").tolist()
    [[0], [2]]
    """

    def __init__(
        self,
        eps: npt.ArrayLike,
        maximize: Sequence[bool] | BoolArray,
        *,
        key: Callable[[AnyArray], bytes] = genome_key,
    ) -> None:
        super().__init__(key=key)
        self.maximize = directions(maximize)
        self.eps = box_sides(eps, len(self.maximize))
        self._F = np.empty((0, len(self.maximize)))

    def size_bound(self, upper_bounds: npt.ArrayLike) -> int:
        """Largest possible number of members (Dewri 2010, Theorem 2).

        Parameters
        ----------
        upper_bounds : array_like (n_objectives,)
            Largest natural value of each objective; the smallest is taken to be 0.

        Returns
        -------
        int
            See :func:`anonopt.measures.fronts.boxes.box_bound` for how boxes are counted.

        Raises
        ------
        ValueError
            If a bound is negative, or their number is not that of the objectives.
        """
        return box_bound(upper_bounds, self.eps)

    def _kept(self, F: FloatArray) -> IntArray:
        coordinates = boxes(np.where(self.maximize, -F, F), self.eps, self.maximize)
        # A box that ends up dominated leaves no trace whenever it was entered: what its holder
        # removed, the holder of the dominating box removes as well.
        holders: dict[bytes, int] = {}
        rows = np.flatnonzero(moocore.is_nondominated(coordinates, keep_weakly=True))
        for row in rows.tolist():
            box = coordinates[row].tobytes()
            holder = holders.get(box)
            if holder is None or dominates(F[row], F[holder]):
                holders[box] = row
        return np.sort(np.fromiter(holders.values(), dtype=np.int64))


def _copied(individual: Any) -> Any:
    """Copy of an individual with mutable parts of its own; arrays are shared.

    pymoo replaces the arrays of an individual and never writes into them.
    """
    copy = individual.copy(deep=False)
    copy.data = dict(individual.data)
    copy.evaluated = set(individual.evaluated)
    return copy
