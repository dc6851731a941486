"""Results on a suite as a text to read: Markdown, LaTeX or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.suites.results_of_suite import SuiteResults
from anonopt.experiments.tables.markdown import markdown_table
from anonopt.experiments.tables.samples import Samples, one_each
from anonopt.experiments.tables.significance import significance
from anonopt.experiments.tables.summary import ALIKE, WORSE, Summary, summary

INDICATOR = "hypervolume"

INTRODUCTION = """\
Every algorithm on every instance that it takes, with the budget of the instance in distinct
evaluations, which is also that of tests of nodes for algorithms that test them. What is told is the
hypervolume at the end of each run, as a share of that of the reference front: more is better, 0 is
nothing feasible. It may exceed 1 where the reference is the best known front and not the exact
one; nothing is clipped. An algorithm that draws nothing at random is run once, and its value
stands for every seed. Runs that did not end well count as having found nothing, and are listed."""

ON_GROUPS = """\
Instances stand together where the same algorithms ran, so that ranks can be taken. The least mean
rank is the best."""


class Group(NamedTuple):
    """Instances of a family on which the same algorithms have runs.

    Attributes
    ----------
    title : str
    of : Samples
    """

    title: str
    of: Samples


def groups_of(results: SuiteResults, indicator: str = INDICATOR) -> Iterator[Group]:
    """Instances that can be compared together, in their order.

    Parameters
    ----------
    results : SuiteResults
    indicator : str
        One of those that results have.
    """
    values, fixed = one_each(results.values(indicator), results.deterministic)
    ran = {
        str(problem): tuple(dict.fromkeys(rows["algorithm"]))
        for problem, rows in values.groupby("problem", sort=False)
    }
    table = results.instances
    keys = [
        (family, objectives.count(", ") + 1, frozenset(ran.get(name, ())))
        for name, family, objectives in table[["name", "family", "objectives"]].itertuples(
            index=False, name=None
        )
    ]
    for key in dict.fromkeys(keys):
        family, n_objectives, algorithms = key
        if not algorithms:
            continue
        problems = [name for name, one in zip(table["name"], keys, strict=True) if one == key]
        kind = "one objective" if n_objectives == 1 else f"{n_objectives} objectives"
        yield Group(
            f"{family}, {kind}: {', '.join(problems)}",
            Samples(
                indicator,
                INDICATORS[indicator].maximize,
                values[values["problem"].isin(problems)].reset_index(drop=True),
                problems,
                list(ran[problems[0]]),
                (),
                fixed,
            ),
        )


def winners(results: SuiteResults, *, alpha: float = 0.05) -> pd.DataFrame:
    """Who wins where.

    Parameters
    ----------
    results : SuiteResults
    alpha : float
        Level of the tests.

    Returns
    -------
    DataFrame
        One row an instance that has runs: ``instance``, ``best`` (algorithms of the best median),
        ``not told apart`` (from the first of them, by Mann-Whitney's test with Holm within the
        instance) and ``worse``.
    """
    rows = []
    for _, of in groups_of(results):
        table = summary(of, alpha=alpha)
        rows += [_won(problem, table) for problem in of.problems]
    order = {name: place for place, name in enumerate(results.instances["name"])}
    frame = pd.DataFrame(rows, columns=["instance", "best", "not told apart", "worse"])
    return frame.sort_values("instance", key=lambda names: names.map(order), ignore_index=True)


def _won(problem: str, table: Summary) -> tuple[str, str, str, str]:
    cells = {name: table.cells[problem, name] for name in table.of.algorithms}
    best = [name for name, cell in cells.items() if cell.is_best]
    alike = [name for name, cell in cells.items() if cell.mark == ALIKE and not cell.is_best]
    worse = [name for name, cell in cells.items() if cell.mark == WORSE and not cell.is_best]
    return problem, _joined(best), _joined(alike), _joined(worse)


def _joined(names: list[str]) -> str:
    return ", ".join(names) or "none"


def not_run(results: SuiteResults) -> pd.DataFrame:
    """Pairs that are not run: ``algorithm``, ``reason``, ``instances``."""
    rows = [
        (algorithm, reason, ", ".join(part["problem"]))
        for (algorithm, reason), part in results.left_out.groupby(
            ["algorithm", "reason"], sort=False
        )
    ]
    return pd.DataFrame(rows, columns=["algorithm", "reason", "instances"])


def as_markdown(results: SuiteResults) -> str:
    """A page: how it was made, instances, who wins where, medians, intervals, what is not run."""
    parts = [
        f"# Results of the suite {results.suite}",
        results.made,
        INTRODUCTION,
        "## Instances",
        markdown_table(results.instances, index=False),
        "## Who wins where",
        markdown_table(winners(results), index=False),
        "Best median; those that Mann-Whitney's test with Holm within the instance does not tell "
        "apart from it at level 0.05; those that are worse.",
        "## Medians and ranks",
        ON_GROUPS,
    ]
    intervals = []
    for title, of in groups_of(results):
        parts += [f"### {title}", summary(of).to_markdown().strip()]
        if len(of.algorithms) == 1:
            continue
        tests = significance(of)
        intervals.append(tests.intervals)
        parts += [" ".join(tests.notes)] if tests.notes else []
        if tests.friedman is not None:
            parts.append(
                f"Friedman's test over these instances, p {tests.friedman[1]:.4f}; critical "
                f"difference of mean ranks {tests.critical_difference:.2f}."
            )
    parts += [
        "## Quartiles and intervals of the medians",
        "`low` and `high`: bootstrap interval of the median at level 0.95; none where one "
        "algorithm alone ran.",
        _listed(pd.concat(intervals, ignore_index=True) if intervals else pd.DataFrame(), "None."),
        "## Seconds of processor time",
        "Median over the runs.",
        markdown_table(_seconds(results), digits=2, index=False),
        "## Runs that did not end well",
        _listed(failed(results), "None."),
        "## Not run",
        _listed(not_run(results), "Everything was run."),
    ]
    return "\n\n".join(parts) + "\n"


def failed(results: SuiteResults) -> pd.DataFrame:
    """Runs that did not end well: ``problem``, ``algorithm``, ``seed``, ``status``, ``message``."""
    columns = ["problem", "algorithm", "seed", "status", "message"]
    return results.runs.loc[results.runs["status"] != "done", columns]


def _listed(frame: pd.DataFrame, otherwise: str) -> str:
    return markdown_table(frame, index=False) if len(frame) else otherwise


def _seconds(results: SuiteResults) -> pd.DataFrame:
    cells = results.runs.groupby(["problem", "algorithm"], sort=False, as_index=False)
    medians = cells["cpu_seconds"].median()
    medians["text"] = [
        f"{name} {value:.2f}"
        for name, value in zip(medians["algorithm"], medians["cpu_seconds"], strict=True)
    ]
    rows = [
        (problem, ", ".join(part["text"]))
        for problem, part in medians.groupby("problem", sort=False)
    ]
    return pd.DataFrame(rows, columns=["instance", "algorithms"])


def as_latex(results: SuiteResults) -> str:
    """A table for each group of instances, for the package booktabs."""
    head = [f"% {line}" for line in results.made.splitlines()]
    tables = [
        summary(of).to_latex(label=f"tab:{results.suite}-{number}")
        for number, (_, of) in enumerate(groups_of(results), start=1)
    ]
    return "\n".join([*head, *tables])


def as_csv(results: SuiteResults) -> str:
    """One row a run, and one a pair that is not run, which has its reason as ``message``."""
    left_out = results.left_out.rename(columns={"reason": "message"}).assign(status="not run")
    table = pd.concat([results.runs.astype(object), left_out.astype(object)], ignore_index=True)
    return table.to_csv(index=False, lineterminator="\n")


FORMATS: dict[str, Callable[[SuiteResults], str]] = {
    ".md": as_markdown,
    ".tex": as_latex,
    ".csv": as_csv,
}
"""Writers by the ending of the file."""


def writer(path: Path) -> Callable[[SuiteResults], str]:
    """Writer of the ending of a file.

    Raises
    ------
    ValueError
        If the ending is none of a format.
    """
    if path.suffix not in FORMATS:
        raise ValueError(
            f"report: expected a file ending in {', '.join(FORMATS)}, found {str(path)!r}"
        )
    return FORMATS[path.suffix]
