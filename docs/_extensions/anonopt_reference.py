"""Writes the pages of the reference, one a package, from what the packages say is public."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from class_members import members_of
from constant_texts import names_in, text_of, value_of
from gallery_links import examples
from public_names import (
    ROOT,
    PublicName,
    documented,
    public_names,
    public_packages,
    real_path,
)
from referred_names import referred_names
from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry, PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

FOLDER = "reference"
KINDS = {
    "class": "Classes",
    "exception": "Exceptions",
    "function": "Functions",
    "data": "Constants",
}
ANY_ROLE = re.compile(r":[\w:]+:`~?([^`<]+)`")


def first_sentence(text: str) -> str:
    """What a docstring says at first, without links, which are relative to where it stands."""
    sentence = " ".join(text.split("\n\n")[0].split()).rstrip(".")
    return ANY_ROLE.sub(lambda match: f"``{match[1].rpartition('.')[2]}``", sentence)


def summary(name: PublicName) -> str:
    """One line on a name."""
    if name.kind == "data":
        return first_sentence(text_of(*defined_in(name)))
    return first_sentence(inspect.getdoc(name.value) or "")


def defined_in(name: PublicName) -> tuple[str, str]:
    """Module from which a constant can be found, and its name."""
    module, _, last = name.path.rpartition(".")
    return module, last


def heading(title: str, line: str = "-") -> list[str]:
    """Lines of a heading."""
    return [title, line * len(title), ""]


def overview(names: list[PublicName]) -> list[str]:
    """Table of names, each with its link and its first sentence."""
    lines = [".. list-table::", "   :class: overview", "   :widths: auto", ""]
    for name in names:
        role = "mod" if name.kind == "module" else "obj"
        lines += [f"   * - :py:{role}:`{name.name} <{name.place}>`", f"     - {summary(name)}"]
    return [*lines, ""]


def entries(names: list[PublicName], places: dict[Any, str], docs: Path) -> list[str]:
    """Directives that document names."""
    lines = []
    for name in names:
        if name.kind == "data":
            lines += constant(name)
        elif name.kind == "function":
            lines += [f".. autofunction:: {name.path}", *examples(name, docs), ""]
        else:
            lines += [*class_entry(name, places), *examples(name, docs), ""]
    return lines


def class_entry(name: PublicName, places: dict[Any, str]) -> list[str]:
    """Directive that documents a class with its own members, and names the inherited ones."""
    own, inherited = members_of(name.value, places)
    lines = [f".. auto{name.kind}:: {name.path}"]
    lines += [f"   :members: {', '.join(own)}"] if own else []
    for place in dict.fromkeys(inherited.values()):
        names = [member for member, home in inherited.items() if home == place]
        links = ", ".join(f":py:obj:`{member} <{place}.{member}>`" for member in names)
        lines += ["", f"   Inherited from :py:class:`~{place}`: {links}."]
    return lines


def class_places(names: list[PublicName]) -> dict[Any, str]:
    """Place of each class that is documented."""
    return {name.value: name.place for name in names if name.kind in ("class", "exception")}


def constant(name: PublicName) -> list[str]:
    """Directive that documents a constant; autodoc would show the docstring of its type."""
    module, last = defined_in(name)
    lines = [f".. py:data:: {last}", f"   :module: {module}"]
    if (written := value_of(name.value)) is not None:
        lines += [f"   :value: {written}"]
    lines += ["", *(f"   {line}" for line in text_of(module, last).splitlines()), ""]
    if names := names_in(name.value):
        lines += [f"   Holds: {', '.join(f'``{one}``' for one in names)}.", ""]
    return lines


def page(package: str, names: list[PublicName], others: list[PublicName], docs: Path) -> str:
    """Text of the page of a package."""
    places = class_places([*names, *others])
    listed = [name for name in names if name.package == package]
    own = list(documented(listed))
    lines = [*heading(package, "="), f".. automodule:: {package}", "   :no-members:", ""]
    lines += overview(sorted(listed, key=lambda name: [*KINDS, "module"].index(name.kind)))
    for kind, title in KINDS.items():
        if chosen := [name for name in own if name.kind == kind]:
            lines += [*heading(title), *entries(chosen, places, docs)]
    if inner := [name for name in others if name.package == package]:
        lines += heading("Related objects")
        lines += ["What the above returns or refers to, by the module that has it.", ""]
        for module in dict.fromkeys(defined_in(name)[0] for name in inner):
            chosen = [name for name in inner if defined_in(name)[0] == module]
            lines += [*heading(module, "~"), *entries(chosen, places, docs)]
    return "\n".join(lines)


def contents(packages: dict[str, ModuleType]) -> str:
    """Text of the page that lists the packages."""
    lines = [*heading("Reference", "="), ".. toctree::", "   :hidden:", ""]
    lines += [f"   {package}" for package in packages]
    lines += ["", ".. list-table::", "   :class: overview", "   :widths: auto", ""]
    for package, module in packages.items():
        said = first_sentence(module.__doc__ or "")
        lines += [f"   * - :py:mod:`{package}`", f"     - {said}"]
    return "\n".join([*lines, ""])


def write(path: Path, text: str) -> None:
    """Write a page if it has changed, so that an unchanged one is not built again."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pages(docs: Path) -> dict[str, str]:
    """Name and text of each page of the reference; `docs` may have a gallery, to link to."""
    names = public_names()
    others = referred_names(names)
    with_page = {name.package for name in documented(names)} | {ROOT}
    chosen = {path: module for path, module in public_packages().items() if path in with_page}
    return {
        "index": contents(chosen),
        **{package: page(package, names, others, docs) for package in chosen},
    }


def write_pages(app: Sphinx) -> None:
    """Write all pages, and remove those of packages that are gone."""
    folder = Path(app.srcdir, FOLDER)
    texts = pages(Path(app.srcdir))
    for name, text in texts.items():
        write(folder / f"{name}.rst", text)
    for path in folder.glob("*.rst"):
        if path.stem not in texts:
            path.unlink()


def add_other_paths(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let every path of an object, and of its members, lead to the place that documents it."""
    names = public_names()
    everything = [*names, *referred_names(names)]
    places = class_places(everything)
    same: dict[str, str] = {}
    for name in everything:
        if name.kind in ("class", "exception"):
            for member, home in members_of(name.value, places)[1].items():
                same[f"{name.place}.{member}"] = f"{home}.{member}"
    domain = cast(PythonDomain, env.get_domain("py"))
    objects, modules = domain.objects, domain.modules
    below: dict[str, list[str]] = {name.place: [] for name in everything}
    for path in [*objects, *same]:
        for place in (path, path.rpartition(".")[0]):
            if place in below:
                below[place].append(path)
    for name in everything:
        for other in {name.path, real_path(name.value) or name.path} - {name.place}:
            for path in below[name.place]:
                same[other + path.removeprefix(name.place)] = same.get(path, path)
    for path, place in same.items():
        if path not in objects and place in objects:
            entry = objects[place]
            objects[path] = ObjectEntry(entry.docname, entry.node_id, entry.objtype, aliased=True)
            if place in modules:
                modules[path] = modules[place]
    return []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("env-updated", add_other_paths)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
