"""anonopt demo: offline, complete, and true to the searches."""

from __future__ import annotations

import socket

import numpy as np
import pandas as pd
import pytest

from anonopt.problems import get_problem


@pytest.fixture(scope="module")
def exact():
    problem = get_problem("adult-k-glm")
    return problem.frame(*problem.pareto_set_and_front())


def test_demo_writes_the_fronts_and_a_picture(run, tmp_path, monkeypatch, exact):
    def refuse(*args: object) -> None:
        raise AssertionError("the demo used the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    folder = tmp_path / "out"
    words = ["demo", "--output", folder, "--budget", 250]
    found = run(*words, "--json").json
    front = pd.read_csv(folder / "front.csv")
    assert list(front.columns) == ["algorithm", *exact.columns]
    parts = dict(list(front.groupby("algorithm")))
    assert parts.keys() == found["runs"].keys() == {"exhaustive", "pbgea", "nsga2"}
    np.testing.assert_allclose(parts["exhaustive"][exact.columns], exact)
    for name, part in parts.items():
        assert len(part) == found["runs"][name]["points"]
        assert found["runs"][name]["n_unique"] == (17920 if name == "exhaustive" else 250)
        # Nothing that a search finds is better than the exact front.
        for point in part.itertuples():
            assert not ((exact["k"] <= point.k) & (exact["glm"] > point.glm + 1e-6)).all()
    assert found["runs"]["exhaustive"]["hypervolume"] == 1
    assert 0 < found["runs"]["pbgea"]["hypervolume"] < 1
    assert 0 < found["runs"]["nsga2"]["representation_ratio"] < 1
    assert (folder / "front.png").read_bytes().startswith(b"\x89PNG")

    again = run(*words)
    assert again.code == 0
    assert "PBG-EA" in again.out
    assert "k = 5, loss = 71,253.4 cells, 29.5% of the largest" in again.out


def test_folder_that_is_a_file_is_refused(run, tmp_path):
    path = tmp_path / "out"
    path.write_text("precious", encoding="utf-8")
    outcome = run("demo", "--output", path)
    assert outcome.code == 2
    assert "expected a folder" in outcome.err
    assert path.read_text(encoding="utf-8") == "precious"
