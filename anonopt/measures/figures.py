"""The built-in measures of masked files, PRAM matrices, equations and graphs.

Those without a function are computed together by the evaluator of what they are of; this table
is the only place where they are named and described. All of them are minimized.

References
----------
Mares 2013, Sections 2.4 (files), 4.1 (matrices), 4.2 (equations), 6.3 and 6.4 (graphs).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from anonopt.measures.categorical.expectation_ratios import expectation_share
from anonopt.measures.measure import LESS, Kind, Measure

CATEGORIES: tuple[Kind, ...] = ("file", "matrix", "equation")
MASKED: tuple[Kind, ...] = ("file", "numeric file", "matrix", "equation")
ANYTHING: tuple[Kind, ...] = (*MASKED, "graph")

RISK = "DR_"
"""Before the name of the attribute that is all an attacker of a graph knows."""


def _percent(name: str, of: tuple[Kind, ...], paper: str, summary: str, **more: Any) -> Measure:
    """Percentage that the evaluators compute, unless a function is given."""
    paper = f"Mares 2013, {paper}"
    return Measure(name, LESS, "percent", "0..100", of, paper=paper, summary=summary, **more)


FIGURES = (
    _percent("DBIL", (*CATEGORIES, "graph"), "Eqs. 2.8, 6.7", "mean distance that values moved"),
    _percent("CTBIL", CATEGORIES, "Eq. 2.10", "counts of tables of one and two columns that moved"),
    _percent("EBIL", CATEGORIES, "Eq. 2.13", "what masked values leave unknown of the original"),
    _percent(
        "PIL", ("numeric file",), "Section 3.4", "probability that statistics move less by chance"
    ),
    _percent("AAMIL", ("graph",), "Eq. 6.3", "counts of neighbouring values that moved"),
    _percent("CDIL", ("graph",), "Eq. 6.5", "counts of values that moved"),
    _percent("IL", ANYTHING, "Eqs. 4.9, 6.8", "information loss, the mean of its parts"),
    _percent("ID", MASKED, "Section 2.4.2", "cells whose original value lies near the masked one"),
    _percent("DBRL", MASKED, "Section 2.4.2", "records linked to their original by distance"),
    _percent("PRL", MASKED, "Section 2.4.2", "records linked to their original by agreement"),
    _percent("DR", ANYTHING, "Eqs. 4.10, 6.9", "disclosure risk"),
    _percent("score_max", MASKED, "Eq. 4.11", "the larger of IL and DR"),
    _percent("score_mean", MASKED, "Eq. 4.12", "mean of IL and DR"),
    _percent("bivariate_difference", ("matrix",), "Eq. 4.5", "counts by another column that moved"),
    _percent(
        "expectation_share",
        ("matrix",),
        "Section 4.1.4",
        "expected records that have their masked category originally",
        from_matrices=expectation_share,
    ),
    Measure(
        "size",
        LESS,
        "nodes",
        "1..inf",
        of="equation",
        paper="Mares 2013, Section 4.2",
        summary="functions and terminals of the equation",
    ),
)


@cache
def attribute_risk(attribute: str) -> Measure:
    """DR of a graph whose attacker knows one attribute only, or all topics: ``DR_topics``."""
    summary = f"nodes found by their star, of which {attribute} is known"
    return _percent(f"{RISK}{attribute}", ("graph",), "Section 6.4", summary)


def is_figure(measure: Measure) -> bool:
    """Whether it is one of those that the evaluators compute, which need no function.

    Examples
    --------
    >>> is_figure(attribute_risk("location")), is_figure(FIGURES[0])
    (True, True)
    """
    attribute = measure.name.removeprefix(RISK)
    return measure in FIGURES or measure == attribute_risk(attribute)
