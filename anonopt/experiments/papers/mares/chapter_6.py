"""Items of Chapter 6, social graphs: worked examples, and the shape of the graphs."""

from __future__ import annotations

from anonopt.experiments.items.item import Item, Picture, Printed
from anonopt.experiments.papers.mares import chapter_6_curves
from anonopt.experiments.papers.mares.graph_examples import (
    FIGURE_6_7,
    LEVELS_6_1,
    PUBLISHED_FIGURES,
    examples,
    layout_points,
    shapes,
)

NOT_PUBLIC = (
    "the graphs of Section 6.5 are not public; ours are generated with their numbers of nodes and "
    "ties, which says nothing of the other figures"
)
LETTER = (
    "Eq. 6.4 to the letter, for which no number is printed: in the masked graph of the figure all "
    "four links lead from the United States to the United States"
)
ITEMS: tuple[Item, ...] = (
    Item(
        name="algorithms-13-to-15",
        title="Protection, clustering and the hierarchy of locations",
        printed=(
            Printed(
                label="share of K = 2 to 20 at which at least K nodes say the same (Algorithm 13)",
                value=None,
                why="no number is printed; 'at least k copies of the same node' (Section 6.2.1)",
            ),
            Printed(
                label="ties changed (Algorithm 13)",
                value=None,
                why="no number is printed; 'maintaining the structure of the whole social graph' "
                "(Section 6.2.1)",
            ),
            Printed(
                label="clusters of 306 nodes, K = 4 (Algorithm 14)",
                value=None,
                why="no number is printed; the loop over [0..numClusters] would make one more "
                "than there are nodes for",
            ),
            Printed(
                label="nodes of the last cluster of 306, K = 4 (Algorithm 14)",
                value=None,
                why="no number is printed; what truncate(306 / 4) - 1 clusters of 4 leave",
            ),
            Printed(
                label="share of locations whose way ends at World (Algorithm 15)",
                value=None,
                why="no number is printed; Google's service is not asked, a table and a gazetteer "
                "stand in for it",
            ),
        ),
        measure=examples,
        also=("algorithm-13", "algorithm-14", "algorithm-15"),
    ),
    Item(
        name="table-6-1",
        title="Levels of types of locations, and distances of locations",
        printed=(
            *(Printed(label=f"level of {kind}", value=str(level)) for kind, level in LEVELS_6_1),
            Printed(label="distance of Brooklyn and United States", value="0.714"),
            Printed(label="distance of New York City and Washington DC", value="1"),
        ),
        measure=examples,
    ),
    Item(
        name="figure-6-2",
        title="Closest common parents of locations",
        printed=[
            Printed(
                label="of the 2 printed common parents, United States and New York City, those "
                "that come back",
                value="2",
            )
        ],
        measure=examples,
    ),
    Item(
        name="figure-6-3",
        title="Topics of interest of three users, aggregated by Borda's rule",
        printed=[
            Printed(
                label="of the 3 printed topics, technology, politics and sports, those that come "
                "back in their order from the users of Figure 6.5",
                value="3",
            )
        ],
        measure=examples,
    ),
    Item(
        name="figure-6-4",
        title="Microdata of three users",
        printed=(
            Printed(label="rows, one a user", value="3"),
            Printed(label="columns, one an attribute and the degree", value="5"),
        ),
        measure=examples,
    ),
    Item(
        name="figure-6-5",
        title="Three users, aggregated",
        printed=[
            Printed(
                label="of the 4 aggregated values of Figure 6.8, those that come back in all 3 "
                "users",
                value="4",
            )
        ],
        measure=examples,
    ),
    Item(
        name="figure-6-6",
        title="AAMIL of the location",
        printed=(
            Printed(label="AAMIL of location", value="0.5"),
            Printed(label="AAMIL of location by Eq. 6.4 to the letter", value=None, why=LETTER),
        ),
        measure=examples,
    ),
    Item(
        name="figure-6-7",
        title="CDIL of the first topic",
        printed=(
            *(
                Printed(label=f"{graph} topic 1, {topic}", value=str(count))
                for graph, counts in FIGURE_6_7.items()
                for topic, count in counts.items()
            ),
            Printed(label="CDIL of topic 1", value="0.333"),
        ),
        measure=examples,
    ),
    Item(
        name="figure-6-8",
        title="DBIL of user 2",
        printed=(
            *(
                Printed(label=f"distance of {attribute} of user 2", value=value)
                for attribute, value in (
                    ("location", "0"),
                    ("topic1", "0"),
                    ("topic2", "1"),
                    ("topic3", "1"),
                )
            ),
            Printed(label="DBIL of user 2", value="0.5"),
        ),
        measure=examples,
    ),
    Item(
        name="figure-6-9",
        title="Shape of the two graphs",
        printed=[
            Printed(label=f"{graph}: {label}", value=value, comparable=False, why=NOT_PUBLIC)
            for graph, figures in PUBLISHED_FIGURES.items()
            for label, value in figures.items()
        ],
        measure=shapes,
        n_seeds=chapter_6_curves.N_SEEDS,
        n_quick=2,
        picture=Picture(points=layout_points, x="", y=""),
        also=("section-6-5",),
    ),
    *chapter_6_curves.ITEMS,
)
