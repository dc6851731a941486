"""Ranks, tests and tables of runs: what they hold, and what they say of what is missing."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from anonopt.experiments.statistics import a12, bootstrap_interval, holm, mann_whitney, wilcoxon
from anonopt.experiments.tables.latex import escaped
from anonopt.experiments.tables.markdown import markdown_table
from anonopt.experiments.tables.pairwise import better_is_more
from anonopt.experiments.tables.samples import rank_frame, samples
from anonopt.experiments.tables.significance import significance
from anonopt.experiments.tables.summary import ALIKE, BETTER, WORSE, summary
from tests.experiments.stores_of_tests import HeldRuns, Written, written_runs
from tests.experiments.tables.values_of_tests import THREE, held


def test_samples_are_the_values_of_the_runs():
    of = samples(held(THREE), "epsilon")
    assert of.of("q", "b").tolist() == pytest.approx(THREE["q", "b"])
    assert of.medians().loc["r", "c"] == pytest.approx(np.median(THREE["r", "c"]))
    low, high = np.quantile(THREE["p", "a"], [0.25, 0.75])
    assert of.ranges().loc["p", "a"] == pytest.approx(high - low)
    assert of.notes == ("Runs of each algorithm on each problem: 8.",)


def test_ranks_end_with_their_mean():
    table = rank_frame(samples(held(THREE), "epsilon"))
    assert list(table.index) == ["p", "q", "r", "mean"] and list(table.columns) == ["a", "b", "c"]
    np.testing.assert_allclose(table.loc["mean"], table.iloc[:3].mean())
    assert (table["c"] == 3).all()


def test_report_is_made_of_the_tests():
    of = samples(held(THREE), "epsilon")
    report = significance(of, random_state=3)
    pair = report.over_problems.iloc[1]
    assert (pair["first"], pair["second"], pair["won"], pair["lost"]) == ("a", "c", 3, 0)
    medians = of.medians()
    assert pair["p"] == wilcoxon(medians["c"], medians["a"]).p_value
    assert (
        report.over_problems["p_holm"].tolist() == holm(report.over_problems["p"].tolist()).tolist()
    )
    assert pair["p_first_better"] > 0.9
    within = report.within_problems.set_index(["problem", "first", "second"]).loc[("q", "a", "b")]
    assert within["p"] == mann_whitney(THREE["q", "a"], THREE["q", "b"]).p_value
    # Less is better, so the first is better where it is smaller.
    assert within["a12"] == pytest.approx(a12(THREE["q", "b"], THREE["q", "a"]))
    assert within["cliffs_delta"] == pytest.approx(2 * within["a12"] - 1)
    for problem, rows in report.within_problems.groupby("problem"):
        assert rows["p_holm"].tolist() == holm(rows["p"].tolist()).tolist(), problem
    first = report.intervals.iloc[0]
    assert (first["low"], first["high"]) != (first["lower"], first["upper"])
    assert report.friedman.n_problems == 3 and report.nemenyi.shape == (3, 3)
    assert report.power["n_runs"].tolist() == [8]


def test_report_repeats_with_its_seed():
    of = samples(held(THREE), "epsilon")
    first, again = (significance(of, random_state=3) for _ in range(2))
    pd.testing.assert_frame_equal(first.intervals, again.intervals)
    pd.testing.assert_frame_equal(first.over_problems, again.over_problems)
    assert str(first) == str(again) and first.to_markdown(digits=2) != str(first)
    for wrong, error in ((-1, ValueError), (18, ValueError), (2.0, TypeError)):
        with pytest.raises(error, match=f"digits: expected .*found {wrong}"):
            first.to_markdown(digits=wrong)
    interval = bootstrap_interval(THREE["p", "a"], random_state=np.random.default_rng(9))
    assert interval[0] <= np.median(THREE["p", "a"]) <= interval[1]


def test_a_single_problem_is_compared_by_its_runs():
    report = significance(samples(held({k: v for k, v in THREE.items() if k[0] == "p"}), "epsilon"))
    assert report.friedman is None and report.nemenyi is None
    assert math.isnan(report.critical_difference) and len(report.over_problems) == 0
    assert len(report.within_problems) == 3
    assert any(
        "all algorithms have runs: 1. Tests of all algorithms" in note for note in report.notes
    )
    assert "## epsilon" in str(report)


def test_two_algorithms_have_wilcoxons_test():
    report = significance(samples(held({k: v for k, v in THREE.items() if k[1] != "c"}), "epsilon"))
    assert report.friedman is None and len(report.over_problems) == 1
    assert any("Of two algorithms" in note for note in report.notes)
    # Three problems give a p of 0.25 at least.
    assert any("over 3 problems is at least 0.25" in note for note in report.notes)


def test_few_runs_are_told_to_show_nothing():
    few = {key: row[:3] for key, row in THREE.items()}
    report = significance(samples(held(few), "epsilon"))
    assert any("of 3 and 3 runs is at least 0.1" in note for note in report.notes)
    assert math.isnan(report.power["a12_shown"][0])
    with pytest.raises(ValueError, match="algorithms: expected at least 2 to compare, found a"):
        significance(samples(held({k: v for k, v in THREE.items() if k[1] == "a"}), "epsilon"))


def test_failed_runs_are_the_worst_or_left_out_and_told():
    failed = Written("p", "a", 8, [], status="out of memory")
    runs = held({("p", "a"): [1.0, 2.0], ("p", "b"): [3.0, 4.0, 5.0]}, extra=(failed,))
    of = samples(runs, "epsilon")
    assert of.of("p", "a").tolist() == [1, 2, math.inf]
    assert any("1 of a on p; they count as having found" in note for note in of.notes)
    assert any("1 of 6 values are infinite" in note for note in of.notes)
    assert samples(runs, "hypervolume").of("p", "a")[-1] == 0
    left = samples(runs, "epsilon", failed="left out")
    assert left.of("p", "a").tolist() == [1, 2]
    assert any("they are left out" in note for note in left.notes)
    assert any("on each problem: 3, but a 2." in note for note in left.notes)
    report = significance(of)
    assert report.within_problems["a12"].tolist() == pytest.approx([6 / 9])
    assert math.isnan(report.intervals["low"][0])


def test_problems_without_runs_of_all_algorithms_are_not_ranked_and_told():
    missing = {key: row for key, row in THREE.items() if key != ("q", "c")}
    of = samples(held(missing), "epsilon")
    assert list(rank_frame(of).index) == ["p", "r", "mean"]
    assert "Without runs: c on q." in of.notes
    assert any("are of the 2 of 3 problems on which all have runs: p, r." in n for n in of.notes)
    report = significance(of)
    assert report.friedman.n_problems == 2
    # Pairs are compared on all problems that they have in common.
    assert report.over_problems["n_problems"].tolist() == [3, 2, 2]
    text = summary(of).to_latex()
    assert [line.split(" & ")[3] for line in text.split("\n") if line.startswith("q ")] == [
        r"-- \\"
    ]


def test_problems_of_which_nothing_is_known_are_left_out_and_told(tmp_path):
    runs = written_runs(
        tmp_path / "runs.db",
        [
            Written("p", "a", 0, [[1.0, 1.0]]),
            Written("q", "a", 0, [[1.0, 1.0]], [False]),
        ],
    )
    of = runs.samples()
    assert of.problems == ["p"]
    assert "Left out, as nothing feasible is known of them: q." in of.notes


def test_only_failures_cannot_be_compared():
    with pytest.raises(ValueError, match="expected at least one that can be measured, found none"):
        samples(HeldRuns([Written("p", "a", 0, [], status="failed")]))


def test_what_is_infinite_is_farther_than_any_two_others():
    turned = better_is_more(np.array([1.0, 5.0, math.inf, math.inf]), maximize=False)
    assert turned[2] == turned[3]
    assert turned[:2].min() - turned[2] > np.ptp(turned[:2])
    assert better_is_more(np.array([math.inf] * 2), maximize=False).tolist() == [0, 0]


def test_an_algorithm_that_found_nothing_anywhere_loses_everywhere():
    medians = np.array([[1.0, math.inf], [2.0, math.inf]])
    first, second = better_is_more(medians, maximize=False).T
    assert np.isfinite(second).all() and first.min() > second.max()


def test_summary_marks_the_best_and_what_is_significant():
    table = summary(samples(held(THREE), "epsilon"))
    for problem in ("p", "q", "r"):
        row = {name: table.cells[problem, name] for name in "abc"}
        assert [name for name, cell in row.items() if cell.is_best] == [
            min(row, key=lambda name: row[name].median)
        ]
        assert row["c"].mark == WORSE
    against = summary(samples(held(THREE), "epsilon"), control="c")
    assert {against.cells["p", name].mark for name in "ab"} == {BETTER}
    assert against.cells["p", "c"].mark == ""
    alike = summary(samples(held({("p", "a"): [1, 2], ("p", "b"): [1, 2]}), "epsilon"))
    assert [alike.cells["p", name].is_best for name in "ab"] == [True, True]
    assert alike.cells["p", "b"].mark == ALIKE
    with pytest.raises(ValueError, match="unknown control 'd'"):
        summary(samples(held(THREE), "epsilon"), control="d")


def test_latex_is_booktabs_and_escaped():
    runs = held({("p_1", "a & b"): [1.0, 1.0], ("p_1", "50%"): [2.0, math.inf]})
    text = summary(samples(runs, "epsilon")).to_latex(digits=2, label="tab:x")
    for part in (
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
        r"\label{tab:x}",
        r"problem & a \& b & 50\% \\",
        r"p\_1 & \textbf{1.00} (0.00) & $\infty$ (--)$^{=}$ \\",
        r"mean rank & \textbf{1.00} & 2.00 \\",
    ):
        assert part in text, part
    assert text.count("{") == text.count("}")
    assert "epsilon" in summary(samples(runs, "epsilon")).to_latex()
    assert r"\caption{5\% \#1}" in summary(samples(runs, "epsilon")).to_latex(caption="5% #1")
    assert escaped("\\~^{}") == r"\textbackslash{}\textasciitilde{}\textasciicircum{}\{\}"


def test_latex_is_that_of_pandas():
    of = samples(held(THREE), "epsilon")
    lines = summary(of).to_latex(digits=2, caption="5% of k_1", label="tab:x").splitlines()
    # The row of mean ranks, below a line of its own, is ours alone.
    assert lines[-5] == r"\midrule" and lines[-4].startswith("mean rank & ")
    rows = [
        line.removesuffix(r" \\").split(" & ") for line in lines if line[:2] in ("p ", "q ", "r ")
    ]
    frame = pd.DataFrame(rows, columns=["problem", "a", "b", "c"])
    pandas_lines = frame.style.hide(axis="index").to_latex(
        hrules=True,
        column_format="lrrr",
        position_float="centering",
        caption=r"5\% of k\_1",
        label="tab:x",
    )
    assert lines[:-5] + lines[-3:] == pandas_lines.splitlines()


@pytest.mark.parametrize("character", [*"&%$#_{}~^\\", "a", "Ü"])
def test_characters_are_escaped_as_by_pandas(character):
    text = f"x{character}y"
    cell = pd.DataFrame([text]).style.hide(axis=0).hide(axis=1).format(escape="latex").to_latex()
    assert escaped(text).replace("{}", " ") == cell.splitlines()[1].removesuffix(r" \\")


def test_names_are_no_options_of_the_row_before():
    # LaTeX reads a bracket or a star after the end of a row as belonging to it.
    runs = held({("[p]", "a"): [1.0], ("*q", "a"): [1.0], ("r\ns", "a"): [1.0]})
    lines = summary(samples(runs, "epsilon")).to_latex().splitlines()
    assert [line.split(" & ")[0] for line in lines[7:10]] == ["{[}p]", "{*}q", "r s"]


def test_markdown_has_the_same_cells():
    of = samples(held({("p|1", "a"): [1.0, 1.0], ("p|1", "b"): [2.0, 3.0]}), "epsilon")
    lines = summary(of).to_markdown(digits=1).split("\n")
    assert lines[0] == "| problem | a | b |"
    assert lines[2] == "| p\\|1 | **1.0** (0.0) | 2.5 (0.5) = |"
    assert lines[3] == "| mean rank | **1.00** | 2.00 |"
    assert "less is better" in lines[5]
    with pytest.raises(ValueError, match="digits: expected"):
        markdown_table(pd.DataFrame(), digits=-1)


def test_markdown_takes_no_name_for_html():
    of = samples(held({("<p>", "</a>"): [1.0, 1.0], ("<p>", "b < c"): [2.0, 3.0]}), "epsilon")
    table, report = summary(of).to_markdown(), significance(of).to_markdown()
    assert "| problem | \\</a> | b < c |" in table and "| \\<p> |" in table
    assert "\\<p>" in report and "<p>" not in report.replace("\\<p>", "")
    assert "</a>" not in (table + report).replace("\\</a>", "")


def test_runs_hand_on_all_of_it(tmp_path):
    path = tmp_path / "runs.db"
    runs = written_runs(
        path,
        [
            Written(problem, algorithm, seed, [[3.0, 3.0], [place, seed], [seed, 2.0]])
            for problem in ("p", "q")
            for algorithm, place in (("a", 0.0), ("b", 1.0), ("c", 2.0))
            for seed in range(3)
        ],
    )
    assert repr(runs) == f"Runs({str(path)!r}, 18 runs of 'by hand', 0 failed)"
    assert len(runs.indicators(budgets=[1, 3])) == 36
    assert set(runs.curves()["evaluations"]) == {1, 2, 3}
    assert len(runs.targets(targets=[0.5])) == 6
    assert runs.ranks().loc["mean"].sum() == 6
    assert runs.ranks("epsilon", evaluations=1).loc["p"].tolist() == [2, 2, 2]
    assert runs.tests("igd_plus", alpha=0.1).alpha == 0.1
    assert runs.to_latex("found", control="a", digits=1).startswith("\\begin{table}")
    assert runs.to_markdown(evaluations=2).startswith("| problem")
    with pytest.raises(ValueError, match="failed: expected one of 'worst', 'left out', found 'no'"):
        runs.samples(failed="no")


def test_report_of_two_problems_holds_every_table():
    two = {key: values for key, values in THREE.items() if key[0] != "r"}
    of = samples(held(two), "epsilon")
    report = significance(of)
    pd.testing.assert_frame_equal(report.ranks, rank_frame(of))
    assert len(report.over_problems) == 3
    assert not any("Problems on which all algorithms" in note for note in report.notes)
    same = significance(of, alpha=0.05, rope=0.01, random_state=0)
    pd.testing.assert_frame_equal(report.over_problems, same.over_problems)
    pd.testing.assert_frame_equal(report.intervals, same.intervals)
    headings = [line for line in str(report).splitlines() if line.startswith("### ")]
    assert len(headings) == 7 and headings[0] == "### Ranks"
    assert "| mean | " in str(report)


def test_explanation_names_what_the_others_are_compared_with():
    of = samples(held(THREE), "epsilon")
    assert "told apart from the best median of the row (" in summary(of).explanation
    assert "told apart from c (" in summary(of, control="c").explanation


def test_one_algorithm_alone_has_no_mean_rank():
    of = samples(held({("p", "a"): [1.0, 2.0]}), "epsilon")
    assert summary(of).mean_ranks is None and "mean rank" not in summary(of).to_latex()


def test_report_explains_its_tables_and_who_is_ahead():
    values = {
        (p, a): [place + seed / 10 for seed in range(5)]
        for p in "pqrstu"
        for a, place in (("a", 1.0), ("b", 2.0), ("c", 3.0))
    }
    text = significance(samples(held(values), "epsilon"), alpha=0.1, rope=0.25).to_markdown()
    expected = "Best mean rank: a. Worse by Nemenyi's test: c. Not told apart by it: b."
    assert expected in text.splitlines()
    assert "equivalent within 0.25." in text and "interval of the median at level 0.9." in text
    assert "0.56 (small), 0.64 (medium), 0.71 (large)" in text
    equal = held({(p, a): [2.0] * 5 for p in "pq" for a in "abc"})
    assert "Best mean rank: a, b, c. Worse" in str(significance(samples(equal, "epsilon")))
