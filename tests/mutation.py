"""Mutation testing: small faults are put into the library, one at a time, and the tests must fail.

Cosmic Ray makes the mutants; this script draws a sample of them, runs each against the tests of
its own room (those that mirror its file, then those of its folder and the contracts), and writes
a table of scores with the mutants that no test noticed. Cosmic Ray's own runner knows one test
command for everything.

The sample is drawn by a hash of the seed and of the mutant itself, one mutant a place, so that
it stays the same for a line that stays the same. What cannot be told from the original by any
test stands in `equivalent_mutants.toml`, with the reason.

    python -m tests.mutation --sample 450 --seed 1
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import hypothesis
import moocore  # noqa: F401  # what is not used is loaded here, once, for all forks
import networkx  # noqa: F401
import numba  # noqa: F401
import pandas  # noqa: F401
import pymoo.algorithms.moo.nsga2  # noqa: F401
import pytest
import scipy.stats  # noqa: F401
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.repository import PACKAGE_FOLDERS, ROOT, tomllib

FORK = multiprocessing.get_context("fork")
EQUIVALENTS = Path(__file__).with_name("equivalent_mutants.toml")
RESULTS = ROOT / "build" / "mutation.jsonl"
GOAL = 5.0
"""Percent of the mutants of a room that may survive."""


@dataclass(frozen=True)
class Room:
    """Code that is mutated, and the tests it must be told by.

    Attributes
    ----------
    code : str
        A file or a folder of the repository.
    weight : int
        Part of the sample.
    contracts : tuple of str
        Tests beside those of the mirrored folder.
    """

    code: str
    weight: int
    contracts: tuple[str, ...] = ()


ROOMS = {
    "measures": Room("anonopt/measures", 110),
    "operators": Room(
        "operators",
        100,
        ("tests/contracts/test_operators.py", "tests/contracts/test_tree_operators.py"),
    ),
    "archives": Room("operators/archives.py", 40),
    "masking": Room(
        "anonopt/masking",
        100,
        ("tests/contracts/test_masking_methods.py", "tests/contracts/test_equations.py"),
    ),
    "graph risk": Room("anonopt/graphs/measures/risk.py", 20),
    "runs": Room("anonopt/runs", 80),
}


@dataclass(frozen=True)
class Mutant:
    """One fault: an operator of Cosmic Ray at one of the places where it applies."""

    room: str
    path: str
    line: int
    operator: str
    occurrence: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """Tell the mutant apart, whatever else changes in its file."""
        return "|".join((self.path, self.operator, self.before, self.after))


def files_of(room: str) -> list[Path]:
    """Files that are mutated; kernels are compiled, and packages only list names."""
    place = ROOT / ROOMS[room].code
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    others = {ROOT / other.code for name, other in ROOMS.items() if name != room}
    return [
        file
        for file in files
        if file.name != "__init__.py" and not file.name.startswith("kernel_") and file not in others
    ]


def places_of(path: Path) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Operators, with their occurrence, by line and column."""
    nodes = list(ast_nodes(get_ast(path.read_text(encoding="utf-8"))))
    places: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments():
            continue
        positions = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, start in enumerate(positions):
            places.setdefault(start, []).append((name, occurrence))
    return places


