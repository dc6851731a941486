"""Landscape facts of every instance of a suite: measured by a command, kept as small files."""

from __future__ import annotations

import io
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import pandas as pd

from anonopt._checks import check_integer
from anonopt.experiments.store.packing import size_text
from anonopt.experiments.suites.landscape import Landscape, landscape
from anonopt.experiments.suites.references import folder_of, found_by, packaged_reference
from anonopt.experiments.tables.pages import provenance
from anonopt.problems.base import AnonymizationProblem

FILES = ("facts.csv", "made.json")
FACTS_FILE, MADE_FILE = FILES

UNBOUNDED = "unbounded"
"""Size of a space of any number of genomes."""

MOST_OBJECTIVES = 3
PLACES = range(1, MOST_OBJECTIVES + 1)
AUTOCORRELATIONS = {i: f"autocorrelation_{i}" for i in PLACES}
CORRELATIONS = {(i, j): f"correlation_{i}{j}" for i, j in itertools.combinations(PLACES, 2)}
SHARES = ("feasible", "feasible_low", "feasible_high")
NUMBERS = (*SHARES, *AUTOCORRELATIONS.values(), *CORRELATIONS.values())
WHOLE = ("n_samples", "n_steps")


def measured_facts(
    problems: Mapping[str, AnonymizationProblem], *, seed: int, n_samples: int, n_steps: int
) -> pd.DataFrame:
    """Facts of problems, one row each; see :func:`packaged_facts` for the columns.

    Parameters
    ----------
    problems : mapping of name to problem
    seed : int
        Each problem is sampled and walked with this one, so a row does not depend on the others.
    n_samples, n_steps : int
        As :func:`~anonopt.experiments.landscape`.

    Examples
    --------
    >>> import anonopt as ao
    >>> problems = {"german": ao.get_problem("german-k-glm")}
    >>> table = measured_facts(problems, seed=1, n_samples=100, n_steps=100)
    >>> table[["objectives", "size", "n_samples", "feasible"]].values.tolist()
    [['k, glm', '648', 100, 1.0]]
    >>> table.loc["german", "empty"]
    'autocorrelation_3, correlation_13, correlation_23: there are 2 objectives'
    """
    check_integer("seed", seed, least=0)
    rows = {
        name: _row(
            landscape(problem, random_state=seed, n_samples=n_samples, n_steps=n_steps),
            problem.objective_names,
            n_steps,
        )
        for name, problem in problems.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index="instance")


def packaged_facts(suite: str) -> pd.DataFrame:
    """Landscape facts of the instances of a suite, as they come with the library.

    Parameters
    ----------
    suite : str

    Returns
    -------
    DataFrame
        One row an instance, in the order of the suite:

        - ``objectives``; ``size``, as text; ``n_samples`` distinct genomes that ``feasible`` (a
          share, with Wilson's interval of 95 % from ``feasible_low`` to ``feasible_high``) and the
          correlations are of: all genomes where it is the size;
        - ``n_front`` points of the front of the suite, which is ``front``: exact or best known;
        - ``autocorrelation_1`` to ``_3`` of neighbouring steps of a random walk of ``n_steps``, of
          the objectives in their order, -1..1: near 1 the landscape is smooth, near 0 rugged;
        - ``correlation_12``, ``_13``, ``_23``: Spearman's, of two objectives in natural units over
          the feasible genomes of the sample, -1..1;
        - ``empty``: why cells are empty, for each that is.

    Raises
    ------
    FileNotFoundError
        If none come with the library.

    Examples
    --------
    >>> packaged_facts("anonopt-2026").loc["german-k-glm", ["objectives", "size", "front"]].tolist()
    ['k, glm', '648', 'exact']
    """
    text = (_folder(suite) / FACTS_FILE).read_text(encoding="utf-8")
    table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False).set_index("instance")
    for name in WHOLE:
        table[name] = table[name].astype("int64")
    for name in NUMBERS:
        table[name] = [float(value or "nan") for value in table[name]]
    origins = found_by(suite)
    fronts = {name: packaged_reference(suite, name) for name in table.index}
    n_front = [0 if front is None else len(front.front) for front in fronts.values()]
    sources = [origins[name]["source"] if name in origins else "none" for name in fronts]
    place = list(table.columns).index("n_steps")
    table.insert(place, "n_front", n_front)
    table.insert(place + 1, "front", sources)
    return table


def has_facts(suite: str) -> bool:
    """Whether facts of a suite come with the library."""
    return bool((_folder(suite) / FACTS_FILE).is_file())


def facts_made(suite: str) -> dict[str, Any]:
    """How the facts of a suite were measured: ``made``, ``seed``, ``n_samples``, ``n_steps``."""
    made: dict[str, Any] = json.loads((_folder(suite) / MADE_FILE).read_text(encoding="utf-8"))
    return made


