"""The page of a run in a browser: points open their solution, sliders move the recommendation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.visualization.report import Page, Solution, page_html
from anonopt.visualization.report.runs.recommendation import recommended
from anonopt.visualization.report.runs.run_page import run_page
from anonopt.visualization.report.solutions.detail import Shown
from anonopt.visualization.report.solutions.detail_panels import detail_panels
from anonopt.visualization.report.solutions.solution_details import backgrounds, solution_detail
from tests.visualization.report.hostile_problems import SCRIPT, solutions

SET_SLIDERS = """values => {
  document.querySelectorAll('.weights input').forEach((slider, place) => {
    slider.value = values[place];
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  return document.querySelector('.recommended button').dataset.open;
}"""
POINT = """place => {
  const plot = document.querySelector('main .plot');
  const trace = plot.calcdata[0][place];
  const box = plot.getBoundingClientRect();
  return [box.x + plot._fullLayout._size.l + plot._fullLayout.xaxis.c2p(trace.x),
          box.y + plot._fullLayout._size.t + plot._fullLayout.yaxis.c2p(trace.y)];
}"""


@pytest.fixture(scope="module")
def two():
    problem = ao.get_problem("german-k-glm")
    return ao.solve(problem, ao.algorithms.PBGEA(), budget=150, seed=1)


@pytest.fixture(scope="module")
def three():
    problem = ao.get_problem("adult-k-l-glm")
    return ao.solve(problem, ao.algorithms.RandomSearch(), budget=60, seed=1)


@pytest.fixture(scope="module")
def html_of_two(two):
    return page_html(run_page(two))


@pytest.fixture(scope="module")
def html_of_three(three):
    return page_html(run_page(three, sample_rows=0))


def title(page):
    page.wait_for_selector("dialog[open]")
    return page.inner_text("#solution-title")


def test_click_on_a_point_opens_its_solution(opened, two, html_of_two):
    page = opened(html_of_two)
    page.locator("main .plot").first.scroll_into_view_if_needed()
    row = len(two.front) - 1
    page.mouse.move(*page.evaluate(POINT, row))
    page.wait_for_selector(".hoverlayer .hovertext")
    assert f"solution {row}" in page.text_content(".hoverlayer")
    page.mouse.click(*page.evaluate(POINT, row))
    assert title(page) == f"Solution {row}: generalized table"
    page.wait_for_selector("dialog .main-svg")
    text = page.inner_text("dialog")
    assert "Levels and loss by attribute" in text
    assert page.evaluate("location.hash") == f"#solution-{row}"
    marked = page.evaluate("document.querySelector('main .plot').data[3].x")
    assert marked == [two.front["k"].iloc[row]]
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")
    assert page.evaluate("location.hash") == ""


def test_keyboard_alone_opens_steps_and_closes(opened, html_of_two):
    page = opened(html_of_two)
    page.focus("summary:has-text('Solutions of the front')")
    if not page.is_visible("main td button[data-open='1']"):
        page.keyboard.press("Enter")
    page.focus("main td button[data-open='1']")
    page.keyboard.press("Enter")
    assert title(page).startswith("Solution 1:")
    page.focus("dialog [data-step='1']")
    page.keyboard.press("Enter")
    page.wait_for_function("document.getElementById('solution-title').innerText.includes(' 2:')")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")
    page.focus(".weights input")
    before = page.input_value(".weights input")
    page.keyboard.press("ArrowRight")
    assert page.input_value(".weights input") == str(int(before) + 1)


def test_address_opens_a_solution(opened, html_of_two):
    page = opened(html_of_two, anchor="#solution-2")
    assert title(page).startswith("Solution 2:")


@pytest.mark.parametrize("which", ["two", "three"])
def test_sliders_recommend_what_pymoo_does(opened, which, request):
    result = request.getfixturevalue(which)
    page = opened(request.getfixturevalue(f"html_of_{which}"))
    n_obj = len(result.problem.objective_names)
    generator = np.random.default_rng(5)
    for weights in [*generator.integers(0, 101, (8, n_obj)), *(100 * np.eye(n_obj, dtype=int))]:
        if weights.any():
            row = int(page.evaluate(SET_SLIDERS, weights.tolist()))
            assert row == recommended(result.F, weights.astype(float)), weights
    assert page.inner_text(".recommended button").startswith(f"Solution {row}:")
    page.evaluate(SET_SLIDERS, [0] * n_obj)
    even = page.get_attribute(".recommended button", "data-open")
    assert int(even) == recommended(result.F, np.ones(n_obj))
    place = page.evaluate("document.querySelector('main .plot').layout.meta.moved.traces")
    moved = f"document.querySelector('main .plot').data[{place['recommended'][0]}].y"
    marked = page.evaluate(moved)
    assert marked[0] is not None
    page.click("#theme")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.evaluate(moved) == marked


def test_views_of_three_objectives(opened, html_of_three):
    page = opened(html_of_three, color_scheme="dark")
    page.select_option(".choice select", label="pairs of objectives")
    pairs = "document.querySelectorAll('main .plot')[1]"
    assert page.evaluate(f"{pairs}.data.length") == 12
    assert page.evaluate(f"{pairs}.data[2].x[0]") is not None
    kinds = page.evaluate(
        "Array.from(document.querySelectorAll('.plot.js-plotly-plot'))"
        ".flatMap(plot => plot._fullData.map(trace => trace.type))"
    )
    assert set(kinds) == {"scatter"}


def test_every_kind_opens_with_its_labels_as_text(opened):
    shown = Shown(sample_rows=3, evaluated=pd.DataFrame({"IL": [1.0, 2.0], "DR": [2.0, 1.0]}))
    known = solutions()
    found = tuple(
        Solution(kind, kind, panels=detail_panels(solution_detail(problem, x, shown)))
        for kind, (problem, x) in known.items()
    )
    behind = {
        name: figure
        for problem, _ in known.values()
        for name, figure in backgrounds(problem, shown).items()
    }
    page = opened(page_html(Page("all", "kinds", (), found, backgrounds=behind)))
    for place, kind in enumerate(known):
        if place == 3:
            page.keyboard.press("Escape")
            page.click("#theme")
        page.evaluate("key => { location.hash = '#solution-' + encodeURIComponent(key); }", kind)
        page.wait_for_function(
            "key => document.getElementById('solution-title').textContent === key", arg=kind
        )
        page.wait_for_selector("dialog .main-svg")
        assert SCRIPT in page.inner_text("dialog"), kind
        assert page.query_selector("dialog b, dialog u, dialog script:not([type])") is None


def test_narrow_page_does_not_scroll_sideways_and_prints(opened, html_of_two):
    page = opened(html_of_two, width=320, anchor="#solution-0")
    title(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 320
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    assert not page.is_visible("#theme")
    assert not page.is_visible(".weights input")
    assert page.is_visible(".recommended button")
