"""What ``anonopt anonymize`` applies to a table, and how it was come by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from anonopt._typing import BoolArray


@dataclass(frozen=True, kw_only=True)
class Choice(ABC):
    """A node or a local recoding: found, proven best or not, or none at all.

    Attributes
    ----------
    feasible : bool
        Whether it meets k within the budget, and all other bounds.
    figures : dict
        Objective, k, l and t (if there is a sensitive column) and suppressed rows.
    algorithm : str
    is_proven : bool
        Whether nothing is better.
    message : str
        What was searched and what came of it.
    """

    feasible: bool
    figures: dict[str, Any]
    algorithm: str
    is_proven: bool
    message: str

    @property
    @abstractmethod
    def searched(self) -> str:
        """Size of what was searched, in words."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What the JSON tells of it beside its figures."""

    @property
    @abstractmethod
    def recorded(self) -> dict[str, Any]:
        """What the record tells of it beside its figures."""

    @abstractmethod
    def applied(self) -> tuple[pd.DataFrame, BoolArray]:
        """The protected table and the mask of its suppressed rows, of a feasible one."""

    @abstractmethod
    def attribute_loss(self) -> pd.DataFrame:
        """What it does to each quasi-identifier, one row each; less loss is better."""

    @abstractmethod
    def print_loss(self) -> None:
        """Print what it does to each quasi-identifier."""
