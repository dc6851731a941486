"""Pictures of masked files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data.recoded_groups import recode
from anonopt.local_recoding import mondrian_groups
from anonopt.visualization import plot_risk_utility


@pytest.fixture
def populations():
    generator = np.random.default_rng(1)
    start = pd.DataFrame(generator.uniform(10, 60, (30, 2)), columns=["IL", "DR"])
    return {"start": start, "end": start * 0.8}


def drawn(axes):
    return {line.get_label(): line for line in axes.lines}


def test_map_shows_every_file_the_diagonal_and_the_pareto_set(populations):
    axes = plot_risk_utility(populations).axes[0]
    lines = drawn(axes)
    for label, population in populations.items():
        line = lines[f"{label} (30 files)"]
        np.testing.assert_array_equal(line.get_xdata(), population["DR"])
        np.testing.assert_array_equal(line.get_ydata(), population["IL"])
    diagonal = lines["IL = DR"]
    np.testing.assert_array_equal(diagonal.get_xdata(), diagonal.get_ydata())
    points = populations["end"][["DR", "IL"]].to_numpy()
    best = [p for p in points if not any((q <= p).all() and (q < p).any() for q in points)]
    front = next(line for label, line in lines.items() if label.startswith("Pareto set"))
    shown = np.column_stack([front.get_xdata(), front.get_ydata()])
    np.testing.assert_array_equal(shown, sorted(map(tuple, best)))
    assert axes.get_ylabel().startswith("IL: information loss")


def test_front_of_another_population_can_be_drawn(populations):
    lines = drawn(plot_risk_utility(populations, front="start").axes[0])
    front = next(line for label, line in lines.items() if label.startswith("Pareto set"))
    assert set(front.get_xdata()) <= set(populations["start"]["DR"])


def test_empty_population_and_single_files_are_drawn():
    one = pd.DataFrame({"IL": [10.0], "DR": [20.0]})
    lines = drawn(plot_risk_utility({"none": one[:0], "one": one}).axes[0])
    assert {"none (0 files)", "one (1 file)", "Pareto set (1 file)"} <= set(lines)
    assert "none (0 files)" in drawn(plot_risk_utility({"none": one[:0]}).axes[0])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_equal_pictures_are_equal_files(ending, populations, tmp_path):
    paths = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for path in paths:
        plot_risk_utility(populations, path=path)
    contents = [path.read_bytes() for path in paths]
    if ending != "svg":
        assert contents[0] == contents[1]
    assert len(contents[0]) > 1000


def test_what_cannot_be_drawn_is_refused(populations, tmp_path):
    with pytest.raises(ValueError, match="expected 1 to 6 of them, found 0"):
        plot_risk_utility({})
    with pytest.raises(ValueError, match=r"one of \['start', 'end'\], found 'middle'"):
        plot_risk_utility(populations, front="middle")
    with pytest.raises(ValueError, match="population 'end': expected a column 'DR'"):
        plot_risk_utility({"end": populations["end"][["IL"]]})
    with pytest.raises(ValueError, match="column 'IL': expected finite values, found nan"):
        plot_risk_utility({"end": populations["end"].assign(IL=np.nan)})
    with pytest.raises(ValueError, match="ending in one of"):
        plot_risk_utility(populations, path=tmp_path / "map.gif")


def test_nodes_local_recodings_and_masked_files_stand_on_one_map():
    table = ao.load_dataset("patients")
    names, orders = list(table.quasi_identifiers), {"age": None}
    problem = ao.problems.LatticeProblem(table, ["k", "glm"])
    nodes = problem.pareto_set()
    local = [recode(table, mondrian_groups(table, k))[0] for k in (2, 5)]
    masking = ao.masking.MDAV(k=5, columns=names, ordinal=orders)
    files = {
        "nodes": [problem.protect(node) for node in nodes],
        "local recodings": local,
        "masked": [masking.fit_transform(table.frame)],
    }
    measured = {
        label: pd.DataFrame(
            [
                ao.compare(table.frame, one, columns=names, hierarchies=table.hierarchies)
                for one in frames
            ]
        )
        for label, frames in files.items()
    }
    # One measure for all: the loss of cells is the general loss metric in percent.
    glm = problem.frame(nodes, problem.pareto_front())["glm"] / (table.n_rows * len(names))
    np.testing.assert_allclose(measured["nodes"]["DBIL"], 100 * glm)
    lines = drawn(plot_risk_utility(measured).axes[0])
    assert {"nodes (6 files)", "local recodings (2 files)", "masked (1 file)"} <= set(lines)
    # At k = 5 the local recoding loses less than the node of that k.
    assert measured["local recodings"]["IL"].iloc[1] < measured["nodes"]["IL"].iloc[2]
