"""Figures that other tools and papers print, on whole lattices."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt import Hierarchy, LatticeEvaluator, Microdata, load_dataset

ARX_COLUMNS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "income",
]

AGE = Hierarchy(
    [
        ["24", "28", "42", "49"],
        ["[20,25)", "[25,30)", "[40,45)", "[45,50)"],
        ["[20,30)", "[20,30)", "[40,50)", "[40,50)"],
        ["*"] * 4,
    ]
)
POSTCODE = Hierarchy(
    [
        ["80015", "80019", "85073", "85071"],
        ["8001*", "8001*", "8507*", "8507*"],
        ["800**", "800**", "850**", "850**"],
        ["80***", "80***", "85***", "85***"],
        ["*"] * 4,
    ]
)
GENDER = Hierarchy([["F", "M"], ["*", "*"]])


@pytest.fixture(scope="module")
def four_people() -> Microdata:
    """De Pascale 2022, Table 1, with hierarchies of heights (3, 4, 1)."""
    frame = pd.DataFrame(
        {"age": [24, 28, 42, 49], "postcode": [80015, 80019, 85073, 85071], "gender": list("FMFM")}
    )
    trees = {"age": AGE, "postcode": POSTCODE, "gender": GENDER}
    return Microdata(frame, quasi_identifiers=list(trees), hierarchies=trees)


def test_optimal_nodes_of_adult_are_those_that_arx_finds(shared_data):
    """5-anonymity, 1 % suppressed, ARX's own hierarchies; its Loss and Precision metrics."""
    folder = shared_data / "hierarchies" / "adult_arx"
    table = load_dataset("adult", hierarchies=folder, quasi_identifiers=ARX_COLUMNS, sensitive=None)
    evaluator = LatticeEvaluator(table, k=5, suppression=0.01)
    names = ["feasible", "glm_normalized", "precision_loss", "suppressed"]
    lattice = evaluator.evaluate_all(names)
    feasible = lattice[lattice["feasible"] == 1]
    assert (len(lattice), len(feasible)) == (12960, 1816)
    best = feasible.sort_values("glm_normalized").iloc[0]
    assert best["glm_normalized"] == pytest.approx(0.402001, abs=5e-7)
    assert tuple(best[ARX_COLUMNS]) == (0, 3, 1, 1, 2, 2, 1, 1, 0)
    assert best["suppressed"] == 294
    assert feasible["precision_loss"].min() == pytest.approx(0.485057, abs=5e-7)


@pytest.mark.parametrize(("node", "precision"), [((1, 0, 0), 0.11), ((0, 0, 1), 0.33)])
def test_precision_of_de_pascale(four_people, node, precision):
    """De Pascale 2022, Section 2.4."""
    found = LatticeEvaluator(four_people).evaluate([node], ["generalization_level"])
    assert found["generalization_level"].item() == pytest.approx(precision, abs=0.005)


def test_two_anonymous_table_of_de_pascale(four_people):
    """De Pascale 2022, Tables 1 and 2."""
    found = LatticeEvaluator(four_people, k=2).evaluate_all(["k", "feasible", "height"])
    assert four_people.lattice.heights == (3, 4, 1)
    node = found.query("age == 2 and postcode == 1 and gender == 1")
    assert node[["k", "feasible"]].values.tolist() == [[2, 1]]
    assert found.query("feasible == 1")["height"].min() == 4


@pytest.mark.parametrize(("column", "level"), [("age", 2), ("postcode", 1), ("gender", 0)])
def test_lower_bounds_of_de_pascale(four_people, column, level):
    """De Pascale 2022, Table 3: the first level at which a column alone is 2-anonymous."""
    alone = Microdata(
        four_people.frame,
        quasi_identifiers=[column],
        hierarchies={column: four_people.hierarchies[column]},
    )
    found = LatticeEvaluator(alone, k=2).evaluate_all(["feasible"])["feasible"]
    assert found.tolist() == [int(at >= level) for at in range(len(found))]
