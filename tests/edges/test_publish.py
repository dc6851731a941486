"""What is published: columns, seeds, records, outputs that are safe, faults that are told."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data.output_files import write_files
from anonopt.data.row_order import shuffled
from anonopt.graphs import SocialGraph, write_graph
from anonopt.problems import LatticeProblem
from tests.cli.conftest import edited, page_blocks, people, run  # noqa: F401  # fixtures

DRAWS = [
    ("rank-swapping", "--p", 30, "--columns", "age"),
    ("pram", "--matrix", "uniform", "--columns", "illness"),
    ("additive-noise", "--share", 0.3, "--columns", "age"),
    ("correlated-noise", "--share", 0.3, "--columns", "age"),
]


def mask(run, folder, words, *more):  # noqa: F811
    method, *options = words
    output = folder / "masked.csv"
    done = run(
        "mask", method, folder / "people.csv", *options, "--output", output, "--force", *more
    )
    assert done.code == 0, done.err
    return output.read_bytes(), done


@pytest.fixture
def incomes(tmp_path):
    """A table of 300 different incomes in no order."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"age": rng.permutation(300), "illness": rng.choice(list("abcd"), 300)})
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("words", DRAWS, ids=lambda words: words[0])
def test_point_05_each_run_draws_afresh_and_equal_seeds_give_equal_files(run, incomes, words):  # noqa: F811
    assert mask(run, incomes, words)[0] != mask(run, incomes, words)[0]
    assert mask(run, incomes, words, "--seed", 3)[0] == mask(run, incomes, words, "--seed", 3)[0]


def test_point_05_same_command_does_not_unmask(run, incomes):  # noqa: F811
    original = (incomes / "people.csv").read_bytes()
    once, _ = mask(run, incomes, DRAWS[0])
    (incomes / "people.csv").write_bytes(once)
    assert mask(run, incomes, DRAWS[0])[0] != original


@pytest.mark.parametrize("words", DRAWS, ids=lambda words: words[0])
def test_point_05_seed_is_told_and_kept_only_on_request(run, incomes, words):  # noqa: F811
    seed = 918273645
    _, done = mask(run, incomes, words, "--seed", seed)
    record = incomes / "masked.csv.record.json"
    assert str(seed) not in done.out + done.err + record.read_text()
    _, done = mask(run, incomes, words, "--seed", seed, "--json")
    assert str(seed) not in done.out
    _, done = mask(run, incomes, words, "--record-seed", "--json")
    drawn = done.json["seed"]
    assert json.loads(record.read_text())["seed"] == drawn
    # What was drawn gives the same file again.
    assert (incomes / "masked.csv").read_bytes() == mask(run, incomes, words, "--seed", drawn)[0]


def test_point_05_graphs_are_clustered_afresh(run, tmp_path):  # noqa: F811
    write_graph(ao.graphs.generate_graph("small", seed=1), tmp_path / "g.graphml")

    def protected(*more):
        output = tmp_path / "out.json"
        done = run("graph", "protect", tmp_path / "g.graphml", "--k", 3, "--output", output,
                   "--force", "--json", *more)  # fmt: skip
        assert done.code == 0, done.err
        assert ("seed" in done.json) == ("--record-seed" in more)
        return output.read_bytes()

    assert protected() != protected("--record-seed")
    assert protected("--seed", 4) == protected("--seed", 4)


@pytest.mark.parametrize(
    "method",
    [ao.masking.RankSwapping(p=30), ao.masking.PRAM("uniform")],
    ids=lambda method: type(method).__name__,
)
def test_point_05_methods_without_a_seed_draw_afresh(method):
    frame = pd.DataFrame({"x": pd.Categorical(np.arange(60) % 20, ordered=True)})
    masked = [method.fit_transform(frame)["x"].tolist() for _ in range(2)]
    assert masked[0] != masked[1]


def test_point_07_undeclared_columns_are_dropped_and_told(run, people, edited):  # noqa: F811
    config = edited(('identifiers = ["name"]', "identifiers = []"))
    done = run("anonymize", config)
    assert "columns dropped:    name" in done.out
    assert "name" not in (people / "protected.csv").read_text().splitlines()[0].split(",")
    found = run("anonymize", config, "--json", "--force").json
    assert found["kept"] == ["age", "zip", "education", "joined", "illness"]
    assert found["dropped"] == ["name"]
    assert found["all_distinct"] == []


