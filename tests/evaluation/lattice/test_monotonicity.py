"""What measures declare about the direction in which they move when a level is raised.

Searches prune on these declarations, so they are held on every edge of whole lattices. The
measures that declare nothing under suppression must be seen to move both ways: otherwise the
declaration would be idle. Nodes under bounds of distances are slow, so there the lattice has fewer
columns; ``python -m tests.evaluation.lattice.test_monotonicity`` looks at all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import Hierarchy, LatticeEvaluator, Microdata, load_dataset
from anonopt.measures import MEASURES, SuppressionRule, measure_names
from anonopt.measures.measure import BOUNDED, FIXED, LASTING, REVERSE, UNSUPPRESSED
from tests.evaluation.lattice.small_tables import by_statistics, rules, small_tables
from tests.examples import examples
from tests.oracles.measures import NEED_K, NEED_TARGET

RULES = {
    REVERSE: {"suppression": 0.01},
    FIXED: {"suppression": 0.01, "k": 5},
    UNSUPPRESSED: {"suppression": 0},
    LASTING: {"suppression": 0.01, "k": 5, "class_bounds": {"l": 3}},
    BOUNDED: {"suppression": 0.01, "k": 5, "class_bounds": {"l": 3, "t": 0.5}},
}
NOISE = 1e-12
"""Entropies and distances are rounded, so equal ones may differ in the last digits."""

COLUMNS = ["age", "workclass", "marital-status", "race"]

every_rule = pytest.mark.parametrize("rule", RULES)


def moves(table: Microdata, frame: pd.DataFrame) -> dict[str, set[int]]:
    """For each measure, the signs of its changes (-1, 1) over all edges of the lattice."""
    lower, upper = table.lattice.edges()
    found = {}
    for name in frame.columns.difference(table.quasi_identifiers):
        values = frame[name].to_numpy()
        below, above = values[lower], values[upper]
        same = np.isclose(below, above, rtol=NOISE, atol=NOISE)
        signs = {1: above > below, -1: above < below}
        found[name] = {sign for sign, seen in signs.items() if (seen & ~same).any()}
    return found


def broken_declarations(evaluator: LatticeEvaluator, names: list[str]) -> set[str]:
    seen = moves(evaluator.table, evaluator.evaluate_all(names))
    return {name for name in names if -MEASURES[name].monotonicity(evaluator.rule) in seen[name]}


def broken(seen: dict[str, set[int]], evaluator: LatticeEvaluator) -> list[str]:
    return [n for n in seen if -MEASURES[n].monotonicity(evaluator.rule) in seen[n]]


def counted_measures(*without: frozenset[str]) -> list[str]:
    out = frozenset().union(*without)
    return [name for name in by_statistics(measure_names("node")) if name not in out]


@given(small_tables(), st.data())
@examples(32)
def test_declarations_hold_on_random_lattices(small, data):
    rule = data.draw(rules(small))
    evaluator = LatticeEvaluator(small.table, accelerator="numpy", **rule)
    assert broken_declarations(evaluator, small.measures(rule["k"])) == set()


def moves_under(rule: str, table: Microdata) -> dict[str, set[int]]:
    """Moves of every measure that is counted."""
    without = NEED_TARGET if "k" in RULES[rule] else NEED_TARGET | NEED_K
    evaluator = LatticeEvaluator(table, **RULES[rule])
    return moves(table, evaluator.evaluate_all(counted_measures(without)))


@pytest.fixture(scope="module")
def moves_on_adult(adult) -> Callable[[str], dict[str, set[int]]]:
    """Moves of every measure that is counted, under a rule; looked at once a rule."""
    return cache(lambda rule: moves_under(rule, some_columns() if rule == BOUNDED else adult))


def some_columns(**roles: str) -> Microdata:
    return load_dataset("adult", quasi_identifiers=COLUMNS, **roles)


@every_rule
def test_declarations_hold_on_all_edges_of_adult(adult, moves_on_adult, rule):
    lower, _ = adult.lattice.edges()
    assert len(lower) == 96896
    seen = moves_on_adult(rule)
    assert {"k", "glm", "discernibility"} <= set(seen)
    assert broken(seen, LatticeEvaluator(adult, **RULES[rule])) == []


@every_rule
def test_declarations_of_the_classification_metric_hold_on_all_edges_of_adult(adult_target, rule):
    table = some_columns(target="income") if rule == BOUNDED else adult_target
    evaluator = LatticeEvaluator(table, **RULES[rule])
    assert broken_declarations(evaluator, sorted(NEED_TARGET)) == set()


@every_rule
def test_declarations_of_class_measures_hold_on_a_part_of_adult(four_columns, rule):
    """These are the slow ones; 224 of the nodes, with the classes of four of the columns."""
    evaluator = LatticeEvaluator(four_columns, **RULES[rule])
    names = [name for name in MEASURES if MEASURES[name].from_classes is not None]
    assert len(names) == 13
    if "k" not in RULES[rule]:
        names = [name for name in names if name not in NEED_K]
    assert broken_declarations(evaluator, names) == set()


@pytest.fixture(scope="module")
def four_columns() -> Microdata:
    names = ["age", "workclass", "marital-status", "income"]
    table = load_dataset("adult", quasi_identifiers=names)
    groups = Hierarchy.ordered(table.sensitive_labels, fan_outs=[3, 2])
    return Microdata(
        table.frame,
        quasi_identifiers=names,
        hierarchies={**table.hierarchies, table.sensitive: groups},
        sensitive=table.sensitive,
        population=pd.concat([table.frame, table.frame[::3]]),
    )


def test_what_is_monotone_by_definition_is_declared_so():
    assert {name for name, measure in MEASURES.items() if REVERSE in measure.rising} == {
        "k", "l_all", "S_k", "S_l", "generalization_level", "height",
    }  # fmt: skip
    assert "feasible" in {n for n, measure in MEASURES.items() if FIXED in measure.rising}
    assert UNSUPPRESSED in MEASURES["glm"].rising


@pytest.mark.parametrize("name", ["l", "glm", "glm_normalized"])
def test_not_monotone_on_adult_under_the_reverse_rule(adult, moves_on_adult, name):
    """Dewri's problems have this trap: l over kept classes and glm can both fall."""
    assert MEASURES[name].monotonicity(LatticeEvaluator(adult, **RULES[REVERSE]).rule) == 0
    assert moves_on_adult(REVERSE)[name] == {1, -1}


