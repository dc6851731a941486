"""Items of Chapter 2: the data sets, and examples of masking methods and operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anonopt.data.datasets.loading import get_dataset, load_frame
from anonopt.data.datasets.masking_sets import masking_set, whole_domain
from anonopt.experiments.items.item import Item, Printed
from anonopt.experiments.papers.mares import degree
from anonopt.experiments.papers.mares.degree import NOT_PUBLIC
from anonopt.masking import Mondrian, RankSwapping
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.subtree_crossover import swapped_subtrees
from anonopt.operators.trees.tree_sampling import full_tree, grown_tree
from anonopt.problems.spaces import Trees

TABLE_2_1 = {
    "V1": ((8, 6, 10, 7, 9, 2, 1, 4, 5, 3), (10, 5, 8, 9, 7, 4, 3, 2, 6, 1)),
    "V2": ((9, 7, 3, 1, 4, 2, 10, 8, 5, 6), (10, 5, 4, 2, 3, 1, 9, 6, 7, 8)),
    "V3": ((1, 10, 4, 2, 6, 8, 3, 7, 5, 9), (3, 8, 2, 4, 5, 10, 1, 9, 6, 7)),
}
"""Original and masked values of each attribute; values are their own ranks."""

WINDOW = 20.0
"""Percent of the 10 records: p = 2 of the table is a number of ranks."""

WITH_RECORDS = "DEGREE (those with records in Table 4.2)"
ALL_RECORDS = "rows (records of Table 4.2)"
HOUSING = {
    "BUILT": "24",
    WITH_RECORDS: "7",
    "GRADE1": "20",
    "METRO": "9",
    "SCH": "6",
    "SHP": "6",
    "WFUEL": "10",
    "WHYMOVE": "19",
    "WHYTOH": "13",
    "WHYTON": "13",
}
"""Categories of Table 2.2."""

GERMAN = {
    "EXISTACC": ("status", "5"),
    "CREDHIST": ("credit_history", "6"),
    "PURPOSE": ("purpose", "12"),
    "SAVINGS": ("savings", "6"),
    "PRESEMPLOY": ("employment", "6"),
    "STATSEX": ("personal_status_sex", "6"),
    "OTHER": ("other_debtors", "4"),
    "PROPERTY": ("property", "5"),
    "OTHERPLANS": ("other_installment_plans", "4"),
    "HOUSING": ("housing", "4"),
    "JOB": ("job", "5"),
    "TELEPHONE": ("telephone", "3"),
    "FOREIGN": ("foreign_worker", "3"),
}
"""Our column and the categories of Table 2.3, by the thesis's name."""

FLARE = {
    "CLASS": ("class", "8"),
    "LARGSPOT": ("largest_spot_size", "7"),
    "SPOTDIST": ("spot_distribution", "5"),
    "ACTIVITY": ("activity", "3"),
    "EVOLUTION": ("evolution", "4"),
    "PREVFLARE": ("previous_activity", "4"),
    "HISTOCOMP": ("historically_complex", "3"),
    "SUNDISK": ("became_complex", "3"),
    "AREA": ("area", "3"),
    "AREALARGSPOT": ("area_largest_spot", "3"),
    "C-CLASS": ("c_class_flares", "10"),
    "M-CLASS": ("m_class_flares", "10"),
    "X-CLASS": ("x_class_flares", "10"),
}
"""The same of Table 2.4."""

ADULT = {
    "WORKCLASS": ("workclass", "9"),
    "EDUCATION": ("education", "17"),
    "MARITAL-STATUS": ("marital-status", "8"),
    "OCCUPATION": ("occupation", "15"),
    "RELATIONSHIP": ("relationship", "7"),
    "RACE": ("race", "6"),
    "SEX": ("sex", "3"),
    "NATIVE-COUNTRY": ("native-country", "42"),
}
"""The same of Table 2.5."""

SECTION_3_5 = {
    "german": ("5", "6", "6"),
    "flare": ("8", "7", "5"),
    "adult": ("16", "7", "14"),
}
"""Categories of the protected attributes in Section 3.5."""

DEPTH = 3
N_TREES = 20


