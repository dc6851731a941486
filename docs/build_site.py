"""Builds the site and checks it: ``make docs``."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from check_site import allowed_hosts, check, missing_names
from sphinx.cmd.build import build_main

HERE = Path(__file__).resolve().parent
BUILT = HERE / "_build"
EXAMPLES = HERE.parent / "examples"


def arguments(args: list[str]) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--quick", action="store_true", help="only pages that changed; examples are not run"
    )
    parser.add_argument(
        "--links", action="store_true", help="follow the links to other sites: needs a network"
    )
    return parser.parse_args(args)


def build(builder: str, *options: str) -> bool:
    """Run Sphinx; True if it had nothing to say."""
    strict = ["--fail-on-warning", "--keep-going", "--quiet", "-b", builder, *options]
    return build_main([*strict, str(HERE), str(BUILT / builder)]) == 0


def main(args: list[str]) -> int:
    """Build, check, and say in one line what there is; 1 if anything is wrong."""
    chosen = arguments(args)
    start = time.perf_counter()
    # Only pages that are read can warn, and those that are gone leave files: the strict build
    # makes all anew.
    if chosen.quick:
        options = ["-D", "plot_gallery=0"] if EXAMPLES.is_dir() else []
    else:
        options = ["--fresh-env"]
        shutil.rmtree(BUILT / "html", ignore_errors=True)
    fine = build("html", *options)
    if chosen.links:
        fine = build("linkcheck", *options) and fine
    pages = BUILT / "html"
    if not (pages / "objects.inv").is_file():
        return 1
    found = check(pages, allowed_hosts())
    n_names, missing = missing_names(pages / "objects.inv")
    wrong = [*found.wrong, *(f"{name}: public, and nowhere explained" for name in missing)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(
        f"{found.pages} pages in {pages.relative_to(HERE.parent)}: {found.links} links, "
        f"{len(found.external)} of them to other sites, {n_names} public names, "
        f"{len(wrong)} faults; {time.perf_counter() - start:.0f} s"
    )
    return 0 if fine and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
