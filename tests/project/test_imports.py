"""House rules that can be read from the source: import arrows, banned calls, docstrings, size."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import networkx as nx
import pytest

from tests.repository import ROOT, imported_names, imports_of, library_files, tree_of

LAYERS = (
    ("_lazy", "_version"),
    ("_typing",),
    ("_notebook",),
    ("_progress",),
    ("_checks",),
    ("_registry",),
    ("data",),
    ("sources",),
    ("measures",),
    ("evaluation",),
    ("masking", "graphs", "local_recoding", "optima"),
    ("operators",),
    ("problems",),
    ("algorithms",),
    ("runs",),
    ("experiments",),
    ("visualization",),
    ("teaching",),
    ("cli",),
    ("__main__",),
)
"""A folder may import those of the lines above, and no other."""

RANKS = {folder: rank for rank, folders in enumerate(LAYERS) for folder in folders}
MODULES = library_files()
MAX_LINES = 350

LAST_RESORT = {"anonopt.cli.failures", "anonopt.experiments.execution.job"}
"""Where every error ends that nothing else has caught; of a run, so that others go on."""

OWN_PICKLES = {"anonopt.evaluation.executors.contents"}
"""Where a process unpacks what its own program has sent it, and nothing that a user names."""

BANNED_CALLS = {"eval", "exec", "pickle.load", "pickle.loads", "dill.load", "dill.loads"}
SEEDED_RANDOM = {"default_rng", "Generator", "SeedSequence", "PCG64", "BitGenerator"}

PYTHON_FILES = {*MODULES.values(), *ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/**/*.py")}


def layer_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "anonopt" and len(parts) > 1 and parts[1] in RANKS else None


def catches_everything(node: ast.ExceptHandler) -> bool:
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(
        kind is None or ast.unparse(kind) in {"Exception", "BaseException"} for kind in kinds
    )


def raises_bare_exception(node: ast.Raise) -> bool:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return raised is not None and ast.unparse(raised) in {"Exception", "BaseException"}


def is_global_randomness(name: str) -> bool:
    head, _, function = name.rpartition(".")
    if head in {"np.random", "numpy.random"}:
        return function not in SEEDED_RANDOM
    return head == "random"


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Public functions, classes and methods without a docstring."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield node.name
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if (
                isinstance(inner, ast.FunctionDef)
                and not inner.name.startswith("_")
                and "overload" not in map(ast.unparse, inner.decorator_list)
                and ast.get_docstring(inner) is None
            ):
                yield f"{node.name}.{inner.name}"


def test_every_module_belongs_to_a_known_layer():
    strangers = [name for name in MODULES if name != "anonopt" and layer_of(name) is None]
    assert strangers == []


def test_imports_point_one_way():
    against = []
    for module in sorted(set(MODULES) - {"anonopt"}):
        here = layer_of(module)
        for line, name in imports_of(module):
            there = layer_of(name)
            if there not in {None, here} and RANKS[there] >= RANKS[here]:
                against.append(f"{module}, line {line}: {here} imports {name}")
            if name == "anonopt":
                against.append(f"{module}, line {line}: name the part of anonopt that is needed")
    assert against == []


def file_imports():
    """Pairs of files of which one imports the other, in functions and for type checkers, too."""
    for module in MODULES:
        for _, name in imports_of(module):
            while name not in MODULES and "." in name:
                name = name.rpartition(".")[0]
            # What a package lists it imports when it is asked for, and `anonopt` lists everything.
            if name in MODULES and name not in {module, "anonopt"} and module != "anonopt":
                yield module, name


def test_files_import_each_other_in_no_circle():
    graph = nx.DiGraph(file_imports())
    assert graph.number_of_edges() > len(MODULES)
    circles = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []


def test_folders_of_experiments_import_each_other_in_no_circle():
    parts = [
        (one.split(".")[2], other.split(".")[2])
        for one, other in file_imports()
        if one.startswith("anonopt.experiments.") and other.startswith("anonopt.experiments.")
    ]
    graph = nx.DiGraph((one, other) for one, other in parts if one != other)
    assert {"store", "grid", "runs"} <= set(graph)
    circles = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []


@pytest.mark.parametrize(
    ("layer", "frameworks"),
    [("data", {"pymoo", "deap", "moocore"}), ("measures", {"pymoo", "deap"})],
)
def test_data_and_measures_know_no_framework(layer, frameworks):
    found = [
        f"{module}, line {line}: {name}"
        for module in sorted(MODULES)
        if layer_of(module) == layer
        for line, name in imports_of(module)
        if name.split(".")[0] in frameworks
    ]
    assert found == []


def test_parts_of_scipy_are_loaded_when_they_are_used():
    # Each process would import them at its start, which takes a third of it.
    found = [
        f"{module}, line {line}: expected import scipy, found {name}"
        for module in sorted(MODULES)
        for statement in tree_of(MODULES[module]).body
        if isinstance(statement, ast.Import | ast.ImportFrom)
        for line, name in imported_names(statement, module)
        if name.startswith("scipy.")
    ]
    assert found == []


def test_folders_are_imported_by_their_package_name():
    # From the repository root `import problems` works and makes a second copy of each module;
    # helpers of the tests have one name only, too.
    helpers = {file.stem for file in (ROOT / "tests").iterdir() if file.stem.isidentifier()}
    folders = {"problems", "operators", *helpers}
    # Parsing takes long, and few files need it.
    suspect = re.compile(rf"^\s*(?:import|from)\b.*(?<![.\w])(?:{'|'.join(folders)})\b", re.M)
    found = [
        f"{path.relative_to(ROOT).as_posix()}, line {line}: {name}"
        for path in sorted(PYTHON_FILES)
        if suspect.search(path.read_text(encoding="utf-8"))
        for line, name in imported_names(tree_of(path), "anonopt")
        if name.split(".")[0] in folders
    ]
    assert found == []


def test_banned_constructs():
    assert [f"{module}, {one}" for module in sorted(MODULES) for one in banned_in(module)] == []


def banned_in(module: str) -> list[str]:
    """What the library never does, and this module does."""
    tree = tree_of(MODULES[module])
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            found.append(f"line {node.lineno}: assert")
        elif (
            isinstance(node, ast.ExceptHandler)
            and catches_everything(node)
            and module not in LAST_RESORT
        ):
            found.append(f"line {node.lineno}: catches everything")
        elif isinstance(node, ast.Raise) and raises_bare_exception(node):
            found.append(f"line {node.lineno}: raises a bare exception")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = ast.unparse(node.func)
            is_own = name == "pickle.loads" and module in OWN_PICKLES
            is_talk = name == "print" and layer_of(module) != "cli"
            if (name in BANNED_CALLS and not is_own) or is_talk:
                found.append(f"line {node.lineno}: {name}")
            elif is_global_randomness(name):
                found.append(f"line {node.lineno}: {name} draws from a global generator")
    return found


def test_public_names_have_docstrings():
    trees = {module: tree_of(path) for module, path in MODULES.items()}
    assert [module for module, tree in trees.items() if ast.get_docstring(tree) is None] == []
    assert [f"{module}.{one}" for module in trees for one in undocumented(trees[module])] == []


def test_file_holds_one_concept():
    lines = {
        module: path.read_text(encoding="utf-8").count("\n") for module, path in MODULES.items()
    }
    assert {module: n for module, n in lines.items() if n >= MAX_LINES} == {}


def test_relative_imports_are_resolved():
    tree = ast.parse("from . import a\nfrom ..data import b\nfrom .c import d\nimport e.f")
    names = [name for _, name in imported_names(tree, "anonopt.measures")]
    assert names == ["anonopt.measures.a", "anonopt.data.b", "anonopt.measures.c.d", "e.f"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("np.random.rand", True),
        ("random.choice", True),
        ("np.random.default_rng", False),
        ("self.random.choice", False),
        ("random_state.random", False),
    ],
)
def test_global_randomness_is_recognized(name, expected):
    assert is_global_randomness(name) is expected
