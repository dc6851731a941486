"""The masking methods by name."""

from __future__ import annotations

from typing import Any

import pandas as pd

from anonopt._registry import Registry
from anonopt.masking.base import MaskingMethod
from anonopt.masking.cell_suppression import CellSuppression
from anonopt.masking.global_median import GlobalMedian
from anonopt.masking.microaggregation import MDAV
from anonopt.masking.mondrian import Mondrian
from anonopt.masking.noise import AdditiveNoise, CorrelatedNoise
from anonopt.masking.optimal_microaggregation import OptimalMicroaggregation
from anonopt.masking.pram.pram_method import PRAM
from anonopt.masking.pre_clustering import PreClustered
from anonopt.masking.rank_swapping import RankSwapping
from anonopt.masking.recoding import BottomCoding, GlobalRecoding, TopCoding


def _entry(name: str, method: type[MaskingMethod]) -> type[MaskingMethod]:
    """Entry of a method that is registered."""
    if not isinstance(method, type) or not issubclass(method, MaskingMethod):
        raise TypeError(
            f"masking method {name!r}: expected a MaskingMethod class, found {method!r}"
        )
    return method


METHODS: Registry[type[MaskingMethod]] = Registry(
    "masking",
    "masking method",
    {
        "mdav": MDAV,
        "optimal-microaggregation": OptimalMicroaggregation,
        "mondrian": Mondrian,
        "global-median": GlobalMedian,
        "rank-swapping": RankSwapping,
        "additive-noise": AdditiveNoise,
        "correlated-noise": CorrelatedNoise,
        "global-recoding": GlobalRecoding,
        "top-coding": TopCoding,
        "bottom-coding": BottomCoding,
        "pram": PRAM,
        "pre-clustered": PreClustered,
        "cell-suppression": CellSuppression,
    },
    make=_entry,
)
"""Every masking method by name: what the contract tests and the command line list."""


def get_method(name: str, **parameters: Any) -> MaskingMethod:
    """Make a masking method.

    Parameters
    ----------
    name : str
        See :func:`list_methods`.
    **parameters
        Of the class; they are checked when a table is masked.

    Raises
    ------
    ValueError
        If no method has that name (lists the nearest names).
    TypeError
        If a parameter is missing or is none of the class.

    Examples
    --------
    >>> get_method("mdav", k=3)
    MDAV(k=3)
    """
    return METHODS.find(name)(**parameters)


def list_methods() -> pd.DataFrame:
    """Tabulate the masking methods.

    Returns
    -------
    DataFrame
        Index: name. Columns: summary, paper, and parameters, those that every method has left
        out.

    Examples
    --------
    >>> list_methods().loc["mdav", "parameters"]
    'k, allow_rare_missing, n_variables'
    """
    rows = {
        name: {
            "summary": method.summary,
            "paper": method.paper,
            "parameters": ", ".join(
                parameter
                for parameter in method.parameter_names()
                if parameter not in ("columns", "ordinal")
            ),
        }
        for name, method in METHODS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("name")
