"""House rules that can be read from the source: import arrows, banned calls, docstrings, size."""

from __future__ import annotations

import ast
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

OWN_PICKLES = {"anonopt.experiments.execution.job"}
"""Where a process unpacks what its own program has sent it, and nothing that a user names."""

BANNED_CALLS = {"eval", "exec", "pickle.load", "pickle.loads", "dill.load", "dill.loads"}
SEEDED_RANDOM = {"default_rng", "Generator", "SeedSequence", "PCG64", "BitGenerator"}

modules = pytest.mark.parametrize("module", sorted(MODULES))
python_files = pytest.mark.parametrize(
    "path",
    sorted({*MODULES.values(), *ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/**/*.py")}),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)


def layer_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "anonopt" and len(parts) > 1 and parts[1] in RANKS else None


def calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


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


@pytest.mark.parametrize("module", sorted(set(MODULES) - {"anonopt"}))
def test_imports_point_one_way(module):
    here = layer_of(module)
    against = []
    for line, name in imports_of(module):
        there = layer_of(name)
        if there not in {None, here} and RANKS[there] >= RANKS[here]:
            against.append(f"line {line}: {here} imports {name}")
        if name == "anonopt":
            against.append(f"line {line}: name the part of anonopt that is needed")
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


@pytest.mark.parametrize("module", [m for m in MODULES if layer_of(m) in {"data", "measures"}])
def test_data_and_measures_know_no_framework(module):
    frameworks = {"pymoo", "deap", "moocore"} if layer_of(module) == "data" else {"pymoo", "deap"}
    found = [f"line {line}: {n}" for line, n in imports_of(module) if n.split(".")[0] in frameworks]
    assert found == []


@python_files
def test_folders_are_imported_by_their_package_name(path):
    # From the repository root `import problems` works and makes a second copy of each module;
    # helpers of the tests have one name only, too.
    helpers = {file.stem for file in (ROOT / "tests").iterdir() if file.stem.isidentifier()}
    found = [
        f"line {line}: {name}"
        for line, name in imported_names(tree_of(path), "anonopt")
        if name.split(".")[0] in {"problems", "operators", *helpers}
    ]
    assert found == []


@modules
def test_banned_constructs(module):
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
    for line, name in calls(tree):
        is_own = name == "pickle.loads" and module in OWN_PICKLES
        if (name in BANNED_CALLS and not is_own) or (name == "print" and layer_of(module) != "cli"):
            found.append(f"line {line}: {name}")
        elif is_global_randomness(name):
            found.append(f"line {line}: {name} draws from a global generator")
    assert found == []


@modules
def test_public_names_have_docstrings(module):
    assert ast.get_docstring(tree_of(MODULES[module])) is not None
    assert list(undocumented(tree_of(MODULES[module]))) == []


@modules
def test_file_holds_one_concept(module):
    lines = MODULES[module].read_text(encoding="utf-8").count("\n")
    assert lines < MAX_LINES


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
