"""Reports are written of whatever holds an experiment or a run."""

from __future__ import annotations

import pytest

import anonopt as ao
from anonopt.visualization import write_report
from anonopt.visualization.report.writing import is_experiment
from tests.experiments.stores_of_tests import experiment


@pytest.fixture(scope="module")
def result():
    return ao.solve(ao.get_problem("german-k-glm"), ao.algorithms.PBGEA(), budget=20, seed=1)


def test_experiments_by_object_and_by_path(tmp_path):
    runs = experiment().run(tmp_path / "x.sqlite", workers=0)
    first = write_report(runs, tmp_path / "a.html", most_solutions=1)
    second = write_report(str(runs.path), tmp_path / "b.html", most_solutions=1)
    assert first.read_bytes() == second.read_bytes()
    assert b"<h1>Experiment</h1>" in first.read_bytes()


def test_runs_by_object_and_by_path(result, tmp_path):
    ao.save_run(result, tmp_path / "run.npz")
    for name, what in (("a", result), ("b", tmp_path / "run.npz")):
        path = write_report(what, tmp_path / f"{name}.html", title="My <b>run</b>")
        assert "<h1>My &lt;b&gt;run&lt;/b&gt;</h1>" in path.read_text(encoding="utf-8")


def test_what_is_neither_is_refused_before_anything_is_written(tmp_path):
    other = tmp_path / "other.sqlite"
    other.write_text("neither")
    target = tmp_path / "x.html"
    for what, error, message in (
        (5, TypeError, "expected Runs, a Result"),
        (other, ValueError, "found another file"),
        (tmp_path / "none.npz", FileNotFoundError, "none.npz: expected the file of .*, found none"),
        (tmp_path, IsADirectoryError, str(tmp_path)),
    ):
        with pytest.raises(error, match=message):
            write_report(what, target)
    assert not target.exists()
    with pytest.raises(FileNotFoundError, match="expected an existing folder"):
        write_report(other, tmp_path / "no" / "x.html")
    with pytest.raises(ValueError, match="expected a new file"):
        write_report(other, other)


def test_other_endings_are_refused(result, tmp_path):
    for name in ("x.pdf", "x"):
        with pytest.raises(ValueError, match=f"path: expected a file ending in .html .*{name}"):
            write_report(result, tmp_path / name)
        assert not (tmp_path / name).exists()
    assert write_report(result, tmp_path / "x.HTM").exists()


def test_kind_of_a_file_is_told_by_its_content(result, tmp_path):
    path = tmp_path / "named.sqlite"
    ao.save_run(result, tmp_path / "run.npz")
    (tmp_path / "run.npz").rename(path)
    assert not is_experiment(path)
