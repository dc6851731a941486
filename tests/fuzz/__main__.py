"""``python -m tests.fuzz [READER ...] [--inputs N] [--seed S]``: read many strange files.

Each reader runs in a process of its own, whose memory is bounded. An input that ends in anything
but an answer or a refusal is told by its number, which with the seed gives it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time

from tests.fuzz.bounded import read_bounded
from tests.fuzz.readers import READERS, Tally

LEAST_ACCEPTED = 0.2


def _report(name: str, n_inputs: int, seed: int) -> bool:
    context = multiprocessing.get_context("spawn")
    answers = context.SimpleQueue()
    process = context.Process(target=read_bounded, args=(name, n_inputs, seed, answers))
    start = time.perf_counter()
    process.start()
    process.join()
    if answers.empty():
        print(f"{name}: the process ended with {process.exitcode}")
        return False
    tally, memory = answers.get()
    assert isinstance(tally, Tally)
    print(
        f"{name}: {n_inputs:,} inputs, {tally.share_accepted:.0%} accepted, "
        f"{tally.refused:,} refused, {sum(map(len, tally.faults.values()))} faults, "
        f"{memory / 2**20:.0f} MiB, {time.perf_counter() - start:.0f} s",
        flush=True,
    )
    for kind, numbers in tally.faults.items():
        print(f"    {len(numbers)} x {kind}; inputs {numbers[:5]}")
    return not tally.faults and tally.share_accepted >= LEAST_ACCEPTED


def main() -> int:
    """Exit code: 0 if no reader failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(READERS))
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = options.readers or list(READERS)
    held = [_report(name, options.inputs, options.seed) for name in names]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
