"""``anonopt experiment facts``: landscape facts of the instances of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anonopt.cli.console import AsJson, Force, print_json, print_table, records, say
from anonopt.cli.experiments.shared_options import Instances, SuiteName
from anonopt.cli.experiments.suite import NEWEST
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.data.output_files import write_files

SAMPLES = 1000


def facts(
    suite: SuiteName = NEWEST,
    instances: Instances = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws samples and walks.")] = 1,
    samples: Annotated[
        int, typer.Option(min=2, help="Distinct solutions of each instance.")
    ] = SAMPLES,
    steps: Annotated[int, typer.Option(min=2, help="Steps of each random walk.")] = SAMPLES,
    folder: Annotated[
        Path | None,
        typer.Option(help="Folder for the facts, as they come with the library."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Measure size, feasible share, ruggedness and correlation of the instances of a suite.

    The facts of all instances come with the library: Suite.facts() has them at once.
    """
    from anonopt.experiments.suites.facts import FILES, facts_files, measured_facts, told_facts
    from anonopt.experiments.suites.suite import Suite

    chosen = Suite(suite)
    names = instances or list(chosen.instances["name"])
    problems = {name: chosen.problem(name) for name in names}
    check_outputs([folder / name for name in FILES] if folder else [], force=force)
    table = measured_facts(problems, seed=seed, n_samples=samples, n_steps=steps)
    if folder is not None:
        words = ["anonopt", "experiment", "facts", "--suite", suite, "--seed", str(seed)]
        words += ["--samples", str(samples), "--steps", str(steps)]
        words += [word for name in instances or () for word in ("--instances", name)]
        contents = facts_files(table, seed=seed, n_samples=samples, n_steps=steps, command=words)
        write_files({folder / name: content for name, content in contents.items()})
    if as_json:
        print_json({"suite": suite, "facts": records(table.reset_index())})
        return
    shown = told_facts(table)
    print_table(
        list(shown.columns), shown.itertuples(index=False, name=None), title=f"Facts of {suite}"
    )
    say(
        f"Ruggedness: autocorrelation of neighbouring steps of a random walk of {steps} steps. "
        "Correlation: of ranks, over the feasible samples."
    )
