"""What README.md and docs/ show works: Python blocks run, commands and files exist."""

from __future__ import annotations

import ast
import random
import re
import shlex
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
import typer.testing

from anonopt.visualization.lattice import animation
from tests.repository import ROOT

MADE = {"_build", "gallery", "reference"}  # folders of docs/ that building the site writes
WRITTEN = (page for page in ROOT.glob("docs/**/*.md") if not MADE & set(page.parts))
PAGES = sorted([ROOT / "README.md", *WRITTEN])
TEXTS = sorted({*PAGES, *ROOT.glob("*.md"), *ROOT.glob("*.cff")})

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FRAMEWORKS = ("jmetal", "nevergrad", "optuna", "platypus", "pygmo")
"""What docs/frameworks.md shows; the blocks of those that are not installed are left out."""

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|TBD|lorem ipsum)\b", re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|tmp|home|root|Users)/|[A-Z]:\\")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    language: str
    line: int
    text: str


def blocks(page: Path, *languages: str, text: str | None = None) -> list[Block]:
    if text is None:
        text = page.read_text(encoding="utf-8")
    return [
        Block(page, match[1], text[: match.start()].count("\n") + 2, match[2])
        for match in FENCE.finditer(text)
        if match[1] in languages
    ]


def commands() -> list[str]:
    """Each shown command line, without its comment."""
    return [
        line.partition("#")[0].strip()
        for page in TEXTS
        if page.suffix == ".md"
        for block in blocks(page, "bash")
        for line in block.text.splitlines()
        if line.partition("#")[0].strip()
    ]


def by_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


SMALLER = {
    "README.md": {
        "range(20)": "range(2)",
        "budget=1000": "budget=20",
        "workers=2": "workers=0",
        ', "adult-sk-glm", "adult-sk-sl-glm", "adult-k-glm-cm"]': "]",
    },
    "docs/tuning.md": {"test_seeds=tuple(range(5))": "test_seeds=tuple(range(2))"},
}
"""What takes long on a page, and what shows the same in less."""


def quick(page: Path) -> str:
    """Text of a page with smaller experiments, line by line the same."""
    text = page.read_text(encoding="utf-8")
    for large, few in SMALLER.get(by_name(page), {}).items():
        assert text.count(large) == 1, large
        text = text.replace(large, few)
    return text


