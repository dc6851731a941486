"""Tables of many algorithms stay on their page."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

from anonopt.experiments.tables.latex import PAGE, parts_that_fit
from anonopt.experiments.tables.samples import samples
from anonopt.experiments.tables.summary import summary
from tests.experiments.tables.values_of_tests import held

NAMES = ["PBG-EA", "NSGA-II", "NSGA-III", "SPEA2", "SMS-EMOA", "random_search", "VND", "MASKING"]
PROBLEMS = ["adult-k-glm", "flare-pram-equations"]


@pytest.fixture(scope="module")
def wide():
    values = np.random.default_rng(1).random((len(PROBLEMS), len(NAMES), 4)).round(3) + 1
    cells = {
        (problem, name): values[i, j].tolist()
        for i, problem in enumerate(PROBLEMS)
        for j, name in enumerate(NAMES)
    }
    return summary(samples(held(cells), "epsilon"))


def rows_of(text):
    """Cells of each line of each tabular, by its first cell."""
    tables = text.split(r"\begin{tabular}")[1:]
    lines = [
        [line.split(" & ") for line in table.splitlines() if " & " in line] for table in tables
    ]
    return [
        {line[0]: [cell.removesuffix(r" \\") for cell in line[1:]] for line in rows}
        for rows in lines
    ]


@pytest.mark.parametrize(("columns", "sizes"), [(None, [2, 2, 2, 2]), (5, [5, 3]), (9, [8])])
def test_parts_below_each_other_hold_every_cell(wide, columns, sizes):
    parts, (whole,) = rows_of(wide.to_latex(columns=columns)), rows_of(wide.to_latex(columns=8))
    assert [len(part["problem"]) for part in parts] == sizes
    assert [list(part) for part in parts] == [["problem", *PROBLEMS, "mean rank"]] * len(sizes)
    for first, cells in whole.items():
        assert [cell for part in parts for cell in part[first]] == cells


def test_columns_are_at_least_one(wide):
    with pytest.raises(ValueError, match="columns: expected a whole number of at least 1"):
        wide.to_latex(columns=0)


def test_a_column_wider_than_the_page_stands_alone():
    assert parts_that_fit([PAGE + 1, 3], first=3) == [range(1), range(1, 2)]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("digits", [2, 4])
def test_latex_takes_it_and_nothing_is_beyond_the_margin(wide, digits, tmp_path):
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    table = wide.to_latex(digits=digits, label="tab:x")
    (tmp_path / "a.tex").write_text(f"{head}{table}\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0 and "Overfull" not in done.stdout