def test_point_07_kept_columns_of_distinct_values_are_warned_of(run, people, edited):  # noqa: F811
    kept = ('identifiers = ["name"]', 'keep = "all"')
    done = run("anonymize", edited(kept), "--json")
    assert (done.json["dropped"], done.json["all_distinct"]) == ([], ["name"])
    assert "every value occurs once in 'name'" in " ".join(done.err.split())
    source = pd.read_csv(people / "people.csv")
    assert pd.read_csv(people / "protected.csv")["name"].tolist() == source["name"].tolist()


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ('["nmae"]', "data.keep: unknown column 'nmae'; did you mean name?"),
        ('["name"]', "data.keep: expected no identifier, found 'name'"),
        ('"everything"', "data.keep: expected a list of columns, or \"all\", found 'everything'"),
    ],
)
def test_point_07_keep_is_checked(run, edited, keep, message):  # noqa: F811
    done = run(
        "anonymize", edited(('sensitive = "illness"', f'sensitive = "illness"\nkeep = {keep}'))
    )
    assert done.code == 2
    assert message in done.err


@pytest.mark.parametrize(
    "error", [RuntimeError("odd"), KeyError("x"), TypeError("unhashable type")]
)
def test_point_20_faults_of_ours_are_one_line_and_70(run, people, monkeypatch, error):  # noqa: F811
    def fail(*args, **options):
        raise error

    monkeypatch.setattr(LatticeProblem, "protect", fail)
    done = run("anonymize", people / "people.toml")
    assert done.code == 70
    assert re.search(r"^Fault of anonopt: .* Please report it", done.err, re.MULTILINE)
    assert "Traceback" not in done.err + done.out
    assert not (people / "protected.csv").exists()
    assert "Traceback" in run("--debug", "anonymize", people / "people.toml").err


def test_point_20_duplicate_columns_are_wrong_input(run, tmp_path):  # noqa: F811
    table = tmp_path / "t.csv"
    table.write_text("a,a,b\n1,2,3\n4,5,6\n")
    for words in (
        ("check", table, "--qi", "a"),
        ("mask", "mdav", table, "--k", 2, "--output", tmp_path / "o.csv"),
        ("compare-files", table, table),
    ):
        done = run(*words)
        assert done.code == 2
        assert "Traceback" not in done.err


def _symlink(path):
    path.symlink_to("elsewhere.csv")


def _socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


TARGETS = {
    "a symbolic link to elsewhere.csv": _symlink,
    "a pipe": os.mkfifo,
    "a socket": _socket,
}


@pytest.mark.parametrize("found", TARGETS)
@pytest.mark.parametrize("command", ["anonymize", "mask", "graph", "solve"])
def test_point_26_nothing_but_files_is_replaced(run, people, monkeypatch, found, command):  # noqa: F811
    monkeypatch.chdir(people)
    TARGETS[found](people / ("protected.csv" if command == "anonymize" else "out.csv"))
    write_graph(SocialGraph(list("ab"), [], topics=[[0], [0]], topic_names=["x"]), "g.json")
    words = {
        "anonymize": ["anonymize", "people.toml"],
        "mask": ["mask", "mdav", "people.csv", "--k", 3, "--output", "out.csv"],
        "graph": ["graph", "protect", "g.json", "--k", 2, "--output", "out.csv"],
        "solve": ["solve", "german-k-glm", "--output", "out.csv"],
    }[command]
    before = sorted(people.iterdir())
    done = run(*words, "--force")
    assert done.code == 2
    assert f"expected a file or a new name, found {found}" in done.err
    assert sorted(people.iterdir()) == before


@pytest.mark.parametrize("command", ["mask", "graph"])
@pytest.mark.parametrize("linked", [True, False])
def test_point_26_inputs_are_never_replaced(run, people, command, linked, monkeypatch):  # noqa: F811
    monkeypatch.chdir(people)
    graph = SocialGraph(list("ab"), [], topics=[[0], [0]], topic_names=["x"])
    write_graph(graph, "g.json")
    source = {"mask": "people.csv", "graph": "g.json"}[command]
    output = f"linked{source[-5:]}" if linked else f"./{source}"
    if linked:
        os.link(source, output)
    words = ["mask", "mdav", source] if command == "mask" else ["graph", "protect", source]
    content = (people / source).read_bytes()
    done = run(*words, "--k", 2, "--output", output, "--force")
    assert done.code == 2
    assert "expected a new file, found the input" in done.err
    assert (people / source).read_bytes() == content


@pytest.mark.parametrize("plot", ["x.png", "./x.png", "linked.png"])
def test_point_26_outputs_are_different_files(run, tmp_path, monkeypatch, plot):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    if plot == "linked.png":
        (tmp_path / "x.png").write_text("old")
        os.link("x.png", plot)
    done = run("solve", "german-k-glm", "--output", "x.png", "--plot", plot, "--force")
    assert done.code == 2
    assert "expected output files that differ" in done.err
    assert "Searching" not in done.err


def test_point_26_modes_are_kept_and_new_files_follow_the_umask(run, people):  # noqa: F811
    output = people / "protected.csv"
    mask_before = os.umask(0o027)
    try:
        assert run("anonymize", people / "people.toml").code == 0
        assert output.stat().st_mode & 0o777 == 0o640
        output.chmod(0o600)
        assert run("anonymize", people / "people.toml", "--force").code == 0
    finally:
        os.umask(mask_before)
    assert output.stat().st_mode & 0o777 == 0o600
    assert not [path for path in people.iterdir() if path.name.startswith(".")]