def imported(block: Block) -> set[str]:
    """Packages that a block imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(block.text)):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found


def missing(block: Block) -> bool:
    """Whether it shows a framework that is not installed."""
    return any(find_spec(name) is None for name in imported(block) & set(FRAMEWORKS))


@pytest.fixture
def few_pictures(monkeypatch):
    """Draw three steps or so of every animation, which tests of animations draw whole."""
    thinned = animation.thinned
    monkeypatch.setattr(
        animation, "thinned", lambda frames, every: thinned(frames, max(every, len(frames) // 2))
    )


@pytest.mark.usefixtures("few_pictures")
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=by_name)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    backend = matplotlib.get_backend()
    matplotlib.use("Agg")
    namespace: dict[str, object] = {"__name__": "__readme__"}
    # Pages on other libraries seed global generators, as those libraries want it.
    drawn = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        for block in blocks(page, "python", text=quick(page)):
            if missing(block):
                continue
            # Blank lines in front make a traceback point at the line of the page.
            code = "\n" * (block.line - 1) + block.text
            exec(compile(code, str(page), "exec", dont_inherit=True), namespace)
    finally:
        matplotlib.use(backend)
        random.setstate(drawn[0])
        np.random.set_state(drawn[1])  # noqa: NPY002


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_framework_is_installed_so_that_its_block_runs(name):
    used = [block for page in PAGES for block in blocks(page, "python") if name in imported(block)]
    assert used
    if any(missing(block) for block in used):
        pytest.skip(f"{name} is not installed: its block did not run (extra frameworks)")


@pytest.mark.parametrize(
    "block", blocks(ROOT / "docs" / "extending.md", "python"), ids=lambda b: b.line
)
def test_part_of_ones_own_takes_under_30_lines(block):
    assert len(block.text.splitlines()) < 30


@pytest.mark.parametrize("name", ["README.md", "docs/comparing_algorithms.md"])
def test_comparison_takes_at_most_12_lines_from_nothing(name):
    (block,) = (one for one in blocks(ROOT / name, "python") if "to_latex(" in one.text)
    lines = [line for line in block.text.splitlines() if line.strip()]
    assert lines[0] == "import anonopt as ao" and len(lines) <= 12
    assert all(part in block.text for part in ("plot_curves", "plot_ecdf", "path="))


def told_of(pages: list[Path], found_in: Callable[[Path, str], Collection[str]]) -> dict[str, Any]:
    """What is found in the texts of pages, by their names, where it is anything."""
    found = {by_name(page): found_in(page, page.read_text(encoding="utf-8")) for page in pages}
    return {name: one for name, one in found.items() if one}


def test_every_block_names_its_language():
    known = {"python", "bash", "text", "csv", "toml", "json", "bibtex", "sql"}
    assert told_of(PAGES, lambda _, text: {m[1] for m in FENCE.finditer(text)} - known) == {}


def test_directives_are_marked_by_colons():
    # With backticks they would be blocks of a language, here and where repositories are shown.
    assert told_of(PAGES, lambda _, text: re.findall(r"```{.*", text)) == {}


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    shown = {
        word
        for line in commands()
        if "make " in line
        for word in shlex.split(line.partition("make ")[2])
        if "=" not in word
    }
    assert {"demo", "test"} <= shown
    assert shown <= targets


@pytest.mark.parametrize(
    "command", sorted({line.split()[1] for line in commands() if line.startswith("anonopt ")})
)
def test_shown_subcommand_exists(command, monkeypatch, capsys):
    from anonopt.cli import main

    monkeypatch.setattr(sys, "argv", ["anonopt", command, "--help"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code in (0, None)
    assert "Usage" in capsys.readouterr().out


def options_of(words: list[str]) -> tuple[list[str], set[str]]:
    """Command that the words of a line lead to, and its options."""
    from anonopt.cli import app

    command, path = typer.testing._get_command(app), []
    for word in words:
        inner = getattr(command, "commands", {})
        if word in inner:
            command = inner[word]
            path.append(word)
        elif inner and not word.startswith("-"):
            break
    # A command of a group may be left out: `anonopt experiment FILE` runs one.
    meant = [command, *(getattr(command, "commands", {}).values() if path else ())]
    options = [option for one in meant for option in one.params]
    names = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    return path, names | {"--help", "-h"}


@pytest.mark.parametrize(
    "line", sorted({line for line in commands() if line.startswith("anonopt ")})
)
def test_shown_options_exist(line):
    words = shlex.split(line.partition("|")[0].partition(">")[0].partition("<")[0])[1:]
    path, known = options_of(words)
    general = options_of([])[1]
    shown = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert shown - known - general == set(), f"options of anonopt {' '.join(path)}"


def test_links_lead_to_files():
    def broken(page: Path, text: str) -> list[str]:
        links = [link for link in LINK.findall(text) if not link.startswith("mailto:")]
        local = [link for link in links if "://" not in link]
        return [link for link in local if not (page.parent / link).exists()]

    assert told_of(TEXTS, broken) == {}


def test_no_unfinished_marks_and_no_machine_paths():
    assert told_of(TEXTS, lambda _, text: UNFINISHED.findall(text)) == {}
    assert told_of(TEXTS, lambda _, text: MACHINE_PATH.findall(text)) == {}


def test_readme_first_screen_shows_how_to_try_it():
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    for need in ("make demo", "make test", "docs/images/adult-front.png"):
        assert any(need in line for line in first_screen), need


def test_readme_is_short_and_has_three_starts():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    for reader in ("researcher", "lecturer", "table"):
        assert f"(docs/start/{reader}.md)" in text
