"""Which mutants are made: a sample of those of Cosmic Ray, one a place."""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.repository import ROOT


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
        Tests beside those of the mirrored folder and of those above it.
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
    "grid": Room("anonopt/experiments/grid", 30),
    "execution": Room("anonopt/experiments/execution", 30),
    "store": Room("anonopt/experiments/store", 40),
    "performance": Room("anonopt/experiments/performance", 40),
    "statistics": Room("anonopt/experiments/statistics", 40),
    "tables": Room("anonopt/experiments/tables", 30),
    "exports": Room("anonopt/experiments/exports", 20),
    "suites": Room("anonopt/experiments/suites", 30),
    "tuning": Room("anonopt/experiments/tuning", 20),
}


@dataclass(frozen=True)
class Mutant:
    """One fault: an operator of Cosmic Ray at one of the places where it applies."""

    room: str
    path: str
    line: int
    operator: str
    before: str
    after: str
    code: str

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
    """Syntax tree without what does nothing when it runs.

    That is annotations, marks of abstract methods, and the check that zipped things are equally
    long, which they are.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
            marks = [mark for mark in node.decorator_list if ast.unparse(mark) != "abstractmethod"]
            node.decorator_list = marks
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            node.keywords = []
    return ast.dump(tree)


def mutated(path: Path, operator: str, occurrence: int) -> str | None:
    """Source of a mutant; None if it is no program, or means the same."""
    source = path.read_text(encoding="utf-8")
    try:
        code = mutate_code(source, get_operator(operator)(), occurrence)
        return code if code is not None and meaning(code) != meaning(source) else None
    except (SyntaxError, AttributeError):  # the latter for exceptions with a dotted name
        return None


def difference(one: str, other: str) -> tuple[int, str, str]:
    """Line number, from 1, where two sources begin to differ, and what is left of both."""
    old, new = one.splitlines(), other.splitlines()
    row = next(i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    lines = list(difflib.ndiff(old, new))
    before, after = (
        " / ".join(line[2:].strip() for line in lines if line[:2] == sign and line[2:].strip())
        for sign in ("- ", "+ ")
    )
    return row + 1, before, after


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
            place = difference(path.read_text("utf-8"), code)
            name = path.relative_to(ROOT).as_posix()
            yield Mutant(room, name, place[0], operator, *place[1:], code)
