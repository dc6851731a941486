"""What is exported comes back from the tools that read it, bit for bit."""

from __future__ import annotations

import json
import sys

import moocore
import numpy as np
import pandas as pd
import pytest
from pymoo.indicators.hv import HV

from anonopt.data import load_dataset
from anonopt.experiments import Experiment
from anonopt.experiments.exports.cells import cells_of
from anonopt.experiments.exports.folder import FORMATS
from anonopt.problems import LatticeProblem
from tests.experiments.grid.own_parts import Failing, Sides


def three_objectives():
    return LatticeProblem(load_dataset("german"), ["k", "glm", "height"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Problems of two and three objectives, one with infeasible solutions; one search fails."""
    experiment = Experiment(
        problems={"german": "german-k-glm", "sides": Sides, "three": three_objectives},
        algorithms={"PBG-EA": "pbgea", "a/b c": "random", "a-b c": "random", "failing": Failing},
        seeds=[3, 2**40],
        budget=60,
    )
    return experiment.run(tmp_path_factory.mktemp("runs") / "runs.db", workers=0)


def hypervolumes(runs, cell):
    point = runs.problems[cell.problem].reference_point
    return [moocore.hypervolume(runs.front(run)[1], ref=point) for run in cell.runs.index]


@pytest.fixture(params=["csv", "parquet"])
def read(request, runs, tmp_path):
    if request.param == "parquet":
        pytest.importorskip("pyarrow", reason="needs the extra scale")
    folder = tmp_path / "tables"
    runs.export(folder, format=request.param)

    def read(name):
        path = folder / f"{name}.{request.param}"
        if request.param == "csv":
            # What newer ones do by themselves.
            exactly = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}
            return pd.read_csv(path, **exactly)
        return pd.read_parquet(path)

    return read


def test_tables_hold_every_objective_of_every_row(runs, read):
    table = read("evaluations")
    assert len(table) == runs.frame["n_unique"].sum()
    for run, found in runs.all_evaluations():
        rows = table[table["run"] == run]
        n_obj = found.F.shape[1]
        columns = [f"F{i + 1}" for i in range(n_obj)]
        assert rows[columns].to_numpy().tobytes() == found.F.tobytes()
        assert rows["evaluation"].tolist() == list(range(1, len(found.F) + 1))
        assert rows["feasible"].tolist() == found.feasible.tolist()
        assert rows["seconds"].tolist() == found.seconds.tolist()
        if n_obj == 2:
            assert rows["F3"].isna().all()


def test_tables_of_runs_fronts_and_references(runs, read):
    assert read("runs")["seed"].tolist() == runs.frame["seed"].tolist()
    assert read("runs")["status"].tolist() == runs.frame["status"].tolist()
    fronts, references = read("fronts"), read("references")
    for run in runs.frame.index:
        genomes, F = runs.front(run)
        rows = fronts[fronts["run"] == run]
        assert np.array_equal(rows[[f"F{i + 1}" for i in range(F.shape[1])]], F)
        assert [json.loads(text) for text in rows["genome"]] == np.asarray(genomes).tolist()
    for name, facts in runs.problems.items():
        rows = references[references["problem"] == name]
        columns = [f"F{i + 1}" for i in range(len(facts.objectives))]
        assert np.array_equal(rows[columns], facts.reference_front)
        told = read("objectives").set_index(["problem", "objective"]).loc[name]
        assert told["name"].tolist() == list(facts.objectives)
        assert told["maximize"].tolist() == facts.maximize.tolist()
        assert told["reference_point"].tolist() == facts.reference_point.tolist()


def test_moocore_reads_the_fronts(runs, tmp_path):
    runs.export(tmp_path / "sets", format="moocore")
    cells = list(cells_of(runs))
    assert len(cells) == 9
    for cell in cells:
        sets = moocore.read_datasets(tmp_path / "sets" / f"{cell.file}.dat")
        read = [sets[sets[:, -1] == number, :-1] for number in (1, 2)]
        for run, points in zip(cell.runs.index, read, strict=True):
            assert points.tobytes() == runs.front(run)[1].tobytes()
        point = runs.problems[cell.problem].reference_point
        found = [moocore.hypervolume(points, ref=point) for points in read]
        assert found == hypervolumes(runs, cell)


def test_iohinspector_reads_every_row(runs, tmp_path):
    inspector = pytest.importorskip("iohinspector", reason="IOHinspector is not installed")
    runs.export(tmp_path / "ioh", format="iohinspector")
    manager = inspector.DataManager()
    manager.add_folder(str(tmp_path / "ioh"))
    for cell in cells_of(runs):
        chosen = manager.select(algorithms=[cell.algorithm])
        frame = chosen.load(monotonic=False, include_meta_data=True).to_pandas()
        frame = frame[frame["function_name"] == cell.problem]
        names = [
            "raw_y",
            *(f"F{i + 2}" for i in range(len(runs.problems[cell.problem].maximize) - 1)),
        ]
        point = runs.problems[cell.problem].reference_point
        for run, hypervolume in zip(cell.runs.index, hypervolumes(runs, cell), strict=True):
            rows = frame[frame["run"] == run].sort_values("evaluations")
            found = runs.evaluations(run)
            assert np.array_equal(rows[names].to_numpy(), found.F)
            assert rows["feasible"].tolist() == found.feasible.tolist()
            assert rows["seconds"].tolist() == found.seconds.tolist()
            feasible = rows.loc[rows["feasible"] == 1, names].to_numpy()
            assert moocore.hypervolume(feasible, ref=point) == pytest.approx(hypervolume, rel=1e-12)


def test_iohinspector_measures_the_same_hypervolume(runs, tmp_path):
    inspector = pytest.importorskip("iohinspector", reason="IOHinspector is not installed")
    from iohinspector.indicators import add_indicator
    from iohinspector.indicators.anytime import HyperVolume

    runs.export(tmp_path / "ioh", format="iohinspector")
    manager = inspector.DataManager()
    manager.add_folder(str(tmp_path / "ioh"))
    cell = next(iter(cells_of(runs)))
    frame = manager.select(algorithms=[cell.algorithm]).load(
        monotonic=False, include_meta_data=True
    )
    frame = frame.filter(frame["function_name"] == cell.problem)
    point = runs.problems[cell.problem].reference_point
    measured = add_indicator(
        frame, HyperVolume(point), obj_vars=["raw_y", "F2"], evals=[60]
    ).to_pandas()
    assert sorted(measured["HyperVolume"]) == pytest.approx(sorted(hypervolumes(runs, cell)))


def test_pymoo_works_on_its_results(runs):
    for cell in cells_of(runs):
        point = runs.problems[cell.problem].reference_point
        for run, hypervolume in zip(cell.runs.index, hypervolumes(runs, cell), strict=True):
            result = runs.to_pymoo(run)
            assert HV(ref_point=point)(result.F) == pytest.approx(hypervolume, rel=1e-12)
            assert result.opt.get("X").tolist() == result.X.tolist() and result.success
            assert np.array_equal(result.archive.get("F"), runs.evaluations(run).F)
            assert (
                result.archive.get("FEAS")[:, 0].tolist() == runs.evaluations(run).feasible.tolist()
            )
            assert result.exec_time > 0


def test_a_failed_run_has_no_front_for_pymoo(runs):
    result = runs.to_pymoo(runs.failed().index[0])
    assert result.X is None and result.F is None and not result.success
    assert "gave up" in result.message


def test_files_are_not_replaced_unasked(runs, tmp_path):
    (tmp_path / "notes").touch()
    with pytest.raises(FileExistsError, match="expected an empty folder"):
        runs.export(tmp_path, format="csv")
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]
    runs.export(tmp_path, format="csv", force=True)
    with pytest.raises(NotADirectoryError, match="found a file"):
        runs.export(tmp_path / "notes", format="csv")
    with pytest.raises(FileNotFoundError, match="expected an existing folder"):
        runs.export(tmp_path / "no" / "folder", format="csv")
    with pytest.raises(ValueError, match="did you mean csv"):
        runs.export(tmp_path, format="cvs")


def test_what_is_missing_is_named(runs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[scale\]'"):
        runs.export(tmp_path / "tables", format="parquet")
    assert set(FORMATS) == {"parquet", "csv", "iohinspector", "moocore"}
