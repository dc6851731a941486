"""What is exported comes back from the tools that read it, bit for bit."""

from __future__ import annotations

import json
import sys

import moocore
import numpy as np
import pandas as pd
import pytest
from pymoo.indicators.hv import HV

from anonopt.algorithms import get_algorithm
from anonopt.data import load_dataset
from anonopt.experiments import Experiment
from anonopt.experiments.exports.cells import cells_of
from anonopt.experiments.exports.folder import FORMATS
from anonopt.experiments.store.runs import ended_well
from anonopt.problems import LatticeProblem
from tests.contracts.problem_kinds import KINDS
from tests.experiments.grid.own_parts import Failing, Sides
from tests.experiments.stores_of_tests import Written, written_runs


def three_objectives():
    return LatticeProblem(load_dataset("german"), ["k", "glm", "height"])


def lattices(path):
    """Problems of two and three objectives, one with infeasible solutions; one search fails."""
    experiment = Experiment(
        problems={"german": "german-k-glm", "sides": Sides, "three": three_objectives},
        algorithms={"PBG-EA": "pbgea", "a/b c": "random", "a-b c": "random", "failing": Failing},
        seeds=[3, 2**40],
        budget=60,
    )
    return experiment.run(path, workers=0)


def fitting(problem):
    return get_algorithm("nsga2" if problem.n_obj > 1 else "ga", problem, pop_size=6)


def families(path):
    """A problem of each kind with a bound that some genomes miss, and one of one objective."""
    experiment = Experiment(
        problems={
            **{name: kind.make(constraints=dict([kind.bound])) for name, kind in KINDS.items()},
            "one": KINDS["file"].make(objectives=["score_max"]),
        },
        algorithms={"fitting": fitting},
        seeds=[0, 1],
        budget=15,
    )
    return experiment.run(path, workers=0)


def extremes(path):
    """Numbers that texts lose easily, a run that finds nothing, one that fails."""
    F = [[0.1 + 0.2, -0.0], [-1 / 3, 2 / 7], [1e308, 5e-324], [np.inf, 1.0], [1e30, 3.0]]
    return written_runs(
        path,
        [
            Written("p", "a", 0, F),
            Written("p", "a", 1, F[:3], [False, True, False]),
            Written("p", "a", 2, F, [False] * 5),
            Written("p", "a", 3, [], status="failed"),
        ],
    )


STORES = {"lattices": lattices, "families": families, "extremes": extremes}


@pytest.fixture(scope="module", params=STORES)
def runs(request, tmp_path_factory):
    return STORES[request.param](tmp_path_factory.mktemp("runs") / "runs.db")


def same(read, F):
    """All numbers of all rows, also -0.0 and what is infinite."""
    return np.ascontiguousarray(read, dtype=np.float64).tobytes() == F.tobytes()


def share_of(hypervolume, runs, problem, F):
    """Of what the tool measures, relative to the reference front as ours is; 0 of no points."""
    facts = runs.problems[problem]
    usable, parts = F[(np.abs(F) < 1e30).all(axis=1)], facts.reference_front
    point = facts.reference_point
    if F.shape[1] == 1:
        # Tools measure from two objectives on.
        usable, parts = (np.column_stack([one, np.zeros(len(one))]) for one in (usable, parts))
        point = np.array([point[0], 1.0])
    if len(usable) == 0:
        return 0.0
    return hypervolume(usable, ref=point) / moocore.hypervolume(parts, ref=point)


def our_shares(runs):
    last = int(runs.frame["n_unique"].max())
    return runs.indicators(budgets=[last]).set_index("run")["hypervolume"].to_dict()


def test_stores_have_what_is_lost_easily(runs):
    found = [one.feasible for _, one in runs.all_evaluations()]
    assert not np.concatenate(found).all() and np.concatenate(found).any()


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


def columns_of(runs, problem):
    return [f"F{i + 1}" for i in range(len(runs.problems[problem].objectives))]


def test_tables_hold_every_objective_of_every_row(runs, read):
    table, shares = read("evaluations"), our_shares(runs)
    assert len(table) == runs.frame["n_unique"].sum()
    for run, found in runs.all_evaluations():
        rows, problem = table[table["run"] == run], runs.frame.at[run, "problem"]
        columns = columns_of(runs, problem)
        assert same(rows[columns], found.F)
        assert rows["evaluation"].tolist() == list(range(1, len(found.F) + 1))
        assert rows["feasible"].tolist() == found.feasible.tolist()
        assert rows["seconds"].tolist() == found.seconds.tolist()
        assert rows[[c for c in table if c[0] == "F" and c not in columns]].isna().all(axis=None)
        if run in shares:
            usable = rows.loc[rows["feasible"], columns].to_numpy()
            measured = share_of(moocore.hypervolume, runs, problem, usable)
            assert measured == pytest.approx(shares[run], rel=1e-12)


def test_tables_of_runs_fronts_and_references(runs, read):
    assert read("runs")["seed"].tolist() == runs.frame["seed"].tolist()
    assert read("runs")["status"].tolist() == runs.frame["status"].tolist()
    fronts, references = read("fronts"), read("references")
    for run in runs.frame.index:
        genomes, F = runs.front(run)
        rows = fronts[fronts["run"] == run]
        assert same(rows[columns_of(runs, runs.frame.at[run, "problem"])], F)
        told = [json.loads(text) for text in rows["genome"]]
        assert told == (genomes if isinstance(genomes, list) else genomes.tolist())
    for name, facts in runs.problems.items():
        rows = references[references["problem"] == name]
        assert same(rows[columns_of(runs, name)], facts.reference_front)
        told = read("objectives").set_index(["problem", "objective"]).loc[name]
        assert told["name"].tolist() == list(facts.objectives)
        assert told["maximize"].tolist() == facts.maximize.tolist()
        assert told["reference_point"].tolist() == facts.reference_point.tolist()


