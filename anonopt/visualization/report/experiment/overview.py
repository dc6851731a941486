"""What was compared: problems, algorithms, runs that ended and that did not, and how long."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd

from anonopt.experiments.store.runs import ended_well
from anonopt.runs.search import FINISHED, STALLED
from anonopt.visualization.report import tables
from anonopt.visualization.report.experiment.compared import (
    Compared,
    count_text,
    names_text,
)
from anonopt.visualization.report.parts import Panel, Section

HOUR, MINUTE = 3600, 60


def overview(of: Compared) -> Section:
    """Begin of the report: what was compared, and what came of it."""
    frame, runs = of.frame, of.runs
    failed, missing = frame[~ended_well(frame)], missing_runs(of)
    facts = {
        "Problems": f"{len(of.problems)}",
        "Algorithms": f"{len(of.algorithms)}",
        "Seeds": seeds_text(frame),
        "Budget of a run": names_text(list(dict.fromkeys(frame["budget"]))) or "none",
        "Runs that ended well": f"{len(frame) - len(failed):,} of {len(frame) + len(missing):,}",
        "Runs that failed": f"{len(failed):,}",
        "Runs that are missing": f"{len(missing):,}",
        "Time of all runs": time_text(float(frame["wall_seconds"].sum())),
        "First and last result": _period(frame),
    }
    notes = []
    others = [
        name for name in dict.fromkeys(runs.frame["budget"]) if name not in set(frame["budget"])
    ]
    if others:
        notes.append(
            f"Runs of other budgets are in the file, too, and not in this report: "
            f"{names_text(others)}."
        )
    if len(missing):
        notes.append(
            "Runs are missing where an algorithm has no run of a seed that another one has, or "
            "none on a problem that it is laid down for: the experiment was interrupted, or goes "
            "on."
        )
    notes += _ended_before(frame)
    cells = _cells(of, missing)
    panel = Panel(
        "Runs of each algorithm on each problem",
        _summary(of, len(failed), len(missing)),
        tables=(tables.table("Runs, their ends and their times", cells, is_open=len(cells) <= 12),),
        notes=tuple(notes),
        is_wide=True,
    )
    return Section("Overview", facts=facts, panels=(panel,))


def _summary(of: Compared, n_failed: int, n_missing: int) -> str:
    frame = of.frame
    if len(frame) == 0:
        return "The file holds no run yet."
    parts = [
        f"{names_text(of.algorithms, most=12)} on {names_text(of.problems, most=12)}: "
        f"{count_text(len(frame), 'run')}"
    ]
    if n_failed == len(frame):
        parts.append("; none of them ended well.")
    elif n_failed:
        parts.append(f", of which {n_failed:,} failed.")
    else:
        parts.append(", all of which ended well.")
    if n_missing:
        parts.append(
            f" {count_text(n_missing, 'run')} are missing."
            if n_missing > 1
            else " One run is missing."
        )
    seconds = frame.groupby("algorithm", sort=False)["wall_seconds"].median()
    if seconds.nunique() > 1:
        parts.append(
            f" A run of {seconds.idxmin()} takes least time, {time_text(seconds.min())} in the "
            f"median, one of {seconds.idxmax()} most, {time_text(seconds.max())}."
        )
    return "".join(parts)


def missing_runs(of: Compared) -> pd.DataFrame:
    """Runs that the file does not hold, as far as it tells: ``problem``, ``algorithm``, ``seed``.

    A file does not say what its experiment still wants. Missing are seeds that other cells have
    with the budget of the report, on problems that an algorithm is laid down for.
    """
    columns = ["problem", "algorithm", "seed"]
    frame = of.frame
    held = set(frame[columns].itertuples(index=False, name=None))
    deterministic = of.runs.deterministic
    seeds = sorted(set(frame["seed"]))
    pairs = [(problem, algorithm) for algorithm, problem in of.runs.origins.algorithms]
    rows = []
    for (problem, algorithm), seed in itertools.product(pairs, seeds):
        is_once = algorithm in deterministic and any(
            (problem, algorithm, other) in held for other in seeds
        )
        if (problem, algorithm, seed) not in held and not is_once:
            rows.append((problem, algorithm, seed))
    return pd.DataFrame(rows, columns=columns)


def _ended_before(frame: pd.DataFrame) -> list[str]:
    """Note of runs that ended before the evaluations of their budget were spent."""
    early = frame[
        frame["budget"].str.fullmatch("[0-9]+ evaluations")
        & frame["message"].fillna("").str.startswith((FINISHED, STALLED))
    ]
    if early.empty:
        return []
    pairs = Counter(zip(early["algorithm"], early["problem"], strict=True))
    told = [f"{algorithm} on {problem} ({n:,})" for (algorithm, problem), n in pairs.items()]
    return [
        "Runs that ended before their budget, by an end of the algorithm such as its number of "
        f"generations, or as nothing new came: {names_text(told)}."
    ]


def _cells(of: Compared, missing: pd.DataFrame) -> pd.DataFrame:
    """A row a problem and algorithm."""
    keys = ["problem", "algorithm"]
    frame = of.frame.assign(failed=~ended_well(of.frame))
    counted = frame.groupby(keys, sort=False).agg(
        runs=("seed", "size"),
        failed=("failed", "sum"),
        evaluations=("n_unique", "median"),
        seconds=("wall_seconds", "median"),
    )
    lost = missing.groupby(keys, sort=False).size().rename("missing")
    whole = counted.join(lost, how="outer" if len(lost) else "left", sort=False)
    whole[["runs", "failed", "missing"]] = (
        whole[["runs", "failed", "missing"]].fillna(0).astype(np.int64)
    )
    if of.samples is not None:
        medians = of.samples.values.groupby(keys)["value"].median()
        whole[f"median {of.indicator}"] = medians.reindex(whole.index)
    named = {"evaluations": "median evaluations", "seconds": "median seconds"}
    order = ["runs", "failed", "missing", "evaluations", "seconds"]
    rest = [name for name in whole.columns if name not in order]
    return whole[[*order, *rest]].rename(columns=named).reset_index()


def seeds_text(frame: pd.DataFrame) -> str:
    """Seeds of runs, as a range where they are one."""
    seeds = sorted(set(frame["seed"]))
    if not seeds:
        return "none"
    if len(seeds) > 2 and seeds[-1] - seeds[0] == len(seeds) - 1:
        return f"{len(seeds)}, from {seeds[0]} to {seeds[-1]}"
    return f"{len(seeds)}: {names_text([str(seed) for seed in seeds])}"


def time_text(seconds: float) -> str:
    """Time in the unit that fits.

    Examples
    --------
    >>> time_text(0.25), time_text(90), time_text(7200)
    ('0.25 s', '1.5 min', '2.0 h')
    """
    if seconds >= HOUR:
        return f"{seconds / HOUR:.1f} h"
    return f"{seconds / MINUTE:.1f} min" if seconds >= MINUTE else f"{seconds:.2g} s"


def _period(frame: pd.DataFrame) -> str:
    if len(frame) == 0:
        return "none"
    first, last = (
        str(end)[:16].replace("T", " ")
        for end in (frame["finished"].min(), frame["finished"].max())
    )
    return f"{first} UTC" if first == last else f"{first} to {last} UTC"
