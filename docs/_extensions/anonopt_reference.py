"""Writes the pages of the reference, from the lists of public names of the packages.

Each package that lists public names has a page, and each name one place: the page of the outermost
package below `anonopt` that lists it. Where other packages list it too, their pages link there,
and the index of the site knows all its names.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

ROOT = "anonopt"
FOLDER = "reference"
NOT_DOCUMENTED = ("anonopt.cli", "anonopt.__main__")  # a program: docs/command_line.md
ORDER = (
    "data measures evaluation masking graphs operators problems algorithms runs experiments "
    "visualization teaching"
).split()
KINDS = {
    "class": "Classes",
    "exception": "Exceptions",
    "function": "Functions",
    "data": "Constants",
}


@dataclass(frozen=True)
class PublicName:
    """A public name: what it is, and the one place that documents it."""

    package: str
    name: str
    value: Any
    place: str

    @property
    def path(self) -> str:
        return f"{self.package}.{self.name}"

    @property
    def kind(self) -> str:
        if inspect.ismodule(self.value):
            return "module"
        if inspect.isclass(self.value):
            return "exception" if issubclass(self.value, BaseException) else "class"
        return "function" if inspect.isroutine(self.value) else "data"


def listed_names(module: ModuleType) -> list[str]:
    """Public names of a package: `__all__`, or what its file re-exports under the same name."""
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("__")]
    source = Path(str(module.__file__))
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if source.name == "__init__.py":
        return sorted(
            alias.asname
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.asname == alias.name
        )
    return sorted(
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    )


def public_packages() -> dict[str, ModuleType]:
    """Every package with public names, and the modules that are public names, by path."""
    found = {ROOT: importlib.import_module(ROOT)}
    names = [m.name for m in pkgutil.iter_modules(found[ROOT].__path__, f"{ROOT}.") if m.ispkg]
    while names:
        name = names.pop()
        if name in NOT_DOCUMENTED or name.rpartition(".")[2].startswith("_"):
            continue
        module = importlib.import_module(name)
        names += [m.name for m in pkgutil.iter_modules(module.__path__, f"{name}.") if m.ispkg]
        if listed_names(module):
            found[name] = module
            for item in listed_names(module):
                value = getattr(module, item)
                if inspect.ismodule(value) and not hasattr(value, "__path__"):
                    found[f"{name}.{item}"] = value
    return dict(sorted(found.items(), key=lambda entry: position(entry[0])))


def position(package: str) -> tuple[int, str]:
    """Place of a package in the lists: as its arrow says, then by name."""
    first = package.split(".")[1] if "." in package else ""
    if not first:
        return -1, package
    return (ORDER.index(first) if first in ORDER else len(ORDER)), package


def public_names() -> list[PublicName]:
    """Every public name of every package, with the place where it is documented."""
    packages = public_packages()
    places: dict[tuple[str, int], str] = {}
    # The outermost package below the root comes first; the root itself links to all.
    for package in sorted(
        packages, key=lambda name: (name == ROOT, name.count("."), position(name))
    ):
        for item in listed_names(packages[package]):
            value = getattr(packages[package], item)
            places.setdefault((item, id(value)), f"{package}.{item}")
    return [
        PublicName(package, item, value, places[item, id(value)])
        for package, module in packages.items()
        for item in listed_names(module)
        for value in [getattr(module, item)]
    ]


def first_sentence(value: Any) -> str:
    """What the docstring says at first, without its full stop."""
    text = inspect.getdoc(value) or ""
    return " ".join(text.split("\n\n")[0].split()).rstrip(".")


def page(package: str, names: list[PublicName]) -> str:
    """Text of the page of a package."""
    lines = [package, "=" * len(package), "", f".. automodule:: {package}", "   :no-members:", ""]
    for kind, title in KINDS.items():
        chosen = [name for name in names if name.kind == kind]
        if not chosen:
            continue
        lines += [title, "-" * len(title), ""]
        for name in chosen:
            lines += [f".. auto{kind}:: {name.path}"]
            lines += {"class": ["   :members:"], "data": ["   :no-value:"]}.get(kind, [])
            lines += [""]
    return "\n".join(lines)


def write(path: Path, text: str) -> None:
    """Write a page if it has changed, so that an unchanged one is not built again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_pages(app: Sphinx) -> None:
    """Write the pages of all packages, and remove those of packages that are gone."""
    folder = Path(app.srcdir, FOLDER)
    names = public_names()
    written = [folder / "index.rst"]
    for package in public_packages():
        own = [name for name in names if name.package == package and name.place == name.path]
        if own or package == ROOT:
            written.append(folder / f"{package}.rst")
            write(written[-1], page(package, own))
    entries = [f"   {path.stem}" for path in written[1:]]
    head = ["Reference", "=========", "", ".. toctree::", "   :maxdepth: 1", "", *entries, ""]
    write(written[0], "\n".join(head))
    for path in set(folder.glob("*.rst")) - set(written):
        path.unlink()


def add_other_names(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let every public path of an object lead to the place that documents it."""
    domain = env.domains.python_domain
    for name in public_names():
        entry = domain.objects.get(name.place)
        if entry and name.path != name.place and name.path not in domain.objects:
            domain.objects[name.path] = ObjectEntry(
                entry.docname, entry.node_id, entry.objtype, aliased=True
            )
    return []


def setup(app: Sphinx) -> ExtensionMetadata:
    app.connect("builder-inited", write_pages)
    app.connect("env-updated", add_other_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
