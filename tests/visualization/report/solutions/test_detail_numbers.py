"""Numbers of details are those of the functions that compute them elsewhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.graphs import compare_graphs, generate_graph
from anonopt.masking import expected_table, invariant_matrix
from anonopt.masking.equations import Equation
from anonopt.problems import GraphProblem
from anonopt.visualization.report.solutions.contingency import (
    MAX_CATEGORIES,
    OTHERS,
    joint_counts,
    of_categories,
)
from anonopt.visualization.report.solutions.detail import Shown
from anonopt.visualization.report.solutions.measured_values import number_text
from anonopt.visualization.report.solutions.solution_details import solution_detail


def values_of(detail, heading):
    table = part_of(detail, heading).table
    return dict(zip(table["measure"], table["value"], strict=True))


def part_of(detail, heading):
    return next(part for part in detail.parts if part.heading.startswith(heading))


def test_lattice_figures_are_those_of_check_and_evaluator():
    problem = ao.problems.LatticeProblem(
        ao.load_dataset("german"), ["k", "glm"], k=3, suppression=0.1
    )
    node = list(problem.lattice.heights)
    node[0] -= 1
    detail = solution_detail(problem, np.array(node), Shown())
    values = values_of(detail, "Risk and loss")
    table = problem.table
    protected = problem.protect(node)
    report = ao.check(
        protected,
        quasi_identifiers=list(table.quasi_identifiers),
        sensitive=table.sensitive,
        suppressed=problem.suppressed_rows(node),
    )
    for name in ("k", "l", "t", "highest_risk", "average_risk", "suppressed", "classes"):
        if name in report and name in values:
            assert values[name] == number_text(float(report[name])), name
    assert {"k", "highest_risk", "suppressed"} <= set(values)
    levels = part_of(detail, "Levels").table
    losses = problem.evaluator.attribute_loss(node)
    assert levels["level"].tolist() == losses["level"].tolist() == node
    bars = part_of(detail, "Levels").drawing.build().data
    np.testing.assert_allclose(bars[1].x, 100 * losses["glm_normalized"])
    classes = part_of(detail, "Equivalence").table
    assert classes["rows suppressed"].sum() == report["suppressed"]
    assert classes["rows kept"].sum() + classes["rows suppressed"].sum() == table.n_rows
    assert classes["classes"].sum() == len(problem.evaluator.class_table(node).sizes)


def test_masked_file_figures_are_those_of_compare():
    problem = ao.get_problem("german-masking")
    masked = problem.original_file.copy()
    column = problem.columns.names[0]
    masked[column] = masked[column].to_numpy()[::-1]
    x = problem.genomes([masked])[0]
    detail = solution_detail(problem, x, Shown())
    orders = {
        name: list(values)
        for name, values, is_ordinal in zip(
            problem.columns.names, problem.columns.categories, problem.columns.ordinal, strict=True
        )
        if is_ordinal
    }
    figures = ao.compare(
        problem.original_file, masked, columns=list(problem.columns.names), ordinal=orders
    )
    values = values_of(detail, "Loss and risk")
    for name in ("IL", "DR", "DBIL", "CTBIL", "EBIL", "ID", "DBRL", "PRL", "score_max"):
        assert values[name] == number_text(figures[name]), name
    changed = part_of(detail, "Changed cells").table
    n_changed = (masked[column].to_numpy() != problem.original_file[column].to_numpy()).sum()
    assert changed["changed cells"].tolist() == [n_changed, 0, 0]
    before, after, difference = (
        np.array(trace.z) for trace in part_of(detail, "Contingency").drawing.build().data
    )
    assert before.sum() == after.sum() == len(masked)
    np.testing.assert_array_equal(after - before, difference)


def test_rare_categories_of_contingency_are_joined():
    values = [f"c{i:02}" for i in range(40)] + ["c00"] * 10
    frame = ao.data.CategoricalColumns.of(pd.DataFrame({"v": values, "w": ["a", "b"] * 25}))
    column = of_categories(frame, frame.codes, 0)
    assert (len(column.labels), column.labels[-1]) == (MAX_CATEGORIES, OTHERS)
    before, after = joint_counts(column, of_categories(frame, frame.codes, 1))
    assert before.sum() == 50
    np.testing.assert_array_equal(before, after)


def test_matrix_figures_are_those_of_the_matrices():
    problem = ao.get_problem("german-pram", expected=True)
    detail = solution_detail(problem, problem.start, Shown())
    matrices = problem.matrices(problem.start)
    rows = part_of(detail, "Diagonal").table
    for row, matrix, counts in zip(
        rows.itertuples(index=False), matrices, problem.frequencies, strict=True
    ):
        diagonal = np.diagonal(matrix.probabilities)
        assert row[2] == f"{diagonal.min():.4g}"
        changed = 1 - (counts * diagonal).sum() / counts.sum()
        assert row[7] == f"{100 * changed:.3g} %"
        table = part_of(detail, f"Matrix of {row[0]}").table
        assert table["expected after"].tolist() == [
            f"{value:,.1f}" for value in expected_table(matrix, counts)
        ]
    heat = part_of(detail, "Matrix of").drawing.build().data[0]
    np.testing.assert_allclose(np.array(heat.z), matrices[0].probabilities, atol=5e-4)
    values = values_of(detail, "Loss and risk")
    found = problem.natural(problem.evaluate(problem.start))
    assert [values["IL"], values["DR"]] == [number_text(value) for value in found]


def test_invariant_matrix_moves_no_frequency():
    problem = ao.get_problem("german-pram", expected=True, encoding="simplex")
    matrices = [
        invariant_matrix(matrix, counts)
        for matrix, counts in zip(problem.matrices(problem.start), problem.frequencies, strict=True)
    ]
    x = problem.genome(matrices)
    moved = part_of(solution_detail(problem, x, Shown()), "Diagonal").table["frequencies moved"]
    assert all(float(text.removesuffix(" %")) < 1e-9 for text in moved)


def test_drawn_file_is_that_of_the_seed():
    problem = ao.get_problem("german-pram", expected=True)
    details = [solution_detail(problem, problem.start, Shown(seed=seed)) for seed in (1, 2)]
    first, second = (detail.parts[-1] for detail in details)
    assert "random_state=1" in first.notes[0] and "random_state=2" in second.notes[0]
    assert not first.table.equals(second.table)
    masked = problem.protect(problem.start, random_state=1)
    names = list(map(str, problem.columns.names))
    assert first.table[names].to_numpy()[1::2].tolist() == masked[names].head(12).values.tolist()


@pytest.mark.parametrize("text", ["N", "freq_i / (N - 0.5)", "(N - freq_j) * (N - freq_j)"])
def test_equation_is_drawn_node_by_node(text):
    problem = ao.get_problem("german-pram-equations", expected=True)
    equation = Equation.parse(text)
    x = problem.space.genomes([equation])[0]
    part = part_of(solution_detail(problem, x, Shown()), "Formula")
    edges, functions, terminals = part.drawing.build().data
    assert len(functions.x) + len(terminals.x) == equation.size
    assert len(edges.x) == 3 * (equation.size - 1)
    assert part.formula == equation.mathml()
    assert part.table["reads"].iloc[0] == equation.text


def test_graph_figures_are_those_of_compare_graphs():
    graph = generate_graph("small", seed=1)
    problem = GraphProblem(graph, k=3)
    x = np.random.default_rng(1).permutation(graph.n_nodes)
    detail = solution_detail(problem, x, Shown())
    protected = problem.protect(x)
    figures = compare_graphs(graph, protected)
    values = values_of(detail, "Loss and risk")
    assert values == {name: number_text(value) for name, value in figures.items()}
    changed = part_of(detail, "Changed cells").table
    expected = [
        int((graph.codes(name) != protected.codes(name)).sum()) for name in graph.attributes
    ]
    assert changed["changed cells"].tolist() == expected
    nodes = part_of(detail, "Graph").drawing.build().data
    assert sum(len(trace.x) for trace in nodes) == 200
    rings = sum(int((np.array(trace.marker.line.width) > 0).sum()) for trace in nodes)
    assert f"{rings} of 200" in part_of(detail, "Graph").drawing.text


@pytest.mark.parametrize(("sample_rows", "example"), [(0, "*"), (2, "address3 → *")])
def test_examples_of_generalization_name_no_original_value_unless_records_are_shown(
    sample_rows, example
):
    frame = pd.DataFrame({"address": [f"address{i}" for i in range(6)]})
    table = ao.data.Microdata(frame, quasi_identifiers=["address"], hierarchies={"address": "flat"})
    problem = ao.problems.LatticeProblem(table, ["k", "glm"])
    levels = part_of(
        solution_detail(problem, np.array([1]), Shown(sample_rows=sample_rows)), "Levels"
    )
    assert levels.table["example"].tolist() == [example]