def table_2_1(seed: int, quick: bool) -> Mapping[str, float]:
    """How rank swapping moves the values of the original file."""
    frame = pd.DataFrame({name: before for name, (before, _) in TABLE_2_1.items()})
    masked = RankSwapping(p=WINDOW, random_state=seed).fit_transform(frame)
    found: dict[str, float] = {}
    for name in TABLE_2_1:
        found |= _moves(name, frame[name].tolist(), masked[name].tolist())
    return found


def _moves(name: str, before: Sequence[int], after: Sequence[int]) -> dict[str, float]:
    """Ranks that values move by, values that move, and those that change places in pairs."""
    places = dict(zip(before, after, strict=True))
    return {
        f"{name}: most ranks moved": float(max(abs(a - b) for a, b in places.items())),
        f"{name}: values moved": float(sum(a != b for a, b in places.items())),
        f"{name}: values in pairs": float(sum(places[b] == a for a, b in places.items())),
    }


def figures_2_1_to_2_3(seed: int, quick: bool) -> Mapping[str, float]:
    """Shapes of trees by both methods of initialization, and of crossed ones."""
    generator = np.random.default_rng(seed)
    space = Trees(max_depth=DEPTH)
    full = [full_tree(space, DEPTH, generator) for _ in range(N_TREES)]
    grown = [grown_tree(space, DEPTH, generator) for _ in range(N_TREES)]
    children = swapped_subtrees(full[0], grown[0], DEPTH, generator)
    return {
        "full: least level of a terminal": _least_level(full),
        "grow: least level of a terminal": _least_level(grown),
        "crossover: nodes of the children less those of the parents": float(
            sum(map(len, children)) - len(full[0]) - len(grown[0])
        ),
    }


def _least_level(trees: Sequence[Sequence[object]]) -> float:
    """Steps from the root to the nearest terminal of any of several trees."""
    shapes = [tree_shape(tree) for tree in trees]
    return float(min(shape.levels[shape.sizes == 1].min() for shape in shapes))


def figure_2_4(seed: int, quick: bool) -> Mapping[str, float]:
    """Regions of six points, placed so that they are cut as in the figure, and the bottom one."""
    points = pd.DataFrame({"Y": list("ABBBCD"), "X": [1, 1, 2, 3, 1, 2]})
    masked = Mondrian(k=2, ordinal={"Y": list("ABCD")}).fit_transform(points)
    sizes = masked.groupby(["Y", "X"]).size()
    bottom = masked.iloc[-1]
    return {
        "regions": float(len(sizes)),
        "points of the least region": float(sizes.min()),
        "points of the largest region": float(sizes.max()),
        "bottom point: X = [1, 2] (1: yes)": float(bottom["X"] == "[1, 2]"),
        "bottom point: Y = [C, D] (1: yes)": float(bottom["Y"] == "[C, D]"),
    }


def table_2_2(seed: int, quick: bool) -> Mapping[str, float]:
    """Categories of DEGREE that records have, from Table 4.2, and all of them."""
    return {
        WITH_RECORDS: float(np.count_nonzero(degree.FREQUENCIES)),
        ALL_RECORDS: float(sum(degree.FREQUENCIES)),
    }


def table_2_3(seed: int, quick: bool) -> Mapping[str, float]:
    """Rows, attributes and categories of German."""
    return _sizes("german", GERMAN)


def table_2_4(seed: int, quick: bool) -> Mapping[str, float]:
    """Rows, attributes and categories of Flare."""
    return _sizes("flare", FLARE)


def table_2_5(seed: int, quick: bool) -> Mapping[str, float]:
    """Rows, attributes and categories of Adult."""
    return _sizes("adult", ADULT)


def _sizes(name: str, attributes: Mapping[str, tuple[str, str]]) -> dict[str, float]:
    """Rows of a file, numeric attributes where it has some, and categories of the others."""
    frame = load_frame(name, split="all")
    found = {
        attribute: float(len(whole_domain(name, frame, column)))
        for attribute, (column, _) in attributes.items()
    }
    found["rows"] = float(len(frame))
    if name != "flare":
        target = get_dataset(name).target
        numeric = frame.select_dtypes("number").columns.difference([target])
        found["numeric attributes"] = float(len(numeric))
    return found


