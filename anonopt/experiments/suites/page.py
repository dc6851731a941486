"""Results on a suite as a text to read: Markdown, LaTeX or CSV."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pandas as pd

from anonopt.experiments.store.runs import ended_well
from anonopt.experiments.suites.facts import facts_made, has_facts, packaged_facts, told_facts
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.results_of_suite import SuiteResults
from anonopt.experiments.suites.standings import Group, groups_of, standings, winners
from anonopt.experiments.tables.markdown import markdown_table
from anonopt.experiments.tables.significance import interval_frame, significance
from anonopt.experiments.tables.summary import summary

ALPHA = 0.05

INTRODUCTION = """\
Every algorithm on every instance that it takes, with the budget of the instance in distinct
evaluations, which is also that of tests of nodes for algorithms that test them. What is told is the
hypervolume at the end of each run, as a share of that of the reference front: more is better, 0 is
nothing feasible. The reference is the exact front where the table of instances says so, and
otherwise the best known one, which a run may exceed; nothing is clipped.

An algorithm that draws nothing at random has one run, whatever the number of seeds. The runs of
others are compared with its value by the sign test, with each other by Mann-Whitney's, and two
values of algorithms that draw nothing at random are compared as they are, without a test. All p
values of an instance are corrected by Holm, level 0.05. Runs that did not end well count as having
found nothing, and are listed."""

ON_WINNERS = """\
`best`: the best median; `low` and `high`: its bootstrap interval at level 0.95; `not told apart`:
those whose runs no test tells from the first of the best; `worse`: all others that ran."""

ON_STANDINGS = """\
Instances of a family stand together, those of one objective apart from those of several. Ranks are
of the medians, 1 is the best, among the algorithms that ran on every instance of the group; those
that did not, for the reasons below, have none. `low` and `high` are the bootstrap interval of the
mean rank over the instances at level 0.95, wide where they are few; of one instance there is none.
`best`, `not told apart` and `worse` count instances."""

FACTS = ["feasible", "ruggedness", "correlation", "samples"]

ON_FACTS = """\
`size`: genomes; `n_reference`: points of the reference front; `feasible`: share of `samples`
genomes drawn at random, with its interval of 95 %; `ruggedness`: autocorrelation of an objective
over steps of a random walk, near 1 smooth and near 0 rugged; `correlation`: Spearman's, of two
objectives over the samples."""


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
    groups = list(groups_of(results))
    parts = [
        f"# Results of the suite {results.suite}",
        results.made,
        INTRODUCTION,
        "## Who wins where",
        ON_WINNERS,
        markdown_table(winners(results, alpha=ALPHA), index=False),
        "## Standing in each family",
        ON_STANDINGS,
        *_told_standings(results),
        "## Instances",
        *_told_instances(results),
        "## Medians",
        *(text for group in groups for text in _told_group(group)),
        "## Quartiles and intervals of the medians",
        "`lower` and `upper`: quartiles; `low` and `high`: bootstrap interval of the median at "
        "level 0.95. Where there is one run its value is all of them.",
        _listed(_told_intervals(groups), "None."),
        "## Seconds of processor time",
        "Median over the runs.",
        markdown_table(_seconds(results), digits=2, index=False),
        "## Runs that did not end well",
        _listed(failed(results), "None."),
        "## Not run",
        _listed(not_run(results), "Everything was run."),
    ]
    return "\n\n".join(parts) + "\n"


def _told_standings(results: SuiteResults) -> list[str]:
    parts = []
    for title, rows in standings(results, alpha=ALPHA).groupby("group", sort=False):
        shown = rows.drop(columns="group").astype(object).where(rows.notna(), "-")
        parts += [f"### {title}", markdown_table(shown, digits=2, index=False)]
    return parts


def _told_instances(results: SuiteResults) -> list[str]:
    """Instances with their references in few words, and facts of their landscapes."""
    of_suite = f" (suite {results.suite})"
    sources = results.instances["reference"].str.replace(of_suite, "", regex=False)
    table = results.instances.assign(reference=sources)
    if results.suite not in SUITES or not has_facts(results.suite):
        return [markdown_table(table, index=False)]
    facts = told_facts(packaged_facts(results.suite))[["name", *FACTS]]
    joined = table.merge(facts, on="name", how="left", validate="one_to_one")
    made = facts_made(results.suite)["made"]
    return [markdown_table(joined, index=False), ON_FACTS, f"Facts: {made}"]


def _told_group(group: Group) -> list[str]:
    """Table of a group, and the tests over its instances."""
    table = dataclasses.replace(summary(group.of, alpha=ALPHA), mean_ranks=None)
    parts = [f"### {group.title}: medians", table.to_markdown().strip()]
    ranked = group.ranked
    if len(ranked.algorithms) < 2:
        return parts
    tests = significance(ranked, alpha=ALPHA)
    if tests.friedman is not None:
        parts.append(
            f"Friedman's test of the {len(ranked.algorithms)} that ran on all: "
            f"p {tests.friedman.p_value:.2g}, Iman-Davenport's p {tests.friedman.f_p_value:.2g}; "
            f"critical difference of mean ranks (Nemenyi) {tests.critical_difference:.2f}."
        )
    # What is said of samples stands with the table already.
    parts.append(" ".join(tests.notes[len(ranked.notes) :]))
    return [part for part in parts if part]


def _told_intervals(groups: list[Group]) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frames = [interval_frame(group.of, ALPHA, rng) for group in groups]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def failed(results: SuiteResults) -> pd.DataFrame:
    """Runs that did not end well: ``problem``, ``algorithm``, ``seed``, ``status``, ``message``."""
    columns = ["problem", "algorithm", "seed", "status", "message"]
    return results.runs.loc[~ended_well(results.runs), columns]


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
        dataclasses.replace(summary(of, alpha=ALPHA), mean_ranks=None).to_latex(
            label=f"tab:{results.suite}-{number}"
        )
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
