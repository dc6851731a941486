"""Results on a suite, one row a run, and those of the library that come with it."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

import pandas as pd

from anonopt.experiments.performance.anytime import indicator_frame
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.runs import Runs
from anonopt.experiments.store.runs import ended_well
from anonopt.experiments.suites.references import folder_of
from anonopt.experiments.suites.suite_experiment import SuiteExperiment

MEASURED = ("hypervolume", "igd_plus", "epsilon", "found")
RUN = ["problem", "algorithm", "seed", "deterministic", "status", "message", "evaluations"]
WHOLE = ("seed", "evaluations", "budget", "n_reference")
FILES = ("runs.csv", "left_out.csv", "instances.csv", "made.json")
RUNS_FILE, LEFT_OUT_FILE, INSTANCES_FILE, MADE_FILE = FILES


@dataclass(frozen=True)
class SuiteResults:
    """What algorithms come to on a suite.

    Attributes
    ----------
    suite : str
    runs : DataFrame
        One row a run: columns of `RUN` and `MEASURED` at its end, and ``cpu_seconds``.
        Indicators are NaN of runs that did not end well.
    left_out : DataFrame
        ``problem``, ``algorithm``, ``reason`` of pairs that are not run.
    instances : DataFrame
        Of :attr:`Suite.instances`, those that were run.
    made : str
        Date, command, versions and machine.
    """

    suite: str
    runs: pd.DataFrame
    left_out: pd.DataFrame
    instances: pd.DataFrame
    made: str

    def beside(self, library: SuiteResults) -> SuiteResults:
        """These results and, on the same instances, those of the library's other algorithms.

        Raises
        ------
        ValueError
            If those of the library are of another budget or of another reference front.
        """
        _check_comparable(self.instances, library.instances)
        own = [self.runs["algorithm"], self.left_out["algorithm"]]
        names = set(pd.concat(own))
        problems = set(self.instances["name"])
        runs, left_out = (
            frame[frame["problem"].isin(problems) & ~frame["algorithm"].isin(names)]
            for frame in (library.runs, library.left_out)
        )
        kept = ", ".join(dict.fromkeys(runs["algorithm"]))
        made = f"{self.made}\n\nBeside them stored results of {kept}: {library.made}"
        return replace(
            self,
            runs=pd.concat([self.runs, runs], ignore_index=True),
            left_out=pd.concat([self.left_out, left_out], ignore_index=True),
            made=made if kept else self.made,
        )

    def values(self, indicator: str) -> pd.DataFrame:
        """Values to compare: ``problem``, ``algorithm``, ``seed``, ``value``.

        Runs that did not end well count as having found nothing. An algorithm that draws nothing
        at random has one run.
        """
        nothing = INDICATORS[indicator].nothing
        values = self.runs[indicator].where(ended_well(self.runs), nothing)
        return self.runs[["problem", "algorithm", "seed"]].assign(value=values)

    @property
    def deterministic(self) -> frozenset[str]:
        """Names of the algorithms that draw nothing at random."""
        return frozenset(self.runs.loc[self.runs["deterministic"], "algorithm"])


def _check_comparable(own: pd.DataFrame, stored: pd.DataFrame) -> None:
    both = own.merge(stored, on="name", suffixes=("", "_stored"))
    for row in both.to_dict("records"):
        for name in ("budget", "reference", "n_reference"):
            if row[name] != row[f"{name}_stored"]:
                raise ValueError(
                    f"stored results of {row['name']}: expected {name} {row[name]}, "
                    f"found {row[f'{name}_stored']}"
                )


def results_of(
    experiment: SuiteExperiment, runs: Runs, *, instances: pd.DataFrame, made: str
) -> SuiteResults:
    """Results of the runs of an experiment, which the file holds among others.

    Parameters
    ----------
    experiment : SuiteExperiment
    runs : Runs
    instances : DataFrame
        Of :attr:`Suite.instances`, those of the experiment.
    made : str
        Date, command, versions and machine.
    """
    table = experiment.rows_of(runs)
    last = max(1, int(table["n_unique"].max()))
    found = indicator_frame(runs, budgets=[last], indicators=MEASURED, of=table).set_index("run")
    frame = table.rename(columns={"n_unique": "evaluations"}).assign(
        deterministic=table["algorithm"].isin(runs.deterministic), message=_reasons(table)
    )
    frame = frame[[*RUN, "cpu_seconds"]].join(found[list(MEASURED)])
    return SuiteResults(
        experiment.suite,
        frame[[*RUN, *MEASURED, "cpu_seconds"]].reset_index(drop=True),
        experiment.left_out,
        instances,
        made,
    )


def _reasons(table: pd.DataFrame) -> pd.Series[str]:
    """Why runs ended that did not end well; empty of the others."""
    return table["message"].where(~ended_well(table), "")


def library_results(suite: str) -> SuiteResults:
    """Results of every algorithm of the library, as they come with it.

    Parameters
    ----------
    suite : str

    Raises
    ------
    FileNotFoundError
        If none come with the library.
    """
    folder = files(__package__) / "results" / folder_of(suite)
    return from_texts({name: (folder / name).read_text(encoding="utf-8") for name in FILES})


def to_texts(results: SuiteResults) -> dict[str, str]:
    """The files that hold results, by their names."""
    return {
        RUNS_FILE: _csv(results.runs),
        LEFT_OUT_FILE: _csv(results.left_out),
        INSTANCES_FILE: _csv(results.instances),
        MADE_FILE: json.dumps({"suite": results.suite, "made": results.made}, indent=1) + "\n",
    }


def from_texts(texts: Mapping[str, str]) -> SuiteResults:
    """Results of the files that :func:`to_texts` makes."""
    described = json.loads(texts[MADE_FILE])
    return SuiteResults(
        described["suite"],
        _frame(texts[RUNS_FILE]),
        _frame(texts[LEFT_OUT_FILE]),
        _frame(texts[INSTANCES_FILE]),
        described["made"],
    )


def _csv(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False, lineterminator="\n")


def _frame(text: str) -> pd.DataFrame:
    """Table of a file; numbers come back to the last digit with every version of pandas."""
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    for name in frame.columns:
        if name in WHOLE:
            frame[name] = frame[name].astype("int64")
        elif name in (*MEASURED, "cpu_seconds"):
            frame[name] = [float(value or "nan") for value in frame[name]]
        elif name == "deterministic":
            frame[name] = frame[name] == "True"
    return frame
