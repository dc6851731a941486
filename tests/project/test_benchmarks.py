"""Benchmarks run on small sizes, and their anatomy reports what it should."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from benchmarks.__main__ import FILES, main
from benchmarks._bench import Benchmark, Goal, Way, duration, measure, measure_file, require


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks name the folder of shared data in the environment."""
    monkeypatch.setattr(os, "environ", os.environ.copy())


@pytest.mark.parametrize("name", FILES)
def test_results_agree_on_small_sizes(name, shared_data):
    # Once again, as what is set up before each call has to come out the same.
    rows = measure_file(name, quick=True, quick_repeats=1)
    assert [row.note for row in rows if row.note] == []
    assert all(0 < row.minimum <= row.median for row in rows)


def sums(**options) -> Benchmark:
    """Two ways to add up numbers, of which the second is said to do 1000 units a call."""
    return Benchmark(
        name="sums",
        unit="number",
        sizes={"100 numbers": 100},
        quick={"10 numbers": 10},
        setup=lambda n: list(range(n)),
        ways={
            "loop": Way(start=lambda numbers: lambda: sum(x for x in numbers), memory=True),
            "sum": Way(start=lambda numbers: lambda: sum(numbers), units=1000, repeats=3),
        },
        check=lambda numbers, results: require(results["loop"] == results["sum"], "sums differ"),
        **options,
    )


def test_a_row_for_each_way_with_times_of_one_unit():
    loop, one = measure(sums())
    assert (loop.benchmark, loop.size, loop.way, loop.unit) == (
        "sums", "100 numbers", "loop", "number",
    )  # fmt: skip
    assert loop.ratio == 1
    assert one.ratio == loop.minimum / one.minimum > 100
    assert loop.megabytes < 0.1
    assert one.megabytes is None


def test_median_is_compared_if_it_is_asked_for():
    loop, one = measure(sums(compare="median"))
    assert one.ratio == loop.median / one.median


def test_work_before_the_call_is_not_timed_and_runs_anew():
    started = []

    def start(numbers):
        started.append(sum(range(100_000)))
        return lambda: None

    benchmark = replace(sums(), ways={"nothing": Way(start=start)}, check=lambda *_: None)
    (row,) = measure(benchmark)
    assert row.median < 1e-4
    assert len(started) == 6


def test_goals_are_met_by_what_was_found():
    rows = list(
        measure(
            sums(
                goals=[
                    Goal(way="sum", faster=2, than="loop"),
                    Goal(way="sum", seconds=1.0),
                    Goal(way="loop", seconds=1e-12),
                    Goal(way="loop", megabytes=0),
                    Goal(way="loop", seconds=0, sizes=["another size"]),
                ]
            )
        )
    )
    verdicts = [(row.way, verdict.met) for row in rows for verdict in row.verdicts]
    assert verdicts == [("loop", False), ("loop", False), ("sum", True), ("sum", True)]
    too_slow, too_large = [text for row in rows for text in row.misses()]
    assert too_slow == f"sums, 100 numbers, loop: {duration(rows[0].minimum)} (at most 0.001 ns)"
    assert too_large.startswith("sums, 100 numbers, loop: ")
    assert too_large.endswith(" MB (at most 0)")


def test_small_sizes_have_no_goals():
    (row, _) = measure(sums(goals=[Goal(way="loop", seconds=0)]), quick=True)
    assert (row.size, row.verdicts) == ("10 numbers", ())


def test_no_times_where_results_differ():
    def check(numbers, results):
        require(results["loop"] == -1, "sums differ")

    (row,) = measure(replace(sums(), check=check))
    assert row.minimum is None
    assert row.misses() == ["sums, 100 numbers: no times: sums differ"]


def test_a_size_without_its_data_is_left_out_and_misses_nothing():
    def setup(n):
        raise FileNotFoundError("no file of numbers")

    (row,) = measure(replace(sums(), setup=setup))
    assert (row.note, row.misses()) == ("left out: no file of numbers", [])


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (61.2, "61.2 s"), (0.25, "250 ms"), (1.5e-5, "15 µs"), (2e-8, "20 ns")],
)
def test_times_are_told_in_the_unit_that_reads_best(seconds, text):
    assert duration(seconds) == text


def test_command_prints_one_table_and_refuses_unknown_files(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["benchmarks", "--quick", "equations"])
    assert main() == 0
    machine, empty, head, rule, *rows, last_but_one, last = capsys.readouterr().out.splitlines()
    assert machine.startswith("anonopt ")
    assert empty == last_but_one == ""
    assert rule == "| " + " | ".join(["---"] * (head.count("|") - 1)) + " |"
    assert {row.count("|") for row in rows} == {head.count("|")}
    assert last == "quick: results are equal, goals are not looked at"
    monkeypatch.setattr("sys.argv", ["benchmarks", "no-such-file"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "expected some of" in capsys.readouterr().err