def test_point_27_raw_suppressed_rows_are_noticed_and_not_published(run, people, monkeypatch):  # noqa: F811
    applied = LatticeProblem._applied

    def raw(self, x):
        frame, suppressed = applied(self, x)
        frame.loc[suppressed, "zip"] = self.table.frame.loc[suppressed, "zip"]
        return frame, suppressed

    monkeypatch.setattr(LatticeProblem, "_applied", raw)
    before = sorted(people.iterdir())
    done = run("anonymize", people / "people.toml")
    assert done.code == 70
    assert "a suppressed row of the output shows a quasi-identifier" in done.err
    assert sorted(people.iterdir()) == before


def _raw_ages(frame):
    ages = frame["age"].where(frame["age"] == "*", [str(age) for age in range(len(frame))])
    return frame.assign(age=ages)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (_raw_ages, "not as anonymous"),
        (lambda frame: frame.iloc[[1, 0, *range(2, 9)]], "not those of the input"),
        (lambda frame: frame.assign(illness="flu"), "not those of the input"),
    ],
    ids=["generalization", "order", "cells"],
)
def test_point_27_every_row_is_checked(run, people, monkeypatch, fault, message):  # noqa: F811
    protect = LatticeProblem.protect
    monkeypatch.setattr(
        LatticeProblem, "protect", lambda self, x, **options: fault(protect(self, x, **options))
    )
    done = run("anonymize", people / "people.toml")
    assert done.code == 70
    assert message in done.err
    assert not (people / "protected.csv").exists()


@pytest.mark.parametrize("failing", [0, 1, 2, 3, 4])
def test_point_29_files_of_a_pair_are_replaced_together(tmp_path, monkeypatch, failing):
    paths = [tmp_path / name for name in ("ties.csv", "nodes.csv")]
    write_files(dict.fromkeys(paths, b"old"))
    names = ["replace", "rename", "hardlink_to", "unlink"]
    calls = 0
    for name in names:
        real = getattr(type(paths[0]), name)

        def fails(self, *args, real=real, **options):
            nonlocal calls
            calls += 1
            if calls == failing + 1:
                raise OSError(5, "Input/output error")
            return real(self, *args, **options)

        monkeypatch.setattr(type(paths[0]), name, fails)
    # Where a file cannot get a second name it is copied, and where a name cannot go it stays.
    with suppress(OSError):
        write_files(dict.fromkeys(paths, b"new"))
    assert len({path.read_bytes() for path in paths}) == 1


def test_point_35_record_tells_what_was_made_of_what(run, people):  # noqa: F811
    assert run("anonymize", people / "people.toml").code == 0
    record = json.loads((people / "protected.csv.record.json").read_text())
    assert record["command"] == "anonymize"
    assert set(record["versions"]) == {"anonopt", "numpy", "pandas", "pymoo"}
    for file in (*record["inputs"], *record["outputs"]):
        content = Path(file["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
    assert record["columns"]["dropped"] == ["name"]
    assert record["hierarchies"]["zip"]["built"] == {"builder": "text"}
    assert len(record["hierarchies"]["age"]["fingerprint"]) == 64
    assert record["parameters"]["search"]["k"] == 3
    assert record["figures"]["suppressed"] == 1
    assert "seed" not in record


def test_point_35_no_record_where_none_is_wanted(run, people, edited):  # noqa: F811
    assert run("anonymize", edited(("[output]", "[output]\nrecord = false"))).code == 0
    mask(run, people, ("mdav", "--k", 3, "--columns", "age"), "--no-record")
    assert not list(people.glob("*.record.json"))


def test_point_36_release_in_shuffled_order(run, people, edited):  # noqa: F811
    config = edited(("[output]", "[output]\nshuffle = true\nrecord_seed = true"))
    plain = people / "people.toml"
    found = run("anonymize", config, "--json").json
    rows = (people / "protected.csv").read_text().splitlines()[1:]
    again = edited(("record_seed = true", f"record_seed = true\nseed = {found['seed'] % 2**63}"))
    assert run("anonymize", again, "--json", "--force").code == 0
    assert sorted((people / "protected.csv").read_text().splitlines()[1:]) == sorted(rows)
    assert plain.exists()


def test_point_36_shuffled_keeps_rows_whole_and_no_index():
    frame = pd.DataFrame({"a": range(50), "b": range(50)}, index=list(range(50, 100)))
    one, other = shuffled(frame, 1), shuffled(frame)
    assert (one["a"] == one["b"]).all()
    assert sorted(one["a"]) == list(range(50))
    assert list(other.index) == list(range(50))
    assert one["a"].tolist() != list(range(50))
    assert one.equals(shuffled(frame, 1))
