"""Adult, its lattice and the parameters of Dewri 2010, beside their print."""

from __future__ import annotations

import pytest

from anonopt.data import load_dataset
from anonopt.experiments import reproduce
from anonopt.experiments.items.verdicts import DIFFERS, SAME, judged
from anonopt.experiments.papers.dewri.adult_lattice import ITEMS, SERIES
from anonopt.problems import get_problem

BY_NAME = {item.name: item for item in ITEMS}
EXACT = ["section-4-1", "table-1a", "section-7"]


@pytest.mark.parametrize("item", ITEMS, ids=list(BY_NAME))
def test_what_is_measured_has_a_number(item):
    of_measure = [other for other in ITEMS if other.measure is item.measure]
    assert set(item.measure(1, True)) == {
        one.label for other in of_measure for one in other.printed
    }


@pytest.mark.parametrize("name", EXACT)
def test_every_number_comes_back(name):
    found = reproduce("dewri2010", name)
    assert set(found["verdict"][found["printed"].notna()]) == {SAME}


def test_the_values_of_age_are_all_from_17_to_90():
    adult = load_dataset("adult")
    ages = sorted(int(age) for age in adult.hierarchies["age"].to_frame().iloc[:, 0])
    assert ages == list(range(17, 91))
    assert (adult.frame["age"].min(), adult.frame["age"].max()) == (17, 90)
    assert BY_NAME["table-1a"].measure(1, True)["ages that occur"] == 72


@pytest.mark.parametrize(
    "one", [one for name in EXACT for one in BY_NAME[name].printed if one.value]
)
def test_a_wrong_number_is_told(one):
    assert judged(one, [float(one.value) + 1]).verdict == DIFFERS


@pytest.mark.parametrize("name", ["figure-1", "figure-2", "figure-3"])
def test_figures_show_the_exact_front_and_the_archive(name):
    points = BY_NAME[name].picture.points(True)
    assert set(points["series"]) <= set(SERIES.values())
    panel = points[points["panel"] == points["panel"].iloc[0]]
    problem_name = {
        "figure-1": "adult-k-glm",
        "figure-2": "adult-sk-glm",
        "figure-3": "adult-k-glm-cm",
    }[name]
    problem = get_problem(problem_name)
    exact = panel[panel["series"] != SERIES["right_only"]]
    front = problem.frame(*problem.pareto_set_and_front())
    assert sorted(exact["y"]) == sorted(front["glm"])
    assert len(panel[panel["series"] == SERIES["both"]]) > len(exact) / 2