def section_3_5(seed: int, quick: bool) -> Mapping[str, float]:
    """Categories of the protected attributes; of Adult those that occur."""
    found: dict[str, float] = {}
    for name in SECTION_3_5:
        coded = masking_set(name, empty_categories=name != "adult").categorical
        for column, size, has_missing in zip(
            coded.names, coded.n_categories, coded.has_missing, strict=True
        ):
            found[f"{name}, {column}"] = float(size - has_missing)
    return found


def _protected(name: str) -> tuple[str, ...]:
    part = get_dataset(name).masked
    return () if part is None else part.columns


def _printed_moves() -> list[Printed]:
    rows = []
    for name, (before, after) in TABLE_2_1.items():
        for label, value in _moves(name, before, after).items():
            rows.append(
                Printed(
                    label=label,
                    value=f"{value:.0f}",
                    why="a value is left without a partner by chance",
                )
            )
    return rows


def _printed_sizes(
    attributes: Mapping[str, tuple[str, str]], whys: Mapping[str, str], n_rows: str, numeric: str
) -> list[Printed]:
    rows = [Printed(label="rows", value=n_rows)]
    if numeric:
        rows.append(Printed(label="numeric attributes", value=numeric))
    return rows + [
        Printed(label=attribute, value=value, why=whys.get(attribute, ""))
        for attribute, (_, value) in attributes.items()
    ]


COUNTS = (
    "a number of flares; Table 2.4 gives 10 categories to each of the three, which have 8, 6 and 3 "
    "values in the file"
)

ITEMS: tuple[Item, ...] = (
    Item(
        name="figures-2-1-2-3",
        title="Trees by both methods of initialization, and their crossover",
        printed=[
            Printed(label=label, value=None, why="the figures show trees, no numbers")
            for label in (
                "full: least level of a terminal",
                "grow: least level of a terminal",
                "crossover: nodes of the children less those of the parents",
            )
        ],
        measure=figures_2_1_to_2_3,
    ),
    Item(
        name="figure-2-4",
        title="Mondrian with k = 2; points placed so that they are cut as in the figure",
        printed=[
            Printed(label="regions", value="3"),
            Printed(label="points of the least region", value="2"),
            Printed(label="points of the largest region", value="2"),
            Printed(label="bottom point: X = [1, 2] (1: yes)", value="1"),
            Printed(label="bottom point: Y = [C, D] (1: yes)", value="1"),
        ],
        measure=figure_2_4,
    ),
    Item(
        name="table-2-1",
        title="Rank swapping of three attributes, p = 2 ranks",
        printed=[
            *_printed_moves(),
            Printed(
                label="the 30 masked values",
                value=None,
                why="drawn at random; what the method says of them is compared",
            ),
        ],
        measure=table_2_1,
        n_seeds=50,
        n_quick=50,
    ),
    Item(
        name="table-2-2",
        title="Categories of the Housing survey",
        printed=[
            Printed(label=ALL_RECORDS, value="1000"),
            *(
                Printed(label=name, value=value, comparable=name == WITH_RECORDS, why=NOT_PUBLIC)
                for name, value in HOUSING.items()
            ),
        ],
        measure=table_2_2,
    ),
    Item(
        name="table-2-3",
        title="Rows, attributes and categories of German credit, empty categories included",
        printed=_printed_sizes(GERMAN, {}, "1000", "7"),
        measure=table_2_3,
    ),
    Item(
        name="table-2-4",
        title="Rows and categories of Solar Flare, empty categories included",
        printed=_printed_sizes(
            FLARE, dict.fromkeys(("C-CLASS", "M-CLASS", "X-CLASS"), COUNTS), "1389", ""
        ),
        measure=table_2_4,
    ),
    Item(
        name="table-2-5",
        title="Rows, attributes and categories of Adult, empty categories included",
        printed=_printed_sizes(ADULT, {}, "48842", "6"),
        measure=table_2_5,
    ),
    Item(
        name="section-3-5-categories",
        title="Categories of the protected attributes; of Adult without the empty one",
        printed=[
            Printed(label=f"{name}, {column}", value=value)
            for name, values in SECTION_3_5.items()
            for column, value in zip(_protected(name), values, strict=True)
        ],
        measure=section_3_5,
    ),
)
