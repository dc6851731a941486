"""House rules on where things are: size of folders, names of files, what is defined once."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from tests.repository import PACKAGE_FOLDERS, ROOT, library_files, tree_of

FILES = {path: module for module, path in library_files().items()}
MAX_FILES = 20


def where(path):
    return path.relative_to(ROOT).as_posix()


def array_types(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Name and meaning of each alias of an array type that a file defines."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        if isinstance(node.value, ast.Subscript):
            kind, meaning = ast.unparse(node.value.value), ast.unparse(node.value.slice)
            if kind.split(".")[-1] == "NDArray":
                yield from ((name, meaning) for name in names)


def test_folder_holds_few_files():
    counts = Counter(path.parent for path in FILES)
    assert {where(folder): n for folder, n in counts.items() if n > MAX_FILES} == {}


def test_file_name_occurs_once_in_folders_of_one_name():
    # `measures/lattice/loss.py` and `graphs/measures/loss.py` are told apart by their folders,
    # `measures/lattice/loss.py` and `evaluation/lattice/loss.py` are not.
    named = defaultdict(list)
    for path in FILES:
        if path.name != "__init__.py":
            named[path.parent.name, path.name].append(where(path))
    assert [found for found in named.values() if len(found) > 1] == []


def test_array_types_are_defined_once():
    defined = [(where(path), *found) for path in FILES for found in array_types(tree_of(path))]
    assert ("anonopt/_typing.py", "IntArray", "np.int64") in defined
    names, meanings = (Counter(found[i] for found in defined) for i in (1, 2))
    assert [found for found in defined if names[found[1]] > 1 or meanings[found[2]] > 1] == []


def test_whole_numbers_are_checked_in_one_place():
    found = [
        f"{where(path)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "operator.index"
    ]
    assert [place for place in found if not place.startswith("anonopt/_checks.py")] == []


def test_tests_mirror_the_folders():
    tests = {path.relative_to(ROOT / "tests").parent for path in ROOT.glob("tests/**/test_*.py")}
    rooms = {
        path.parent.relative_to(folder if name == "anonopt" else folder.parent)
        for name, folder in PACKAGE_FOLDERS.items()
        for path in folder.rglob("*.py")
    }
    assert {where(ROOT / "tests" / room) for room in tests - rooms} == {
        "tests/contracts",
        "tests/edges",
        "tests/faults",
        "tests/fuzz",
        "tests/project",
    }
