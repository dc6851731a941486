"""What is in the folders is what gets installed."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.repository import PACKAGE_FOLDERS, ROOT, library_files, pyproject, tree_of

PACKAGE_DATA = pyproject()["tool"]["setuptools"]["package-data"]


def folder_of(package: str) -> Path:
    for mapped in sorted(PACKAGE_FOLDERS, key=len, reverse=True):
        if package == mapped or package.startswith(f"{mapped}."):
            inner = package.removeprefix(mapped).strip(".")
            return PACKAGE_FOLDERS[mapped].joinpath(*inner.split(".") if inner else ())
    raise ValueError(f"expected a package of the project, found {package!r}")


def package_data() -> dict[str, set[Path]]:
    """Files that the patterns of pyproject.toml select, by package."""
    return {
        package: {path for pattern in patterns for path in folder_of(package).glob(pattern)}
        for package, patterns in PACKAGE_DATA.items()
    }


PACKAGES = [name for name, path in library_files().items() if path.name == "__init__.py"]


def installed_paths() -> set[str]:
    """Each file of the library, named by its place below site-packages."""
    expected = set()
    for package in PACKAGES:
        files = {*folder_of(package).glob("*.py"), *package_data().get(package, ())}
        for path in files:
            inner = path.relative_to(folder_of(package)).as_posix()
            expected.add(f"{package.replace('.', '/')}/{inner}")
    return expected


def test_every_module_lies_in_a_package():
    homeless = [
        path.relative_to(ROOT).as_posix()
        for name, path in library_files().items()
        if path.name != "__init__.py" and name.rpartition(".")[0] not in PACKAGES
    ]
    assert homeless == []


@pytest.mark.parametrize(
    ("package", "pattern"),
    [(p, pattern) for p, patterns in PACKAGE_DATA.items() for pattern in patterns],
)
def test_every_data_pattern_selects_a_file(package, pattern):
    assert any(folder_of(package).glob(pattern))


def test_no_data_file_is_left_out():
    files = {
        path
        for folder in PACKAGE_FOLDERS.values()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert files == set().union(*package_data().values())


def test_type_checkers_find_all_that_is_installed():
    links = Path(sys.prefix) / "links"
    if not links.is_dir():
        pytest.skip("only make lays out the links that type checkers follow")
    missing = [path for path in sorted(installed_paths()) if not (links / path).is_file()]
    assert missing == [], "what lies directly in anonopt/ has changed: make lays the links anew"
    assert str(links) in sys.path


EXTRAS = pyproject()["project"]["optional-dependencies"]
USER_EXTRAS = set(EXTRAS) - {"all", "coverage", "dev", "docs", "frameworks", "mutation"}


def test_extra_all_brings_every_extra_of_users():
    (everything,) = EXTRAS["all"]
    named = everything.removeprefix("anonopt[").removesuffix("]").split(",")
    assert named == sorted(USER_EXTRAS)


def test_library_imports_what_its_extras_bring():
    brought = {requirement.split(">")[0] for extra in USER_EXTRAS for requirement in EXTRAS[extra]}
    # Executors of dask are made by those who hand them in.
    brought = {name.partition("[")[0] for name in brought}
    assert brought - set().union(*map(imported_packages, library_files().values())) == set()


def imported_packages(path: Path) -> set[str]:
    """Top-level names of what a file imports, at its top or in a function."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "engine":
            # Engines of sources are loaded by name.
            found.add(ast.literal_eval(node.args[0]).partition(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with an sdist and, built from it, a wheel, both made without network access."""
    if importlib.util.find_spec("build") is None:
        pytest.skip("the package `build` is not installed (extra `dev`)")
    if int(importlib.metadata.version("setuptools").partition(".")[0]) < 77:
        pytest.skip("building without network needs setuptools >= 77 (extra `dev`)")
    source = tmp_path_factory.mktemp("tree") / "anonopt"
    waste = shutil.ignore_patterns(
        ".[!c]*", ".coverage*", "__pycache__", "*.egg-info", "build", "_build", "dist"
    )
    shutil.copytree(ROOT, source, ignore=waste)
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", target, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=target)
    if done.returncode != 0:
        pytest.fail(f"the build failed:\n{done.stdout}\n{done.stderr}")
    return target


def test_wheel_holds_the_library_and_nothing_else(distributions):
    (wheel,) = distributions.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    metadata = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    assert names - metadata == installed_paths()
    assert "anonopt/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in metadata)


def test_source_distribution_brings_tests_and_docs(distributions):
    (sdist,) = distributions.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert {"LICENSE", "README.md", "tests/conftest.py", "docs/errata.md"} <= names
    assert {"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "SECURITY.md"} <= names
    assert {"Makefile", ".ci/run"} <= names
    assert {path.relative_to(ROOT).as_posix() for path in library_files().values()} <= names
    assert Path(__file__).relative_to(ROOT).as_posix() in names
