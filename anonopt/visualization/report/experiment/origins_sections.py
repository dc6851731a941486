"""Runs that failed, where all of it was run, and how it was laid down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from anonopt.experiments.store.runs import ended_well
from anonopt.visualization.report import tables
from anonopt.visualization.report.experiment.compared import Compared, count_text, names_text
from anonopt.visualization.report.experiment.overview import seeds_text
from anonopt.visualization.report.parts import Panel, Section, Text

MOST_TRACES = 20
"""Of different failures."""


def failures(of: Compared) -> Section | None:
    """Runs that did not end well, with messages and traces; None if there are none."""
    bad = of.frame[~ended_well(of.frame)]
    if len(bad) == 0:
        return None
    traces: dict[str, list[int]] = {}
    for run in bad.index:
        traces.setdefault(of.runs.trace(int(run)), []).append(int(run))
    columns = ["problem", "algorithm", "seed", "status", "message", "wall_seconds"]
    told = {trace: rows for trace, rows in traces.items() if trace}
    texts = [
        Text(f"Trace of {_runs_text(rows)}", trace)
        for trace, rows in list(told.items())[:MOST_TRACES]
    ]
    by_status = bad["status"].value_counts()
    counts = names_text([f"{n} {status}" for status, n in by_status.items()])
    notes = (
        (f"{len(told) - MOST_TRACES} further traces are not shown.",)
        if len(told) > MOST_TRACES
        else ()
    )
    panel = Panel(
        "Messages and traces",
        f"{count_text(len(bad), 'run')} did not end well: {counts}; "
        f"{names_text(list(dict.fromkeys(bad['algorithm'])))} on "
        f"{names_text(list(dict.fromkeys(bad['problem'])))}.",
        tables=(
            tables.table(
                "Runs that failed",
                bad[columns].rename(columns={"wall_seconds": "seconds"}),
                is_open=True,
            ),
        ),
        texts=tuple(texts),
        notes=notes,
        is_wide=True,
    )
    return Section("Failures", panels=(panel,))


def _runs_text(rows: list[int]) -> str:
    return f"run {rows[0]}" if len(rows) == 1 else f"runs {names_text([str(run) for run in rows])}"


def environment(of: Compared) -> Section:
    """Libraries, machines and revisions that runs were made with."""
    versions = of.runs.origins.versions
    frame = pd.DataFrame([versions.get(int(run), {}) for run in of.frame.index])
    counted = []
    for library in frame.columns:
        for version, n in frame[library].value_counts(dropna=False).items():
            counted.append((library, version, int(n)))
    for kind in ("machine", "revision"):
        for value, n in of.frame[kind].value_counts(dropna=False).items():
            counted.append((kind, value, int(n)))
    table = pd.DataFrame(counted, columns=["what", "value", "runs"])
    mixed = [str(name) for name in frame.columns if frame[name].nunique() > 1]
    summary = (
        f"Runs were made with different versions of {names_text(mixed)}."
        if mixed
        else "All runs were made with the same versions of the libraries."
        if len(frame)
        else "There are no runs."
    )
    created = of.runs.origins.created[:19].replace("T", " ")
    return Section(
        "Environment",
        facts={
            "File": of.runs.path.name,
            "Experiment": of.runs.name,
            "File made": f"{created} UTC",
        },
        panels=(
            Panel(
                "Versions, machines and revisions",
                summary,
                tables=(tables.table("Environment of the runs", table, is_open=True),),
                is_wide=True,
            ),
        ),
    )


def configuration(of: Compared) -> Section:
    """How problems and algorithms were made, as the file holds it."""
    origins, frame = of.runs.origins, of.runs.frame
    by_algorithm: dict[str, dict[str, Mapping[str, Any]]] = {}
    for (algorithm, problem), made_by in origins.algorithms.items():
        by_algorithm.setdefault(algorithm, {})[problem] = made_by
    described = {
        name: {**origin.made_by, "fingerprint": origin.fingerprint}
        for name, origin in origins.problems.items()
    }
    return Section(
        "Configuration",
        "As the file holds it: what each problem and algorithm was made as, with all parameters.",
        facts={
            "Seeds": seeds_text(frame),
            "Budgets": names_text(list(dict.fromkeys(frame["budget"]))) or "none",
        },
        panels=(
            Panel(
                "Problems and algorithms",
                f"{count_text(len(origins.problems), 'problem')}, "
                f"{count_text(len(by_algorithm), 'algorithm')}.",
                tables=(
                    tables.table("Problems", _problems(of)),
                    tables.table("Algorithms", _algorithms(by_algorithm)),
                ),
                texts=(
                    Text(
                        "Problems as the file describes them (JSON)",
                        json.dumps(described, indent=2),
                    ),
                    *(Text(*_described(name, made)) for name, made in by_algorithm.items()),
                ),
                is_wide=True,
            ),
        ),
    )


def _problems(of: Compared) -> pd.DataFrame:
    """A row a problem: how it was made, and what it asks for."""
    rows = []
    for name, origin in of.runs.origins.problems.items():
        facts = of.runs.problems[name]
        directions = zip(facts.objectives, facts.maximize, strict=True)
        rows.append(
            {
                "problem": name,
                "made as": _made_as(origin.made_by),
                "options": _options(origin.made_by),
                "objectives": ", ".join(
                    f"{objective} ({'max' if flag else 'min'})" for objective, flag in directions
                ),
                "genomes": f"{origin.space}, {facts.n_var} genes",
                "number of genomes": origin.size or "unbounded",
                "reference": facts.reference_source,
            }
        )
    return pd.DataFrame(rows)


def _algorithms(by_algorithm: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> pd.DataFrame:
    """A row an algorithm: how it was made for the first of its problems."""
    rows = []
    for name, made in by_algorithm.items():
        first = next(iter(made.values()))
        rows.append(
            {
                "algorithm": name,
                "made as": _made_as(first),
                "options": _options(first),
                "class": first.get("class"),
            }
        )
    return pd.DataFrame(rows)


def _made_as(made_by: Mapping[str, Any]) -> str:
    name = made_by.get("name")
    return name if isinstance(name, str) else f"object of {made_by.get('class', 'unknown class')}"


def _options(made_by: Mapping[str, Any]) -> str:
    options = made_by.get("options") or {}
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in options.items()) or "none"


def _described(name: str, made: Mapping[str, Mapping[str, Any]]) -> tuple[str, str]:
    """Caption and JSON of an algorithm; that of several problems once where it is the same."""
    groups: dict[str, list[str]] = {}
    for problem, made_by in made.items():
        groups.setdefault(json.dumps(made_by, indent=2), []).append(problem)
    if len(groups) == 1:
        return f"{name} (JSON)", next(iter(groups))
    # Operators know their problem: what differs is told by the first, and who else has it.
    first, problems = next(iter(groups.items()))
    return f"{name} on {names_text(problems)}, of {len(groups)} variants (JSON)", first