def test_moocore_reads_the_fronts(runs, tmp_path):
    runs.export(tmp_path / "sets", format="moocore")
    cells, shares = list(cells_of(runs)), our_shares(runs)
    assert sum(len(cell.runs) for cell in cells) == ended_well(runs.frame).sum()
    for cell in cells:
        sets = moocore.read_datasets(tmp_path / "sets" / f"{cell.file}.dat")
        fronts = {run: runs.front(run)[1] for run in cell.runs.index}
        # The format has no empty sets.
        fronts = {run: F for run, F in fronts.items() if len(F)}
        assert sets[-1, -1] == len(fronts)
        for number, (run, F) in enumerate(fronts.items(), start=1):
            points = sets[sets[:, -1] == number, :-1]
            assert same(points, F)
            measured = share_of(moocore.hypervolume, runs, cell.problem, points)
            assert measured == pytest.approx(shares[run], rel=1e-12)


def test_iohinspector_reads_every_row_and_measures_the_same(runs, tmp_path):
    inspector = pytest.importorskip("iohinspector", reason="IOHinspector is not installed")
    from iohinspector.indicators import add_indicator
    from iohinspector.indicators.anytime import HyperVolume

    runs.export(tmp_path / "ioh", format="iohinspector")
    manager = inspector.DataManager()
    manager.add_folder(str(tmp_path / "ioh"))
    shares = our_shares(runs)
    for cell in cells_of(runs):
        number = 1 + list(runs.problems).index(cell.problem)
        chosen = manager.select(algorithms=[cell.algorithm], function_ids=[number])
        frame = chosen.load(monotonic=False, include_meta_data=True)
        assert set(frame["function_name"]) == {cell.problem}
        names = ["raw_y", *columns_of(runs, cell.problem)[1:]]
        for run in cell.runs.index:
            rows, found = frame.filter(frame["run"] == run), runs.evaluations(run)
            assert same(rows[names].to_numpy(), found.F)
            assert rows["evaluations"].to_list() == list(range(1, len(found.F) + 1))
            assert rows["feasible"].to_list() == found.feasible.tolist()
            assert rows["seconds"].to_list() == found.seconds.tolist()
            if len(names) == 1 or not found.feasible.any():
                continue

            def theirs(F, ref, rows=rows, names=names):
                usable = rows.filter((rows["feasible"] == 1) & (rows[names[0]] < 1e30))
                last = [int(usable["evaluations"].max())]
                measured = add_indicator(usable, HyperVolume(ref), obj_vars=names, evals=last)
                return float(measured["HyperVolume"][-1])

            measured = share_of(theirs, runs, cell.problem, found.F[found.feasible])
            assert measured == pytest.approx(shares[run], rel=1e-12)


def test_pymoo_works_on_its_results(runs):
    shares = our_shares(runs)
    for cell in cells_of(runs):
        for run in cell.runs.index:
            result, found = runs.to_pymoo(run), runs.evaluations(run)
            assert same(result.archive.get("F"), found.F)
            assert result.archive.get("FEAS")[:, 0].tolist() == found.feasible.tolist()
            assert result.exec_time > 0
            genomes, F = runs.front(run)
            assert result.success == (len(F) > 0)
            if not result.success:
                assert result.X is result.F is result.opt is None and shares[run] == 0
                continue
            assert same(result.opt.get("F"), F)
            assert [x.tolist() for x in result.opt.get("X")] == [
                [x] if isinstance(x, str) else x.tolist() for x in genomes
            ]

            def theirs(F, ref):
                return HV(ref_point=ref)(F)

            measured = share_of(theirs, runs, cell.problem, np.atleast_2d(result.F))
            assert measured == pytest.approx(shares[run], rel=1e-12)


def test_failed_runs_have_no_front_for_pymoo_and_are_in_no_set(runs):
    bad = runs.failed()
    for run, message in bad["message"].items():
        result = runs.to_pymoo(run)
        assert result.X is None and result.F is None and not result.success
        assert result.message == message
    exported = {run for cell in cells_of(runs) for run in cell.runs.index}
    assert exported == set(runs.frame.index) - set(bad.index)


@pytest.fixture
def few(tmp_path_factory):
    return extremes(tmp_path_factory.mktemp("few") / "runs.db")


def test_files_are_not_replaced_unasked(few, tmp_path):
    (tmp_path / "notes").touch()
    with pytest.raises(FileExistsError, match="expected an empty folder"):
        few.export(tmp_path, format="csv")
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]
    few.export(tmp_path, format="csv", force=True)
    with pytest.raises(NotADirectoryError, match="found a file"):
        few.export(tmp_path / "notes", format="csv")
    with pytest.raises(FileNotFoundError, match="expected an existing folder"):
        few.export(tmp_path / "no" / "folder", format="csv")
    with pytest.raises(ValueError, match="did you mean csv"):
        few.export(tmp_path, format="cvs")


def test_what_is_missing_is_named(few, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[scale\]'"):
        few.export(tmp_path / "tables", format="parquet")
    assert set(FORMATS) == {"parquet", "csv", "iohinspector", "moocore"}
