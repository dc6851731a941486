"""Reference fronts that come with the library: checksums, origins, and that they are true."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import moocore
import numpy as np
import pytest

from anonopt.experiments import suite
from anonopt.experiments.suites import references, suite_experiment
from anonopt.experiments.suites.instances import FINGERPRINTS, SUITES
from anonopt.experiments.suites.proven_fronts import proven_front
from anonopt.experiments.suites.reference_search import FIRST_SEED
from anonopt.experiments.suites.references import (
    files_of,
    found_by,
    packaged_fronts,
    packaged_reference,
    read_fronts,
)

SUITE = "anonopt-2026"
SMALL = "german-k-glm"
INSTANCES = [(name, one) for name, known in FINGERPRINTS.items() for one in sorted(known)]
PROVEN_QUICKLY = [SMALL, "german-k-l-glm", "freight-10", "freight-10-k-glm"]


@pytest.mark.parametrize(("name", "instance"), INSTANCES)
def test_every_instance_has_a_front_of_a_known_origin(name, instance):
    reference, kept = packaged_reference(name, instance), packaged_fronts(name)[instance]
    assert reference.source == f"{kept.source} (suite {name})"
    assert kept.problem == FINGERPRINTS[name][instance]
    assert np.isfinite(kept.front).all()
    assert (kept.front.max(axis=0) <= kept.point).all()
    assert np.array_equal(kept.front, np.unique(kept.front, axis=0))
    assert moocore.is_nondominated(kept.front).all()
    assert set(kept.origin) == set(range(len(kept.origins)))
    for origin in kept.origins:
        assert origin["command"].startswith("anonopt experiment references")
        assert origin["version"]


@pytest.mark.parametrize(("name", "instance"), INSTANCES)
def test_no_front_is_of_runs_that_are_measured(name, instance):
    kept = packaged_fronts(name)[instance]
    budget = suite(name).instance(instance).budget
    for origin in kept.origins:
        if kept.proven_by:
            assert origin["seeds"] == []
        else:
            assert min(origin["seeds"]) >= FIRST_SEED
            assert origin["evaluations"] >= 3 * budget


@pytest.mark.parametrize("instance", PROVEN_QUICKLY)
def test_fronts_that_are_called_exact_are_the_true_ones(instance):
    found = proven_front(suite(SUITE).problem(instance))
    assert np.array_equal(packaged_reference(SUITE, instance).front, found.front)
    assert found_by(SUITE)[instance]["proven_by"] == found.proven_by


def test_every_lattice_is_exact():
    table = suite(SUITE).references
    lattices = [one.name for one in SUITES[SUITE] if one.family == "levels"]
    assert table.index[table["source"] == "exact"].tolist() == lattices


def test_frame_tells_how_each_front_was_found():
    table = suite(SUITE).references
    assert table.index.tolist() == list(FINGERPRINTS[SUITE])
    assert (table.map(str) != "").all().all()
    for name, row in table.iterrows():
        assert row["points"] == len(packaged_reference(SUITE, name).front)
        assert row["sha256"] == found_by(SUITE)[name]["sha256"]


def test_stored_runs_are_measured_again_against_the_fronts_that_are_installed(
    tmp_path, monkeypatch
):
    experiment = suite(SUITE).experiment(["random"], seeds=[0], instances=[SMALL])
    path = tmp_path / "runs.sqlite"
    before = experiment.run(path, workers=0)
    share = before.indicators(budgets=[150])["hypervolume"][0]
    own = packaged_reference(SUITE, SMALL)
    other = replace(own, front=own.front[:5], source="best known (suite by hand)")
    monkeypatch.setattr(suite_experiment, "packaged_reference", lambda suite, instance: other)
    after = experiment.run(path, workers=0)
    assert after.frame.equals(before.frame)
    assert after.problems[SMALL].reference_source == other.source
    assert np.array_equal(after.problems[SMALL].reference_front, other.front)
    assert share < after.indicators(budgets=[150])["hypervolume"][0]


def test_front_that_was_changed_is_refused(monkeypatch):
    changed = {SMALL: found_by(SUITE)[SMALL] | {"sha256": hashlib.sha256(b"").hexdigest()}}
    monkeypatch.setattr(references, "_index", lambda suite: changed)
    with pytest.raises(ValueError, match=f"{SMALL}.csv: expected a file of SHA-256 e3b0c"):
        packaged_reference(SUITE, SMALL)
    with pytest.raises(ValueError, match=f"{SMALL}.csv: expected a file of SHA-256 e3b0c"):
        _ = suite(SUITE).references


def test_files_come_back_to_the_last_bit(tmp_path):
    contents = files_of(packaged_fronts(SUITE))
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    assert files_of(read_fronts(tmp_path)) == contents
    packaged = (references._folder(SUITE) / references.INDEX).read_bytes()
    assert contents[references.INDEX] == packaged
    assert suite(SUITE).checksum == hashlib.sha256(packaged).hexdigest()


@pytest.mark.parametrize("text", ["{", "[1]", '{"a": {}}', '{"a": 3}'])
def test_index_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "index.json").write_text(text)
    (tmp_path / "a.csv").write_text("k,origin\n1.0,0\n")
    with pytest.raises(ValueError, match=r"index.json: expected an index of reference fronts"):
        read_fronts(tmp_path)


def test_folder_without_an_index_has_no_fronts(tmp_path):
    assert read_fronts(tmp_path) == {}
