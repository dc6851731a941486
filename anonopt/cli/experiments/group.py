"""``anonopt experiment``: a grid of one's own, or a suite of the library."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from anonopt.cli.experiments.run_config import experiment as run
from anonopt.cli.experiments.suite import suite
from anonopt.cli.experiments.suite_facts import facts
from anonopt.cli.experiments.suite_references import references

RUN, SUITE, FACTS, REFERENCES = "run", "suite", "facts", "references"


class _ConfigGroup(TyperGroup):
    """Takes a first word that is no command for the options of `RUN`, such as its file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words; see click's ``Group.parse_args``."""
        known = {*self.commands, *ctx.help_option_names}
        return super().parse_args(ctx, [RUN, *args] if args and args[0] not in known else args)


experiment = typer.Typer(
    cls=_ConfigGroup,
    help="Compare algorithms on problems: anonopt experiment CONFIG, or on a suite.",
    epilog="Example: [bold]anonopt experiment comparison.toml --workers 2[/bold]",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
experiment.command(
    RUN, epilog="Example: [bold]anonopt experiment run comparison.toml --workers 2[/bold]"
)(run)
experiment.command(
    SUITE, epilog="Example: [bold]anonopt experiment suite --algorithm pbgea --workers 2[/bold]"
)(suite)
experiment.command(FACTS, epilog="Example: [bold]anonopt experiment facts --folder mine[/bold]")(
    facts
)
experiment.command(
    REFERENCES, epilog="Example: [bold]anonopt experiment references --folder mine[/bold]"
)(references)
