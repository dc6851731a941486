"""The notebooks of the course run from top to bottom, and hold 90 minutes of notes."""

from __future__ import annotations

import importlib.util
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.repository import ROOT

jupytext = pytest.importorskip("jupytext")

COURSE = ROOT / "docs" / "course"
NAMES = ("lecture", "exercises", "solutions")


@pytest.fixture(scope="module")
def builder():
    pytest.importorskip("nbconvert")
    place = ROOT / "docs" / "build_course.py"
    spec = importlib.util.spec_from_file_location("build_course", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FILM = 'animate(lesson.searches["ola"], "ola.html"'


@pytest.fixture(scope="module")
def notebooks(builder, tmp_path_factory):
    folder, sources = tmp_path_factory.mktemp("course"), list(builder.SOURCES)
    # Of the film every tenth step, as drawing all takes half the time of the lecture.
    text = sources[0].read_text(encoding="utf-8")
    assert text.count(FILM) == 1
    sources[0] = folder / sources[0].name
    sources[0].write_text(text.replace(FILM, f"{FILM}, every=10"), encoding="utf-8")
    # Much of the time is waiting for the processes that run them.
    with ThreadPoolExecutor(len(sources)) as executor:
        found = executor.map(lambda source: builder.executed(source, folder), sources)
        return {source.stem: one for source, one in zip(sources, found, strict=True)}


def outputs_of(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_everything_runs_and_nothing_is_complained_about(notebooks):
    assert set(notebooks) == set(NAMES)
    for notebook in notebooks.values():
        for output in outputs_of(notebook):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text


def test_the_lecture_shows_pictures_and_a_film(notebooks):
    outputs = outputs_of(notebooks["lecture"])
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 10
    assert any("<iframe" in output.get("data", {}).get("text/html", "") for output in outputs)


def test_exercises_wait_for_answers_and_tell_none(notebooks):
    told = [output["data"]["text/plain"] for output in outputs_of(notebooks["exercises"])]
    waiting = [text for text in told if text.endswith("There is no answer yet.")]
    assert len(waiting) == 6
    solved = "\n".join(cell.source for cell in notebooks["solutions"].cells)
    for number in range(1, 7):
        assert f"assert teaching.check_exercise({number}," in solved.replace(
            "verdict = teaching", "assert teaching"
        )


def test_pages_need_no_network(builder, notebooks):
    for name, notebook in notebooks.items():
        page = builder.page(notebook, name)
        fetched = re.findall(r'(?:src|href)="(?!data:|#)([^"]*)"', page)
        assert set(fetched) <= {"ola.html"}


def test_notes_add_up_to_ninety_minutes():
    notebook = jupytext.read(COURSE / "lecture.py", fmt="py:percent")
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    assert None not in kinds
    notes = [
        cell.source for cell, kind in zip(notebook.cells, kinds, strict=True) if kind == "notes"
    ]
    minutes = [int(n) for text in notes for n in re.findall(r"^\*\*(\d+) minutes\.\*\*", text)]
    assert sum(minutes) == 90
    sections = [cell for cell, kind in zip(notebook.cells, kinds, strict=True) if kind == "slide"]
    # The title has no notes with minutes.
    assert len(minutes) == len(sections) - 1
