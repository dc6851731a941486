"""What classes tell of sensitive values: delta-disclosure, beta-likeness, hierarchical t."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from anonopt import Hierarchy, LatticeEvaluator, Microdata, check
from anonopt.measures.lattice.disclosure import (
    class_disclosures,
    class_hierarchical_distances,
    class_likenesses,
)
from tests.examples import examples

DISEASES = Hierarchy.from_tree(
    {
        "*": {
            "respiratory": {"infection": ["flu", "pneumonia"], "vascular": ["edema", "embolism"]},
            "digestive": {"stomach": ["ulcer", "cancer", "gastritis"], "colon": ["colitis"]},
        }
    }
)
NAMES = ["delta_disclosure", "beta_likeness", "t_hierarchical"]


def make_table(illness: list[str], zip: str, tree: Hierarchy = DISEASES) -> Microdata:
    frame = pd.DataFrame({"zip": list(zip), "illness": illness})
    return Microdata(
        frame,
        quasi_identifiers=["zip"],
        hierarchies={"zip": "flat", "illness": tree},
        sensitive="illness",
    )


def test_by_hand():
    """Of 8 rows 5 are flu and 3 colitis; class x has 3 and 1 of them, class y 2 and 2."""
    table = make_table(["flu"] * 3 + ["colitis"] + ["flu", "colitis"] * 2, "xxxxyyyy")
    classes = LatticeEvaluator(table).class_table([0]).kept_classes
    assert class_disclosures(classes).tolist() == pytest.approx([math.log(1.5), math.log(4 / 3)])
    assert class_likenesses(classes).tolist() == pytest.approx([0.2, 1 / 3])
    # An eighth of the mass goes over the top, which costs 3/3.
    assert class_hierarchical_distances(classes).tolist() == pytest.approx([0.125, 0.125])


def test_near_values_cost_less():
    """Half of the mass moves from flu to pneumonia (1/3), embolism (2/3) or ulcer (3/3)."""
    for other, level in (("pneumonia", 1), ("embolism", 2), ("ulcer", 3)):
        table = make_table(["flu", "flu", other, other], "xxyy")
        found = LatticeEvaluator(table).evaluate([[0]], ["t", "t_hierarchical"])
        assert found["t"].item() == 0.5
        assert found["t_hierarchical"].item() == pytest.approx(0.5 * level / 3)


def test_a_flat_hierarchy_gives_the_equal_distance():
    flat = Hierarchy.ordered(list("abc"))
    table = make_table(list("aabbcacb"), "xxyyzzzz", flat)
    found = LatticeEvaluator(table).evaluate([[0]], ["t", "t_hierarchical"])
    assert found["t"].item() == found["t_hierarchical"].item()


def test_a_value_that_a_class_lacks_is_disclosed_of_all_its_rows():
    table = make_table(["flu", "colitis", "flu", "flu"], "xxyy")
    found = LatticeEvaluator(table).evaluate([[0]], NAMES).iloc[0]
    assert found["delta_disclosure"] == math.inf
    assert found["beta_likeness"] == 1.0


def test_equal_shares_are_exactly_nothing():
    table = make_table(["flu", "ulcer", "edema"] * 7, "x" * 6 + "y" * 3 + "z" * 12)
    assert LatticeEvaluator(table).evaluate([[0]], NAMES)[NAMES].iloc[0].tolist() == [0, 0, 0]


def test_a_missing_value_is_one_of_the_hierarchy():
    table = make_table(["flu", None, "flu", None], "xxyy")
    assert LatticeEvaluator(table).evaluate([[0]], ["t_hierarchical"]).iloc[0, 1] == 0


def test_it_is_no_part_of_the_lattice():
    table = make_table(["flu", "ulcer"], "xy")
    assert table.lattice.heights == (1,)
    assert list(table.hierarchies) == ["zip"]
    assert table.apply([0])["illness"].tolist() == ["flu", "ulcer"]
    other = make_table(["flu", "ulcer"], "xy", Hierarchy.ordered(["flu", "ulcer"]))
    assert table.fingerprint != other.fingerprint


def test_values_absent_from_the_hierarchy_are_an_error():
    with pytest.raises(
        ValueError, match="column 'illness': expected a value of its hierarchy, fou"
    ):
        make_table(["flu", "plague"], "xy")


def test_a_hierarchy_of_nothing_and_one_that_is_missing():
    frame = pd.DataFrame({"zip": list("xy"), "illness": ["flu", "ulcer"], "pay": [1, 2]})
    roles = {"quasi_identifiers": ["zip"], "sensitive": "illness"}
    with pytest.raises(ValueError, match=r"\['zip'\] or the sensitive \['illness'\], found 'pay'"):
        Microdata(frame, hierarchies={"zip": "flat", "pay": "flat"}, **roles)
    plain = Microdata(frame, hierarchies={"zip": "flat"}, **roles)
    with pytest.raises(ValueError, match="'t_hierarchical' needs a hierarchy of the sensitive col"):
        LatticeEvaluator(plain).evaluate([[0]], ["t_hierarchical"])
    with pytest.raises(ValueError, match="hierarchies: expected those of sensitive columns"):
        check(frame, **roles, hierarchies={"pay": DISEASES})


rows_of_two_classes = st.lists(
    st.tuples(st.sampled_from("xy"), st.sampled_from(DISEASES.labels[0])), min_size=1, max_size=30
)


@given(rows_of_two_classes)
@examples(20)
def test_hierarchical_distance_is_the_least_cost_of_moving_mass(rows):
    """As a linear program: what goes from each value of the class to each value of the table."""
    table = make_table([value for _, value in rows], "".join(group for group, _ in rows))
    classes = LatticeEvaluator(table).class_table([0]).kept_classes
    tree = np.array(table.sensitive_columns[0].tree)
    n_values = tree.shape[1]
    meet = (tree[:, :, np.newaxis] == tree[:, np.newaxis, :]).argmax(axis=0)
    cost = meet / (len(tree) - 1)
    leaving = np.kron(np.eye(n_values), np.ones(n_values))
    arriving = np.kron(np.ones(n_values), np.eye(n_values))
    shares = classes.sensitive_counts() / classes.sizes[:, np.newaxis]
    wanted = classes.facts.sensitive_totals / len(rows)
    for share, found in zip(shares, class_hierarchical_distances(classes), strict=True):
        least = linprog(
            cost.ravel(),
            A_eq=np.vstack([leaving, arriving]),
            b_eq=np.concatenate([share, wanted]),
        )
        assert found == pytest.approx(least.fun, abs=1e-9)


@given(rows_of_two_classes)
def test_check_has_the_figures_of_the_evaluator(rows):
    table = make_table([value for _, value in rows], "".join(group for group, _ in rows))
    report = check(
        table.frame,
        quasi_identifiers=["zip"],
        sensitive="illness",
        hierarchies={"illness": DISEASES},
    )
    found = LatticeEvaluator(table).evaluate([[0]], NAMES).iloc[0]
    assert report[NAMES].tolist() == pytest.approx(found[NAMES].tolist())