@pytest.mark.parametrize("name", ["l", "glm", "precision_loss", "discernibility", "k", "classes"])
def test_not_monotone_on_adult_under_the_fixed_rule(adult, moves_on_adult, name):
    assert MEASURES[name].monotonicity(LatticeEvaluator(adult, **RULES[FIXED]).rule) == 0
    assert moves_on_adult(FIXED)[name] == {1, -1}


@pytest.mark.parametrize("rule", [REVERSE, FIXED])
def test_the_classification_metric_is_not_monotone_with_suppression(adult_target, rule):
    evaluator = LatticeEvaluator(adult_target, **RULES[rule])
    assert MEASURES["cm"].monotonicity(evaluator.rule) == 0
    assert moves(adult_target, evaluator.evaluate_all(["cm"])) == {"cm": {1, -1}}


def test_precision_loss_is_not_monotone_under_the_reverse_rule(four_columns):
    """On Adult it takes a larger budget than the others for that to be seen."""
    evaluator = LatticeEvaluator(four_columns, suppression=0.2)
    found = moves(four_columns, evaluator.evaluate_all(["precision_loss"]))
    assert found == {"precision_loss": {1, -1}}


def test_rules_are_told_apart():
    k = MEASURES["k"]
    assert k.monotonicity(SuppressionRule(budget=3)) == 1
    assert k.monotonicity(SuppressionRule(budget=3, k=2)) == 0
    assert MEASURES["suppressed"].monotonicity(SuppressionRule(budget=3)) == 0
    assert MEASURES["suppressed"].monotonicity(SuppressionRule(budget=3, k=2)) == -1
    assert MEASURES["glm"].monotonicity(SuppressionRule(budget=0)) == 1
    assert MEASURES["glm"].monotonicity(SuppressionRule(budget=0, k=2)) == 0


if __name__ == "__main__":
    whole = load_dataset("adult")
    found = broken(moves_under(BOUNDED, whole), LatticeEvaluator(whole, **RULES[BOUNDED]))
    others = [name for name in whole.quasi_identifiers if name != "income"]
    labelled = load_dataset("adult", quasi_identifiers=others, target="income")
    evaluator = LatticeEvaluator(labelled, **RULES[BOUNDED])
    found += broken_declarations(evaluator, sorted(NEED_TARGET))
    print(f"{whole.lattice.size + labelled.lattice.size} nodes, broken declarations: {found}")