def meaning(source: str) -> str:
    """Syntax tree without annotations, which are never evaluated."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(None) if isinstance(node, ast.AnnAssign) else None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return ast.dump(tree)


def mutated(path: Path, operator: str, occurrence: int) -> str | None:
    """Source of a mutant; None if it is no program, or means the same."""
    source = path.read_text(encoding="utf-8")
    code = mutate_code(source, get_operator(operator)(), occurrence)
    try:
        return code if code is not None and meaning(code) != meaning(source) else None
    except SyntaxError:
        return None


def first_difference(one: str, other: str) -> tuple[int, str, str]:
    """Line number, from 1, of the first lines that differ, and both."""
    old, new = one.splitlines(), other.splitlines()
    row = next(i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    return row + 1, old[row].strip(), new[row].strip()


def digest(*parts: object) -> str:
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()


def sample(room: str, size: int, seed: int) -> Iterator[Mutant]:
    """Draw mutants of a room, at most one a place."""
    drawn = []
    for path in files_of(room):
        name, lines = path.relative_to(ROOT).as_posix(), path.read_text("utf-8").splitlines()
        for (row, column), found in places_of(path).items():
            here = (seed, name, lines[row - 1].strip(), column)
            operator, occurrence = min(found, key=lambda each: digest(*here, each[0]))
            drawn.append((digest(*here, row), path, operator, occurrence))
    n_found = 0
    for _, path, operator, occurrence in sorted(drawn, key=lambda each: each[0]):
        if n_found == size:
            return
        if (code := mutated(path, operator, occurrence)) is not None:
            n_found += 1
            place = first_difference(path.read_text("utf-8"), code)
            name = path.relative_to(ROOT).as_posix()
            yield Mutant(room, name, place[0], operator, occurrence, *place[1:])


class NoShrinking:
    """Plugin of pytest: an example that fails is enough, it need not become a small one."""

    def pytest_sessionstart(self) -> None:
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile("mutation", hypothesis.settings(), phases=phases)
        hypothesis.settings.load_profile("mutation")


class Workshop:
    """A copy of the library, laid out as it is installed, and of the tests.

    The library is found there by PYTHONPATH, before the installed one; the working tree is never
    changed.
    """

    def __init__(self, folder: Path) -> None:
        # Times of files are kept: compiled kernels stay valid.
        unwanted = shutil.ignore_patterns("*.egg-info")
        for package, source in PACKAGE_FOLDERS.items():
            inside = folder / "site" / Path(*package.split("."))
            shutil.copytree(source, inside, ignore=unwanted, dirs_exist_ok=True)
        self._site, self._root = folder / "site", folder / "project"
        self._root.mkdir()
        for name in ("tests", "docs"):
            shutil.copytree(ROOT / name, self._root / name)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy2(ROOT / name, self._root / name)
        shared = os.environ.get("ANONOPT_SHARED_DATA", str(ROOT.parent / "shared" / "data"))
        self._environment = {
            "ANONOPT_SHARED_DATA": shared,
            "CI": "true",
            "PYTHONPATH": str(self._site),
        }
        self._n_written = 0
        self._seconds: dict[tuple[str, ...], float] = {}

    def outcome(self, mutant: Mutant) -> str:
        """``killed``, ``timeout`` or ``survived``."""
        stages = self._stages(mutant)
        limits = [10 + 4 * self._time_of(tests) for tests in stages]
        path = ROOT / mutant.path
        package = "" if mutant.path.startswith("anonopt/") else "anonopt"
        copy = self._site / package / mutant.path
        code = mutated(path, mutant.operator, mutant.occurrence)
        if code is None:
            raise ValueError(f"{mutant.path}: the file changed while it was tested")
        original, times = copy.read_bytes(), copy.stat()
        try:
            copy.write_text(code, encoding="utf-8")
            # Bytecode is known by the second and the size of its file: each mutant has its second.
            self._n_written += 1
            os.utime(copy, (times.st_atime, int(times.st_mtime) + self._n_written))
            for tests, limit in zip(stages, limits, strict=True):
                status = self._run(tests, limit)
                if status != 0:
                    return "timeout" if status is None else "killed"
        finally:
            copy.write_bytes(original)
            os.utime(copy, ns=(times.st_atime_ns, times.st_mtime_ns))
        return "survived"

    def _stages(self, mutant: Mutant) -> list[tuple[str, ...]]:
        """Tests by what they cost: the mirror of the file, those of its folder, the contracts."""
        inside = Path(mutant.path.removeprefix("anonopt/"))
        folder = ROOT / "tests" / inside.parent
        mirror = folder / f"test_{inside.name}"
        others = sorted(file for file in folder.glob("test_*.py") if file != mirror)
        stages = [[mirror] if mirror.is_file() else [], others]
        names = [tuple(file.relative_to(ROOT).as_posix() for file in stage) for stage in stages]
        return [tests for tests in (*names, ROOMS[mutant.room].contracts) if tests]

    def _time_of(self, tests: tuple[str, ...]) -> float:
        if tests not in self._seconds:
            start = time.monotonic()
            if self._run(tests, 1800) != 0:
                raise RuntimeError(f"the tests fail without a mutant: {' '.join(tests)}")
            self._seconds[tests] = time.monotonic() - start
        return self._seconds[tests]

    def _run(self, tests: tuple[str, ...], limit: float) -> int | None:
        """Exit code of pytest in a fork of this process, which has loaded what all need."""
        process = FORK.Process(target=self._test, args=(tests,))
        process.start()
        process.join(limit)
        if process.is_alive():
            os.killpg(process.pid or 0, signal.SIGKILL)
            process.join()
            return None
        return process.exitcode

    def _test(self, tests: tuple[str, ...]) -> None:
        os.setsid()
        os.chdir(self._root)
        os.environ.update(self._environment)
        sys.path[:] = [str(self._site), *(part for part in sys.path[1:] if part)]
        for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
            del sys.modules[name]
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            os._exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests], [NoShrinking()]))


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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
    results = []
    with tempfile.TemporaryDirectory() as folder, RESULTS.open("a" if known else "w") as notes:
        workshop = Workshop(Path(folder))
        for room in chosen.rooms:
            size = round(chosen.sample * ROOMS[room].weight / weights)
            for mutant in sample(room, size, chosen.seed):
                if chosen.only not in mutant.path:
                    continue
                outcome = known.get(mutant.key, "survived")
                if outcome == "survived":
                    outcome = workshop.outcome(mutant)
                    print(json.dumps([mutant.key, outcome, asdict(mutant)]), file=notes, flush=True)
                    print(f"{outcome:<9} {mutant.path}:{mutant.line}  {mutant.after}", flush=True)
                results.append((mutant, outcome))
    return 0 if report(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
