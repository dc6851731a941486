"""A few kills and all faults of quick commands: ``python -m tests.faults.sample``.

Prints, as JSON, what was found after the kills and what became of the commands under faults.
"""

from __future__ import annotations

import json

from tests.faults import fault_table
from tests.faults.commands import COMMANDS, rehearse
from tests.faults.kills import kill_at_moments, kill_at_steps

QUICK = ("check", "mask")


def main() -> None:
    """Kill, look, and tell; in one process, as importing takes longer than the work."""
    mask, solve = (next(one for one in COMMANDS if one.name == name) for name in ("mask", "solve"))
    quick = [fault_table.COMMANDS[name] for name in QUICK]
    rehearse([*quick, mask.words, solve.words])
    kills = {
        "mask at moments": kill_at_moments(mask, 3),
        "mask at steps": kill_at_steps(mask),
        "solve at moments": kill_at_moments(solve, 2),
    }
    found = {name: vars(one) for name, one in kills.items()}
    print(json.dumps({"kills": found, "faults": fault_table.fault_table(QUICK)}))


if __name__ == "__main__":
    main()
