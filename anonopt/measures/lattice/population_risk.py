"""Risks of reidentification by an attacker who looks people up in a population register.

The prosecutor knows that a person is in the table, so the classes of the table are all there is
(`highest_risk`, `average_risk`). The journalist does not know it and looks for one person, the
marketer for as many as possible: both meet everybody of the population who fits a class.

Decided: a table without a population is its own, so `marketer_risk` is then `average_risk`;
`journalist_risk` would be `highest_risk`, and is refused instead. Where no class is kept, both
have their worst value.

References
----------
El Emam and Dankar 2008 (journalist risk). Dankar and El Emam 2010 (marketer risk).
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.measures.lattice.class_table import Classes
from anonopt.measures.lattice.statistics import POPULATION
from anonopt.measures.measure import ALL_KEPT, BY_K, LESS, by_classes, described


def population_sizes(classes: Classes) -> IntArray:
    """Rows of the population in each class, int64 array (n_classes,).

    Those of the table itself where there is no population.
    """
    population = classes.facts.population
    if population is None:
        return classes.sizes
    return classes.all.labels.people(population, np.flatnonzero(classes.chosen))


def class_journalist_risk(classes: Classes) -> FloatArray:
    """Risk that a journalist finds somebody of each class, 1 over its people, (n_classes,)."""
    return np.asarray(1.0 / population_sizes(classes))


def journalist_risk(classes: Classes) -> float:
    """Highest risk that a journalist finds somebody: 1 over the fewest people in a class.

    Less is better, in 0..1.
    """
    return float(class_journalist_risk(classes).max()) if len(classes) else 1.0


def marketer_risk(classes: Classes) -> float:
    """Share of the kept rows that a marketer is expected to find: mean of 1 over their people.

    A class of f rows and F people adds f / F of its rows. Less is better, in 0..1.
    """
    if len(classes) == 0:
        return 1.0
    found = classes.sizes / population_sizes(classes)
    return float(found.sum() / classes.sizes.sum())


def _violating_classes(classes: Classes) -> int:
    return len(classes.suppressed)


def _violating_share(classes: Classes) -> float:
    return len(classes.suppressed) / len(classes.all.sizes)


TEXTS = {
    "El Emam 2008": {
        "journalist_risk": "highest risk of a kept row among the people of the population who "
        "share its class, 1 / people",
    },
    "Dankar 2010": {
        "marketer_risk": "share of the kept rows that are expected to be found in the "
        "population, or in the table without one",
    },
    "this library": {
        "violating_classes": "classes that miss the fixed k, or a bound of classes",
        "violating_share": "share of the classes that miss the fixed k, or a bound of classes",
    },
}

POPULATION_MEASURES = described(
    TEXTS,
    by_classes(
        "journalist_risk",
        LESS,
        "probability",
        "0..1",
        journalist_risk,
        needs=frozenset({POPULATION}),
        falling=ALL_KEPT,
        per_class=class_journalist_risk,
        merged="best",
        of_parts="worst",
    ),
    by_classes("marketer_risk", LESS, "probability", "0..1", marketer_risk, falling=ALL_KEPT),
    by_classes(
        "violating_classes",
        LESS,
        "classes",
        "0..N",
        _violating_classes,
        falling=BY_K - ALL_KEPT,
        needs_k=True,
    ),
    by_classes("violating_share", LESS, "share", "0..1", _violating_share, needs_k=True),
)
