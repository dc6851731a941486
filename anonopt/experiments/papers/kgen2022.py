"""De Pascale et al. 2022: KGEN, a genetic algorithm for k-anonymity over many quasi-identifiers."""

from __future__ import annotations

from anonopt.experiments.items.item import Paper

KGEN = Paper(
    name="kgen2022",
    citation=(
        "D. De Pascale, G. Cascavilla, D. A. Tamburri, W.-J. van den Heuvel, Real-world "
        "K-Anonymity Applications: the KGEN approach and its evaluation in Fraudulent Transactions"
    ),
    summary=(
        "Worked examples, bounds and strategies come back; so do what the text says of accuracy "
        "and of random search. The curves are pictures without numbers, the times are those of "
        "another machine, and the second data set is not public."
    ),
    items=(),
)
