"""What is read of the file of an experiment: facts of a problem, and what a run evaluated."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from anonopt._typing import BoolArray, FloatArray
from anonopt.experiments.store.packing import unpack_numbers
from anonopt.measures.fronts.boxes import is_infinite


@dataclass(frozen=True)
class ProblemFacts:
    """What the file says of a problem.

    Attributes
    ----------
    name : str
    objectives : tuple of str
    maximize : bool array (n_obj,)
    reference_front : float array (n, n_obj), or None
        Minimized, sorted; None if nothing feasible is known.
    reference_point : float array (n_obj,), or None
        Minimized; it bounds the hypervolume.
    reference_source : str or None
        Where the front is from.
    n_var : int
        Genes of a genome.
    """

    name: str
    objectives: tuple[str, ...]
    maximize: BoolArray
    reference_front: FloatArray | None
    reference_point: FloatArray | None
    reference_source: str | None
    n_var: int

    def natural(self, F: FloatArray) -> FloatArray:
        """Minimized objectives (..., n_obj) as people read them; NaN where there is no value.

        An objective that is infinitely bad has none: it is stored as 1e30.
        """
        numbers = np.where(is_infinite(F), np.nan, F)
        return np.asarray(np.where(self.maximize, -numbers, numbers) + 0.0)


@dataclass(frozen=True)
class Evaluations:
    """Distinct evaluations of a run, in their order.

    Attributes
    ----------
    F : float array (n, n_obj)
        Minimized objectives.
    feasible : bool array (n,)
    seconds : float array (n,)
        From the start of the run, to the microsecond.
    """

    F: FloatArray
    feasible: BoolArray
    seconds: FloatArray


def facts_from(
    name: str,
    objectives: str,
    maximize: str,
    n_reference: int | None,
    front: bytes | None,
    point: str | None,
    source: str | None,
    n_var: int,
) -> ProblemFacts:
    """Facts of a problem from the columns of its row.

    Raises
    ------
    ValueError, TypeError
        If a column is damaged.
    """
    names = tuple(json.loads(objectives))
    return ProblemFacts(
        name=name,
        objectives=names,
        maximize=np.array(json.loads(maximize), dtype=np.bool_),
        reference_front=None
        if front is None or n_reference is None
        else unpack_numbers(front, "float64", (n_reference, len(names))),
        reference_point=None if point is None else np.array(json.loads(point)),
        reference_source=source,
        n_var=n_var,
    )