def facts_files(
    table: pd.DataFrame, *, seed: int, n_samples: int, n_steps: int, command: Sequence[str]
) -> dict[str, bytes]:
    """The files that hold facts, by their names.

    Parameters
    ----------
    table : DataFrame
        Of :func:`measured_facts`.
    seed, n_samples, n_steps : int
    command : sequence of str
        By which they were measured.
    """
    made = {
        "made": provenance(command),
        "seed": seed,
        "n_samples": n_samples,
        "n_steps": n_steps,
    }
    return {
        FACTS_FILE: table.to_csv(lineterminator="\n").encode(),
        MADE_FILE: (json.dumps(made, indent=1) + "\n").encode(),
    }


def told_facts(table: pd.DataFrame) -> pd.DataFrame:
    """Facts as text for people, without an empty cell.

    Parameters
    ----------
    table : DataFrame
        Of :func:`packaged_facts` or :func:`measured_facts`.

    Returns
    -------
    DataFrame of str
        ``name``, ``size``, ``feasible``, ``ruggedness`` (autocorrelation of neighbouring steps),
        ``correlation`` (of ranks), ``samples``, and ``front`` where the table has it.

    Examples
    --------
    >>> told = told_facts(packaged_facts("anonopt-2026"))
    >>> told.loc[0, ["name", "size", "feasible", "front"]].tolist()
    ['german-k-glm', '648', '100 %', '20, exact']
    """
    return pd.DataFrame([_told(str(name), row) for name, row in table.iterrows()])


def _folder(suite: str) -> Any:
    return files(__package__) / "facts" / folder_of(suite)


def _row(found: Landscape, names: Sequence[str], n_steps: int) -> dict[str, object]:
    ranks = found.rank_correlations.to_numpy()
    low, high = found.feasible_interval
    row: dict[str, object] = {
        "objectives": ", ".join(names),
        "size": size_text(found.size) or UNBOUNDED,
        "n_samples": found.n_samples,
        **dict(zip(SHARES, (found.feasible, low, high), strict=True)),
        "n_steps": n_steps,
    }
    absent, reasons = [], []
    for i, column in AUTOCORRELATIONS.items():
        value = float(found.autocorrelations.iloc[i - 1]) if i <= len(names) else math.nan
        row[column] = value
        if i > len(names):
            absent.append(column)
        elif math.isnan(value):
            reasons.append(f"{column}: {names[i - 1]} is constant or not finite on the walk")
    for (i, j), column in CORRELATIONS.items():
        value = float(ranks[i - 1, j - 1]) if j <= len(names) else math.nan
        row[column] = value
        if j > len(names):
            absent.append(column)
        elif math.isnan(value):
            reasons.append(f"{column}: {_not_ranked(found, [names[i - 1], names[j - 1]])}")
    if absent:
        count = "is 1 objective" if len(names) == 1 else f"are {len(names)} objectives"
        reasons.append(f"{', '.join(absent)}: there {count}")
    return {**row, "empty": "; ".join(reasons)}


def _not_ranked(found: Landscape, names: Sequence[str]) -> str:
    """Why two objectives have no rank correlation."""
    if round(found.feasible * found.n_samples) < 2:
        return "fewer than two feasible genomes in the sample"
    alone = found.rank_correlations
    constant = [name for name in names if alone.loc[[name], [name]].isna().to_numpy().all()]
    return f"{' and '.join(constant)} constant in the sample"


def _told(name: str, row: pd.Series[Any]) -> dict[str, str]:
    names = str(row["objectives"]).split(", ")
    reasons = dict(part.rsplit(": ", 1) for part in str(row["empty"]).split("; ") if part)
    rugged = [_value(one, row[AUTOCORRELATIONS[i]]) for i, one in enumerate(names, start=1)]
    pairs = [
        _value(f"{names[i - 1]}-{names[j - 1]}", row[column], reasons.get(column, ""))
        for (i, j), column in CORRELATIONS.items()
        if j <= len(names)
    ]
    low, most, high = (f"{100 * row[k]:.3g}" for k in ("feasible_low", "feasible", "feasible_high"))
    front = {"front": f"{row['n_front']}, {row['front']}"} if "front" in row else {}
    return {
        "name": name,
        "size": str(row["size"]),
        "feasible": f"{most} %" if low == high else f"{most} % ({low}..{high})",
        "ruggedness": ", ".join(rugged),
        "correlation": ", ".join(pairs) or "one objective",
        "samples": str(row["n_samples"]),
        **front,
    }


def _value(name: str, value: float, reason: str = "constant or not finite") -> str:
    return f"{name} none ({reason})" if math.isnan(value) else f"{name} {value:.2f}"
