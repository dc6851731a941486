"""The command: draws the sample, tries it, writes the table."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.mutation import __doc__ as idea
from tests.mutation.mutants import ROOMS, Mutant, sample
from tests.mutation.workshop import Workshop
from tests.repository import ROOT, tomllib

EQUIVALENTS = Path(__file__).with_name("equivalent.toml")
RESULTS = ROOT / "build" / "mutation.jsonl"
GOAL = 5.0
"""Percent of the mutants of a room that may survive."""


def equivalents() -> dict[tuple[str, str, str], str]:
    """Reason by file, line and changed line."""
    with EQUIVALENTS.open("rb") as file:
        listed = tomllib.load(file).get("mutant", [])
    return {(each["file"], each["before"], each["after"]): each["reason"] for each in listed}


def report(results: Iterable[tuple[Mutant, str]]) -> bool:
    """Print the table and the survivors; tell whether every room reaches the goal."""
    known, counts, survivors = equivalents(), Counter[tuple[str, str]](), []
    for mutant, outcome in results:
        if outcome == "survived" and (mutant.path, mutant.before, mutant.after) in known:
            outcome = "equivalent"
        elif outcome == "survived":
            survivors.append(mutant)
        counts[mutant.room, "killed" if outcome == "timeout" else outcome] += 1
    print("\n| room | mutants | killed | survived | equivalent | score |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    reached = True
    for room in dict.fromkeys(room for room, _ in counts):
        killed, survived, same = (
            counts[room, outcome] for outcome in ("killed", "survived", "equivalent")
        )
        score = 100 * killed / max(killed + survived, 1)
        reached &= 100 - score < GOAL
        total = killed + survived + same
        print(f"| {room} | {total} | {killed} | {survived} | {same} | {score:.1f} % |")
    for mutant in survivors:
        print(f"\n{mutant.path}:{mutant.line}  {mutant.operator}")
        print(f"- {mutant.before}\n+ {mutant.after}")
    return reached


def main() -> int:
    parser = argparse.ArgumentParser(description=str(idea).splitlines()[0])
    parser.add_argument("--sample", type=int, default=450, help="mutants of all rooms together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS), metavar="ROOM")
    parser.add_argument("--only", default="", help="part of the path of the files to mutate")
    parser.add_argument(
        "--go-on", action="store_true", help=f"skip what {RESULTS.name} knows to be killed"
    )
    chosen = parser.parse_args()
    known: dict[str, str] = {}
    if chosen.go_on and RESULTS.exists():
        known = dict(json.loads(line)[:2] for line in RESULTS.read_text("utf-8").splitlines())
    RESULTS.parent.mkdir(exist_ok=True)
    weights = sum(room.weight for room in ROOMS.values())
    results: dict[Mutant, str] = {}
    with tempfile.TemporaryDirectory() as folder, RESULTS.open("a" if known else "w") as notes:
        workshop = Workshop(Path(folder))
        for room in chosen.rooms:
            size = round(chosen.sample * ROOMS[room].weight / weights)
            drawn = [each for each in sample(room, size, chosen.seed) if chosen.only in each.path]
            for path in sorted({mutant.path for mutant in drawn}):
                mutants = [mutant for mutant in drawn if mutant.path == path]
                results |= {mutant: known.get(mutant.key, "survived") for mutant in mutants}
                left = [mutant for mutant in mutants if results[mutant] == "survived"]
                for mutant, outcome in workshop.outcomes(left).items() if left else ():
                    results[mutant] = outcome
                    print(json.dumps([mutant.key, outcome]), file=notes, flush=True)
                    print(f"{outcome:<9} {path}:{mutant.line}  {mutant.after}", flush=True)
    return 0 if report(results.items()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
