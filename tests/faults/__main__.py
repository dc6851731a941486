"""Kill the commands that write: ``python -m tests.faults [--moments 100] [COMMAND]``.

Prints, as JSON, what was found after the kills of each command; the exit code is 1 if that was
anything that must not be found.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.faults.commands import COMMANDS, rehearse
from tests.faults.kills import kill_at_moments, kill_at_steps


def main() -> int:
    """Kill, look, and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=100, help="random moments a command")
    parser.add_argument("--no-steps", action="store_true", help="leave out the steps of writing")
    parser.add_argument("command", nargs="*", help="names of commands, by default all")
    options = parser.parse_args()
    chosen = [one for one in COMMANDS if not options.command or one.name in options.command]
    rehearse(one.words for one in chosen)
    told, n_faults = {}, 0
    for command in chosen:
        ways = {"moments": kill_at_moments(command, options.moments)}
        if not options.no_steps:
            ways["steps"] = kill_at_steps(command)
        told[command.name] = {way: vars(kills) for way, kills in ways.items()}
        n_faults += sum(len(kills.faults) for kills in ways.values())
        print(f"{command.name}: {told[command.name]}", file=sys.stderr, flush=True)
    print(json.dumps(told, indent=2))
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
