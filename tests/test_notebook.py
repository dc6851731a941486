"""What notebooks show of objects: facts and tables, everything as text."""

from __future__ import annotations

import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient

import anonopt as ao
from anonopt._notebook import MOST_ROWS, notebook_html
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Levels

HOSTILE = "<script>alert(1)</script>"


class Heights(AnonymizationProblem):
    def _values(self, X):
        return X.sum(axis=1, keepdims=True), X[:, :1] - 1.0


def toy_problem(**names):
    return Heights(
        space=Levels(["age", "sex"], upper=[2, 1]),
        objective_names=[names.get("objective", "level")],
        maximize=[False],
        constraint_names=["low age"],
    )


def hostile_table(n_columns=1):
    names = [HOSTILE, *(f"c{i}" for i in range(1, n_columns))]
    frame = pd.DataFrame({name: [HOSTILE, "<b>b</b>", "$x_1$", None] for name in names})
    return ao.Microdata(frame, quasi_identifiers=names, hierarchies=dict.fromkeys(names, "flat"))


def hostile_result():
    problem = ao.problems.LatticeProblem(hostile_table(), ["glm"], constraints={"k": 1}, k=1)
    return ao.solve(problem, ao.algorithms.ExhaustiveSearch(), seed=1)


# Made within the test: a search compiles kernels, and all processes of the tests collect it.
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(hostile_table, id="Microdata"),
        pytest.param(lambda: hostile_table().hierarchies[HOSTILE], id="Hierarchy"),
        pytest.param(hostile_result, id="Result"),
        pytest.param(lambda: toy_problem(objective=HOSTILE), id="Heights"),
    ],
)
def test_names_and_values_are_text(make):
    shown = make()._repr_html_()
    assert "<script" not in shown and "<b>" not in shown
    assert "&lt;script&gt;" in shown
    assert "mathjax_ignore" in shown  # dollars start no formula


def test_table_tells_roles_and_shows_no_cell_of_a_row():
    adult = ao.load_dataset("adult")
    shown = adult._repr_html_()
    assert "30,162 rows" in shown and f"{adult.lattice.size:,} nodes" in shown
    rows = _rows(shown)
    assert ["age", "quasi-identifier", "72", "0", "0 to 6"] in rows
    assert ["occupation", "sensitive"] in [row[:2] for row in rows]
    assert "Bachelors" not in shown


def _rows(shown):
    return [
        re.findall(r"<td>(.*?)</td>", row, re.DOTALL)
        for row in re.findall(r"<tr>(.*?)</tr>", shown, re.DOTALL)
    ]


def test_long_tables_are_cut_and_say_so():
    shown = notebook_html("many", {}, [("", pd.DataFrame({"a": np.arange(1000)}))])
    assert "1000 rows" in shown and len(_rows(shown)) <= MOST_ROWS + 1
    assert len(hostile_table(70)._repr_html_()) < 20_000


def test_problem_tells_goals_with_bounds_and_units():
    problem = ao.problems.LatticeProblem(
        hostile_table(), ["glm"], constraints={"k": 2}, k=1, suppression=1
    )
    rows = _rows(problem._repr_html_())
    assert ["objective", "glm", "less", "cells"] in [row[:4] for row in rows]
    assert ["constraint", "k", "at least 2", "rows"] in [row[:4] for row in rows]
    assert ["constraint", "low age", "as bounded"] in _rows(toy_problem()._repr_html_())


def test_result_without_feasible_solution_shows_the_least_infeasible():
    problem = ao.problems.LatticeProblem(hostile_table(), ["glm"], constraints={"k": 99})
    shown = ao.solve(problem, ao.algorithms.ExhaustiveSearch(), seed=1)._repr_html_()
    assert "No feasible solution" in shown and "violation" in shown


def test_runs_are_counted_by_problem_and_algorithm(tmp_path):
    runs = ao.experiments.Experiment(
        problems={"toy": ao.get_problem("german-k-glm")},
        algorithms=["random", "pbgea"],
        seeds=range(2),
        budget=20,
    ).run(tmp_path / "runs.sqlite", workers=0)
    rows = [row[:5] for row in _rows(runs._repr_html_()) if row]
    assert rows == [["toy", "random", "2", "0", "20.0"], ["toy", "pbgea", "2", "0", "20.0"]]


def test_bar_of_a_notebook_ends_as_one_line():
    code = """
import anonopt as ao
problem = ao.get_problem("german-k-glm")
result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=200, seed=1, progress=True)
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    assert re.fullmatch(r"200 solutions in \d+\.\d s", output.data["text/plain"])
