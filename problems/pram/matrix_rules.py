"""Invariance and diagonals of PRAM matrices that are searched: as repair or as constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonopt._checks import check_flag, check_share
from anonopt._typing import FloatArray
from anonopt.masking.pram.invariance import (
    MARGIN,
    check_diagonal_range,
    controlled_diagonal,
    controlled_invariant,
    invariant_matrix,
)

How = Literal["repair", "constraint"]
HOW = ("repair", "constraint")
WHICH = ("P", "R", "both")


@dataclass(frozen=True)
class MatrixRules:
    """What is done to a matrix P of a genome before it is used, and what is asked of it.

    Attributes
    ----------
    invariance : ``"repair"``, ``"constraint"`` or None
        ``"repair"``: the matrix used is R = PQ, the invariant matrix of P. ``"constraint"``:
        frequencies may move by at most `tolerance` in total variation, in expectation.
    tolerance : float
        In 0..1.
    diagonal : (lower, upper) or None
        Range of the diagonal.
    diagonal_by : ``"repair"`` or ``"constraint"``
        ``"repair"``: of P by Eqs. 4.6 and 4.7 corrected, of R by the nearest invariant matrix.
        ``"constraint"``: matrices out of range are infeasible.
    diagonal_of : ``"P"``, ``"R"`` or ``"both"``
        Which matrix the range is asked of; without the repair of invariance, R is P.
    as_printed : bool
        Repairs of the diagonal as the thesis prints them: of P by Eq. 4.7 to the letter, of R by
        Eq. 4.6 with one alpha; see :func:`~anonopt.masking.controlled_diagonal` and
        :func:`~anonopt.masking.controlled_invariant`. The range is then missed by some.

    Raises
    ------
    ValueError, TypeError
        If an attribute is none of the above.

    References
    ----------
    Mares 2013, Section 4.1.4.

    Examples
    --------
    >>> rules = MatrixRules(invariance="repair", diagonal=(0.55, 0.75), diagonal_of="P")
    >>> R = rules.applied(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 1.0]))
    >>> R.round(3)
    array([[0.625, 0.375],
           [0.375, 0.625]])
    """

    invariance: How | None = None
    tolerance: float = 0.01
    diagonal: tuple[float, float] | None = None
    diagonal_by: How = "repair"
    diagonal_of: Literal["P", "R", "both"] = "P"
    as_printed: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (
            ("invariance", self.invariance, (None, *HOW)),
            ("diagonal_by", self.diagonal_by, HOW),
            ("diagonal_of", self.diagonal_of, WHICH),
        ):
            if value not in known:
                raise ValueError(f"{name}: expected one of {list(known)}, found {value!r}")
        check_share("tolerance", self.tolerance)
        check_flag("as_printed", self.as_printed)
        if self.diagonal is not None:
            check_diagonal_range("diagonal", self.diagonal)

    def constraint_names(self, column: str) -> list[str]:
        """Names of the constraints of one column."""
        names = [f"invariance of {column}"] if self.invariance == "constraint" else []
        return names + [f"diagonal of {which} of {column}" for which in self._constrained()]

    def applied(self, P: FloatArray, frequencies: FloatArray) -> FloatArray:
        """The matrix that is used in place of P.

        Parameters
        ----------
        P : float array (L, L)
        frequencies : float array (L,)

        Raises
        ------
        ValueError
            If no invariant matrix has its diagonal in the range (not `as_printed`).
        """
        repaired = self._repaired()
        if "P" in repaired and self.diagonal is not None:
            P = controlled_diagonal(P, bounds=self.diagonal, as_printed=self.as_printed)
        R = invariant_matrix(P, frequencies) if self.invariance == "repair" else P
        if "R" in repaired and self.diagonal is not None:
            R = controlled_invariant(
                R, frequencies, bounds=self.diagonal, as_printed=self.as_printed
            )
        return R

    def violations(self, P: FloatArray, R: FloatArray, frequencies: FloatArray) -> list[float]:
        """Violation of each constraint, met at most 0.

        Parameters
        ----------
        P : float array (L, L)
            The matrix of the genome.
        R : float array (L, L)
            What :meth:`applied` makes of it.
        frequencies : float array (L,)
        """
        violations = []
        if self.invariance == "constraint":
            shares = frequencies / frequencies.sum()
            moved = float(np.abs(shares @ R - shares).sum() / 2)
            violations.append(moved - self.tolerance)
        for which in self._constrained():
            lower, upper = self.diagonal or (0.0, 1.0)
            # A single category keeps its value, whatever is asked.
            diagonal = (P if which == "P" else R).diagonal() if len(P) > 1 else np.array([lower])
            missed = max(lower - diagonal.min(), diagonal.max() - upper)
            violations.append(0.0 if abs(missed) <= MARGIN else float(missed))
        return violations

    def _matrices(self) -> tuple[str, ...]:
        if self.invariance != "repair":
            return ("P",)
        return ("P", "R") if self.diagonal_of == "both" else (self.diagonal_of,)

    def _repaired(self) -> tuple[str, ...]:
        return self._matrices() if self.diagonal and self.diagonal_by == "repair" else ()

    def _constrained(self) -> tuple[str, ...]:
        return self._matrices() if self.diagonal and self.diagonal_by == "constraint" else ()
