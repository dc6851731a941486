"""Runs the tables of local recodings, checks every file, and writes their page."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from recoding_tables.page import page
from recoding_tables.runs import in_order, jobs, read, repeated, run_missing
from recoding_tables.ways import CASES

HERE = Path(__file__).resolve().parent
RUNS = HERE / "recoding_tables" / "runs.csv"
PAGE = HERE / "local_recoding_results.md"


def arguments(args: list[str]) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(
        prog="python docs/build_recoding_tables.py", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("--seeds", type=int, default=10, help="runs of a search (10)")
    parser.add_argument("--decodings", type=int, help="at most so many in a run of a search")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES), metavar="CASE")
    parser.add_argument(
        "--runs", type=Path, default=RUNS, help="file of runs, which is gone on with"
    )
    parser.add_argument("--anew", action="store_true", help="forget the runs that are held")
    parser.add_argument("--page-only", action="store_true", help="write the page of what there is")
    parser.add_argument("--repeat", type=int, metavar="N", help="run N rows again, and compare")
    return parser.parse_args(args)


def main(args: list[str]) -> int:
    """Go on with the runs, and write the page; 1 if a run failed, or a repeated one differs."""
    chosen = arguments(args)
    if chosen.repeat:
        differing = repeated(read(chosen.runs), chosen.repeat)
        print("\n".join(differing) or f"{chosen.repeat} runs repeated: the same losses")
        return 1 if differing else 0
    start = time.perf_counter()
    wrong: list[str] = []
    if chosen.anew:
        chosen.runs.unlink(missing_ok=True)
    if not chosen.page_only:
        planned = list(jobs(chosen.cases, chosen.seeds, chosen.decodings))
        wrong = run_missing(planned, chosen.runs, chosen.workers)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    rows = in_order(read(chosen.runs))
    rows.to_csv(chosen.runs, index=False, lineterminator="\n")
    if chosen.runs == RUNS:
        PAGE.write_text(page(rows), encoding="utf-8")
    print(f"{len(rows)} runs in {chosen.runs.name}; {time.perf_counter() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
