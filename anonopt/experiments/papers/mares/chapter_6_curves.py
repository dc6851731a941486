"""Items of Section 6.5, what the text says of curves over the level of anonymity.

The two graphs of Section 6.5 were crawled from a network that is closed now. Ours are generated
with as many nodes and ties, so only the trends that the text states can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from anonopt.experiments.items.item import Item, Picture, Printed
from anonopt.experiments.papers.mares.protected_graphs import (
    GRAPHS,
    LOSSES,
    ORIGINS,
    graph_losses_and_risks,
    loss_points,
    microdata_losses_and_risks,
    microdata_points,
    risk_points,
)

N_SEEDS = 5
"""Pairs of generated graphs; each is protected five times at every K, as in the thesis."""

TOPIC_ORDER = (
    "by Eqs. 6.6 and 6.7 the CDIL of a topic is at most its DBIL, as a node that changes its topic "
    "moves one count: only the location, whose DBIL counts places of one branch less than 1, can "
    "make CDIL grow faster"
)
TIE_ORDER = (
    "by the triangle inequality AAMIL (Eq. 6.4) is at least the CDIL that counts each node by its "
    "ties, so it can be the lowest only if nodes of many ties change far less than others"
)
"""Why the order of losses that the text states hardly follows from the printed formulas."""

LOSS_SENTENCES = {
    "share of steps of K at which IL rises": (
        "'information loss increases as the K value increases too' (Section 6.5.1)"
    ),
    **{
        label: "the text states no size"
        for name in (*LOSSES, "IL")
        for label in (
            f"{name} at the least K, percent",
            f"growth of {name} from the least to the largest K, points",
        )
    },
    "CDIL grows by most points (1 yes, 0 no)": (
        "of the first graph, 'CDIL is the one that grows faster' (Section 6.5.1), read as points; "
        f"{TOPIC_ORDER}"
    ),
    "CDIL grows by most times (1 yes, 0 no)": (
        "'the one that grows faster' (Section 6.5.1), read as a multiple of where it starts"
    ),
    "share of K at which AAMIL is the lowest loss": (
        "of the second graph, 'the one with the lowest values in almost all K values' (Section "
        f"6.5.1); {TIE_ORDER}"
    ),
    "share of K at which AAMIL by the letter is the lowest loss": (
        f"the same by Eq. 6.4 to the letter, for which it holds too: {TIE_ORDER}"
    ),
    "share of K at which half of AAMIL is the lowest loss": (
        "a sum over half of the symmetric matrices, divided by all of the first, would make AAMIL "
        "the lowest: a guess at what was computed, of which the thesis says nothing"
    ),
}
"""What the text says of the losses of a graph, by label."""

RISK_SENTENCES = {
    "share of steps of K, over all six risks, at which the risk does not rise": (
        "'disclosure risk decreases in all cases as the value of K increases' (Section 6.5.1), of "
        "the whole curve; from one K to the next some of ours rise a little"
    ),
    "share of K at which the risk falls from topic 1 to 2 to 3": (
        "'the attribute with the higher disclosure risk is the first topic', next the second, 'and "
        "the last one is the third' (Section 6.5.1)"
    ),
    "share of K at which location has less risk than any topic": (
        "'in the case of the location attribute we obtained a low disclosure risk' (Section 6.5.1)"
    ),
    "share of K at which all topics together have less risk than any one": (
        "'when we take all the topics of interest attributes together, the disclosure risk "
        "decreases much more' (Section 6.5.1)"
    ),
    "share of K at which no risk is below that of all attributes": (
        "'when we take all attributes together, it decreases even more' (Section 6.5.1)"
    ),
}
"""What it says of the risks of a graph."""

MICRODATA_SENTENCES = {
    "share of steps of K at which IL rises": (
        "'increasing information loss as the value of K increases' (Section 6.5.2)"
    ),
    "share of steps of K at which DR falls": (
        "'the same behavior of decreasing disclosure risk' (Section 6.5.2)"
    ),
    "growth of IL from the least to the largest K, points": (
        "'information loss does not experiment a very big increase' (Section 6.5.2)"
    ),
    "fall of DR from the least to the largest K, points": (
        "'while disclosure risk decreases faster' (Section 6.5.2)"
    ),
}
"""What it says of the microdata of a graph."""


def _trend(label: str, sentence: str) -> Printed:
    return Printed(label=label, value=None, why=f"the curve has no numbers; {sentence}")


def _trends(of: str, sentences: Mapping[str, str]) -> list[Printed]:
    return [_trend(f"{of}: {label}", sentence) for label, sentence in sentences.items()]


LOSS_TRENDS = (
    *(trend for graph in GRAPHS for trend in _trends(graph, LOSS_SENTENCES)),
    _trend(
        "share of K at which the second graph has less IL",
        "'the information loss in all values of K is much lower' (Section 6.5.1)",
    ),
)
RISK_TRENDS = (
    *(trend for graph in GRAPHS for trend in _trends(graph, RISK_SENTENCES)),
    _trend(
        "share of K and risks at which the second graph has less",
        "'all the disclosure risk values are lower for this second graph' (Section 6.5.1)",
    ),
)
MICRODATA_TRENDS = tuple(
    trend
    for origin in ORIGINS
    for trend in (
        *(
            trend
            for graph in GRAPHS
            for trend in _trends(f"{graph}, microdata {origin}", MICRODATA_SENTENCES)
        ),
        *(
            _trend(
                f"microdata {origin}: share of K at which the second graph has less {figure}",
                "'a much lower values of information loss and disclosure risk' (Section 6.5.2)",
            )
            for figure in ("IL", "DR")
        ),
    )
)


ITEMS: tuple[Item, ...] = (
    Item(
        name="figures-6-10-to-6-11",
        title="Information loss over the level of anonymity",
        printed=LOSS_TRENDS,
        measure=graph_losses_and_risks,
        n_seeds=N_SEEDS,
        n_quick=2,
        picture=Picture(
            points=loss_points,
            x="K, nodes that say the same (at least)",
            y="information loss, percent",
        ),
    ),
    Item(
        name="figures-6-12-to-6-13",
        title="Disclosure risk over the level of anonymity",
        printed=RISK_TRENDS,
        measure=graph_losses_and_risks,
        n_seeds=N_SEEDS,
        n_quick=2,
        picture=Picture(
            points=risk_points,
            x="K, nodes that say the same (at least)",
            y="nodes found, percent",
        ),
    ),
    Item(
        name="figures-6-14-to-6-15",
        title="Loss and risk of microaggregated microdata of the graphs",
        printed=MICRODATA_TRENDS,
        measure=microdata_losses_and_risks,
        n_seeds=N_SEEDS,
        n_quick=2,
        picture=Picture(
            points=microdata_points, x="K, rows that say the same (at least)", y="percent"
        ),
    ),
)
