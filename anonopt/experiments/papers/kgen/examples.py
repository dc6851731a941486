"""The worked examples: lattice, precision, tables, lower bounds, mutation, strategies, accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import IntArray
from anonopt.data import Hierarchy, Microdata
from anonopt.evaluation.lattice.column_bounds import column_bounds
from anonopt.evaluation.lattice.evaluator import LatticeEvaluator
from anonopt.experiments.items.item import Item, Printed
from anonopt.measures.fronts.accuracy import node_accuracy
from anonopt.operators.levels.horizontal_mutation import HorizontalMutation

COLUMNS = ("Age", "Postcode", "Gender")

PEOPLE = pd.DataFrame(
    {
        "Age": [24, 28, 42, 49],
        "Postcode": ["80015", "80019", "85073", "85071"],
        "Gender": ["F", "M", "F", "M"],
    }
)
"""Table 1, which is also that of Tables 3 and 4; its first three rows are Table 8."""

PATH = ("000", "001", "011", "021", "031", "041", "141", "241", "341")
"""Strategy path of Section 2.3 in the lattice of Figure 1."""

VALUES_BY_LEVEL = {"Age": ("4", "4", "2", "1", "1"), "Postcode": ("4", "2", "2", "2", "1", "1")}
"""Rows of Table 4: values of each column at each level."""

PARENT = (2, 2, 2, 2, 2)
CHILD = (2, 2, 3, 0, 2)
"""Section 3.5: levels before and after a horizontal mutation, all within 0..4."""

N_CHILDREN = 20_000
"""Mutations drawn: 110 times as many as the printed child is rare (1 in 180)."""


def people(n_rows: int = 4) -> Microdata:
    """First rows of the example, with the heights 3, 4 and 1 of Figure 1."""
    codes = list(dict.fromkeys(PEOPLE["Postcode"]))
    stars = [[code[: 5 - hidden] + "*" * hidden for code in codes] for hidden in range(5)]
    return Microdata(
        PEOPLE[:n_rows],
        quasi_identifiers=COLUMNS,
        hierarchies={
            "Age": Hierarchy.intervals(range(20, 50), width=5, fan_outs=[2]),
            "Postcode": Hierarchy(stars),
            "Gender": "flat",
        },
    )


def support_map() -> Microdata:
    """The two columns of Table 4, with its levels: one more in each than Figure 1 has."""
    return Microdata(
        PEOPLE,
        quasi_identifiers=["Age", "Postcode"],
        hierarchies={
            "Age": Hierarchy.intervals(range(20, 50), width=5, anchor=20, fan_outs=[2, 3]),
            "Postcode": Hierarchy.text(PEOPLE["Postcode"]),
        },
    )


def figure_1(seed: int, quick: bool) -> Mapping[str, float]:
    """Top of the lattice, and the strategy path from node to neighbour."""
    lattice = people().lattice
    nodes = [tuple(map(int, node)) for node in PATH]
    found: dict[str, float] = dict(
        zip((f"{name}, height" for name in COLUMNS), lattice.top, strict=True)
    )
    found["steps of the strategy path"] = sum(
        above in lattice.neighbors(at) for at, above in pairwise(nodes)
    )
    found["steps from the lowest node to the highest"] = lattice.height(lattice.top)
    return found


def equations_1_2(seed: int, quick: bool) -> Mapping[str, float]:
    """Precision of two nodes."""
    nodes = [(1, 0, 0), (0, 0, 1)]
    found = LatticeEvaluator(people()).evaluate(nodes, ["generalization_level"])
    labels = [f"precision of node {list(node)}" for node in nodes]
    return dict(zip(labels, found["generalization_level"].tolist(), strict=True))


def tables_1_2(seed: int, quick: bool) -> Mapping[str, float]:
    """The table at the node where it is 2-anonymous."""
    table = people()
    node = (2, 1, 1)
    protected = table.apply(list(node))
    sizes = protected.groupby(list(COLUMNS)).size()
    return {
        "k": LatticeEvaluator(table).evaluate([node], ["k"])["k"].iloc[0],
        "rows with 8001*": int((protected["Postcode"] == "8001*").sum()),
        "rows with 8507*": int((protected["Postcode"] == "8507*").sum()),
        "groups of indistinguishable rows": len(sizes),
    }


def table_3(seed: int, quick: bool) -> Mapping[str, float]:
    """Lowest level of each column on its own, nothing suppressed."""
    facts = LatticeEvaluator(people(), k=2).tuples.facts
    return _levels(column_bounds(facts, k=2, budget=0, rule="no_suppression"))


def table_4(seed: int, quick: bool) -> Mapping[str, float]:
    """Values of each column at each level, and the rows that share two of them."""
    table = support_map()
    facts = LatticeEvaluator(table).tuples.facts
    found: dict[str, float] = {
        f"{name}, LOG {level}: values": int(np.count_nonzero(rows))
        for name, levels in zip(facts.names, facts.value_counts, strict=True)
        for level, rows in enumerate(levels)
    }
    groups = table.apply([2, 1]).groupby(["Age", "Postcode"]).indices.values()
    found["LOG 2 of Age with LOG 1 of Postcode: groups"] = len(groups)
    for number, rows in enumerate(sorted(groups, key=min), start=1):
        found[f"group {number}: first row"] = min(rows) + 1
        found[f"group {number}: last row"] = max(rows) + 1
    return found


def table_8(seed: int, quick: bool) -> Mapping[str, float]:
    """Lowest levels where up to 35 % of three rows may be suppressed, and what the paper drops."""
    evaluator = LatticeEvaluator(people(3), k=2, suppression=0.35)
    budget = evaluator.rule.budget
    found = _levels(column_bounds(evaluator.tuples.facts, k=2, budget=budget, rule="sound"))
    suppressed = evaluator.evaluate([(0, 0, 0)], ["suppressed"])["suppressed"].iloc[0]
    alone = LatticeEvaluator(people(1)).evaluate([(0, 0, 0)], ["k"])["k"].iloc[0]
    return {
        **found,
        "rows suppressed at <0, 0, 0>, %": 100 * suppressed / 3,
        "k of the first row alone": alone,
    }


def horizontal_mutation(seed: int, quick: bool) -> Mapping[str, float]:
    """What becomes of the printed parent, over many draws."""
    problem = Problem(n_var=5, n_obj=1, xl=0, xu=4)
    parents = Population.new("X", np.tile(PARENT, (N_CHILDREN, 1)))
    mutation = HorizontalMutation(prob=1.0)
    children = mutation(problem, parents, random_state=np.random.default_rng(1)).get("X")
    steps = children - np.array(PARENT)
    return {
        "values that are mutated": int((steps != 0).sum(axis=1).max()),
        "values that are raised": int((steps > 0).sum(axis=1).max()),
        "values that are lowered": int((steps < 0).sum(axis=1).max()),
        "raised value, largest": int(children.max()),
        "lowered value, least": int(children.min()),
        "2 2 3 0 2 is possible (1: yes)": int((children == CHILD).all(axis=1).any()),
    }


def table_6(seed: int, quick: bool) -> Mapping[str, float]:
    """Strategies of generalization, each by the builder of hierarchies that does it."""
    low, high = _label(Hierarchy.intervals(range(20), width=5), "3", 1).strip("[)").split(",")
    text = _label(Hierarchy.text(["NL805"]), "NL805", 1)
    days = Hierarchy.dates(["01/01/1970"], levels=["day", "month", "year"], format="%d/%m/%Y")
    year, month = _label(days, "01/01/1970", 1).split("-")
    places = Hierarchy.from_tree({"*": {"Noord Brabant": ["Den Bosch"]}})
    return {
        "NUMBER, 3: from": int(low),
        "NUMBER, 3: to": int(high),
        "STRING, NL805 -> NL80* (1: yes)": int(text == "NL80*"),
        "DATE, 01/01/1970: month": int(month),
        "DATE, 01/01/1970: year of the month": int(year),
        "DATE, 01/01/1970: year": int(_label(days, "01/01/1970", 2)),
        "PLACE, Den Bosch -> Noord Brabant (1: yes)": int(
            _label(places, "Den Bosch", 1) == "Noord Brabant"
        ),
    }


def equations_4_5(seed: int, quick: bool) -> Mapping[str, float]:
    """Accuracy of the best and of the worst node of the example."""
    top = people().lattice.top
    best, worst = node_accuracy([(2, 1, 1), top], optimum=(2, 1, 1), worst=top)
    return {"accuracy of the optimal node": best, "accuracy of the worst node": worst}


def _label(hierarchy: Hierarchy, value: str, level: int) -> str:
    """What a value is called at a level."""
    row = hierarchy.labels[0].index(value)
    return str(hierarchy.labels[level][hierarchy.maps[level][row]])


def _levels(levels: IntArray) -> dict[str, float]:
    return dict(zip((f"{name}, lowest level" for name in COLUMNS), levels.tolist(), strict=True))


def _printed(**numbers: str) -> list[Printed]:
    return [Printed(label=label, value=value) for label, value in numbers.items()]


LOWEST = {f"{name}, lowest level": value for name, value in zip(COLUMNS, "210", strict=True)}
"""The node <2, 1, 0> of Tables 3 and 8."""

INTERVALS = "an interval of ours holds its lower end and not the upper one: 0-5 is [0,5)"

ITEMS = (
    Item(
        name="figure-1",
        title="Lattice of Age, Postcode and Gender",
        printed=_printed(
            **{
                **{f"{name}, height": value for name, value in zip(COLUMNS, "341", strict=True)},
                "steps of the strategy path": "8",
                "steps from the lowest node to the highest": "8",
            }
        ),
        measure=figure_1,
    ),
    Item(
        name="tables-1-2",
        title="A table, and the same 2-anonymous",
        printed=_printed(
            **{
                "k": "2",
                "rows with 8001*": "2",
                "rows with 8507*": "2",
                "groups of indistinguishable rows": "2",
            }
        ),
        measure=tables_1_2,
    ),
    Item(
        name="equations-1-2",
        title="Precision of two nodes",
        printed=_printed(
            **{"precision of node [1, 0, 0]": "0.11", "precision of node [0, 0, 1]": "0.33"}
        ),
        measure=equations_1_2,
    ),
    Item(
        name="table-3",
        title="Reduction of the lattice",
        printed=_printed(**LOWEST),
        measure=table_3,
    ),
    Item(
        name="table-4",
        title="Support map",
        printed=_printed(
            **{
                f"{name}, LOG {level}: values": value
                for name, values in VALUES_BY_LEVEL.items()
                for level, value in enumerate(values)
            },
            **{
                "LOG 2 of Age with LOG 1 of Postcode: groups": "2",
                "group 1: first row": "1",
                "group 1: last row": "2",
                "group 2: first row": "3",
                "group 2: last row": "4",
            },
        ),
        measure=table_4,
    ),
    Item(
        name="example-horizontal-mutation",
        title="Half of the levels raised and lowered in turn (Section 3.5)",
        printed=_printed(
            **{
                "values that are mutated": "2",
                "values that are raised": "1",
                "values that are lowered": "1",
                "raised value, largest": "4",
                "lowered value, least": "0",
                "2 2 3 0 2 is possible (1: yes)": "1",
            }
        ),
        measure=horizontal_mutation,
    ),
    Item(
        name="table-6",
        title="Strategies of generalization",
        printed=[
            Printed(label="NUMBER, 3: from", value="0"),
            Printed(label="NUMBER, 3: to", value="5", why=INTERVALS),
            Printed(label="STRING, NL805 -> NL80* (1: yes)", value="1"),
            Printed(label="DATE, 01/01/1970: month", value="1"),
            Printed(label="DATE, 01/01/1970: year of the month", value="1970"),
            Printed(label="DATE, 01/01/1970: year", value="1970"),
            Printed(label="PLACE, Den Bosch -> Noord Brabant (1: yes)", value="1"),
        ],
        measure=table_6,
    ),
    Item(
        name="equations-4-5",
        title="Accuracy of the optimal and of the worst node (Section 4.2)",
        printed=_printed(
            **{"accuracy of the optimal node": "1", "accuracy of the worst node": "0"}
        ),
        measure=equations_4_5,
    ),
)

ITEMS_OF_SECTION_7 = (
    Item(
        name="table-8",
        title="Reduction of the lattice with suppression (Section 7)",
        printed=[
            *_printed(**LOWEST),
            Printed(
                label="rows suppressed at <0, 0, 0>, %",
                value="35",
                why="'a max level of suppression of 35% of the entire dataset': two of the three "
                "rows are 67 %, and the one that is left is alone, so all three would have to go",
            ),
            Printed(
                label="k of the first row alone",
                value="2",
                why="'this dataset is k-anonymized also without any generalization', with the k = "
                "2 of Table 2: a single row has no other that is like it",
            ),
        ],
        measure=table_8,
    ),
)
