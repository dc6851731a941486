"""Wrong arguments of what is made of runs are told in the library's words, never in Python's."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from anonopt.experiments import load
from tests.experiments.stores_of_tests import Written, written_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    points = [[1.0, 2.0], [2.0, 1.0]]
    return written_runs(
        tmp_path_factory.mktemp("runs") / "runs.db",
        [
            Written(problem, algorithm, seed, points)
            for problem in ("p", "q")
            for algorithm in ("one", "two")
            for seed in (0, 1)
        ],
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda runs: runs.indicators(budgets=5), TypeError, "budgets: expected a list .* found 5"),
        (lambda runs: runs.indicators(budgets="5"), TypeError, "budgets: expected a list of"),
        (lambda runs: runs.indicators(budgets=[]), ValueError, "budgets: expected at least one"),
        (
            lambda runs: runs.indicators(budgets=[5], indicators=[]),
            ValueError,
            "indicators: expected at least one, found none",
        ),
        (
            lambda runs: runs.indicators(budgets=[5], indicators="hypervolume"),
            TypeError,
            "indicators: expected a list of names, found 'hypervolume'",
        ),
        (
            lambda runs: runs.indicators(budgets=[5], indicators=3),
            TypeError,
            "indicators: expected a list of names, found 3",
        ),
        (lambda runs: runs.curves(budgets=5), TypeError, "budgets: expected a list of"),
        (lambda runs: runs.curves(bogus=1), TypeError, "curves: expected .*, found 'bogus'"),
        (lambda runs: runs.targets(targets=0.5), TypeError, "targets: expected a list of numbers"),
        (lambda runs: runs.targets(algorithm=1), TypeError, "did you mean algorithms"),
        (lambda runs: runs.samples(bogus=1), TypeError, "options: expected evaluations, budget"),
        (lambda runs: runs.tests(bogus=1), TypeError, "options: expected .*, found 'bogus'"),
        (lambda runs: runs.tests(problem=["p"]), TypeError, "did you mean problems"),
        (lambda runs: runs.ranks(seeds=[1]), TypeError, "options: expected .*, found 'seeds'"),
        (lambda runs: runs.samples(problems=5), TypeError, "problems: expected several names"),
        (lambda runs: runs.summary(bogus=1), TypeError, "options: expected .*, found 'bogus'"),
        (lambda runs: runs.to_latex(bogus=1), TypeError, "options: expected .*, found 'bogus'"),
        (lambda runs: runs.to_latex(caption=5), TypeError, "caption: expected a text, found 5"),
        (lambda runs: runs.to_latex(label=5), TypeError, "label: expected a text, found 5"),
        (lambda runs: runs.to_latex(digits="2"), TypeError, "digits: expected a whole number"),
        (lambda runs: runs.to_markdown(bogus=1), TypeError, "options: expected .*, found 'bogus'"),
        (lambda runs: runs.trace(None), TypeError, "run: expected a whole number, found None"),
        (lambda runs: runs.to_pymoo("x"), TypeError, "run: expected a whole number, found 'x'"),
        (lambda runs: runs.front(1.5), TypeError, "run: expected a whole number, found 1.5"),
        (lambda runs: runs.front(True), TypeError, "run: expected a whole number, found True"),
        (lambda runs: runs.evaluations("1"), TypeError, "run: expected a whole number, found '1'"),
        (lambda runs: runs.evaluations(99), ValueError, "unknown run 99; known ones: 1, 2, 3"),
        (lambda runs: list(runs.all_evaluations([1, 0])), ValueError, "unknown run 0"),
        (lambda runs: runs.of_budget(3), ValueError, "unknown budget 3"),
        (lambda runs: runs.fronts("pp"), ValueError, "unknown problem 'pp'; did you mean p"),
        (lambda runs: load(5), TypeError, "path: expected a path, found 5"),
        (lambda runs: load(None), TypeError, "path: expected a path, found None"),
    ],
)
def test_wrong_arguments_are_told(runs, call, error, message):
    with pytest.raises(error, match=message):
        call(runs)


def test_odd_paths_are_told(runs, tmp_path):
    with pytest.raises(IsADirectoryError, match="expected the file of an experiment, found a fold"):
        load(tmp_path)
    for absent in (tmp_path / "no.db", tmp_path / "no" / "runs.db"):
        with pytest.raises(FileNotFoundError, match="expected the file of an experiment, found no"):
            load(absent)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE mine (x)")
    with pytest.raises(ValueError, match=r"other\.db: .* found another database"):
        load(other)
    other.write_text("[section]", encoding="utf-8")
    with pytest.raises(ValueError, match=r"other\.db: expected the file of an experiment"):
        load(other)
