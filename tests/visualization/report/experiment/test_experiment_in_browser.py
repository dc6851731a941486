"""The report of an experiment in a browser: looked at, pointed at, clicked, typed, printed."""

from __future__ import annotations

import re

import pytest

from anonopt.experiments import Experiment
from anonopt.visualization.report import page_html
from anonopt.visualization.report.experiment import experiment_page
from tests.visualization.report.experiment.stores_of_reports import SCRIPT, STORES

VISIBLE = """([section, figure]) => {
  const place = document.querySelectorAll(`#section-${section} .plot`)[figure];
  return place.data.filter(trace => trace.visible !== false).map(trace => trace.legendgroup);
}"""
POINT = """([section, figure, name, number]) => {
  const place = document.querySelectorAll(`#section-${section} .plot`)[figure];
  place.scrollIntoView({block: "center", behavior: "instant"});
  const trace = place._fullData.find(one => one.legendgroup === name && one.mode !== "none");
  // A point that opens a solution, if no number is asked for.
  if (number === null) number = trace.customdata.findIndex(key => key !== null);
  const {xaxis, yaxis, _size} = place._fullLayout;
  const box = place.getBoundingClientRect();
  const x = xaxis.d2p(trace.x[number]), y = yaxis.d2p(trace.y[number]);
  return [box.x + _size.l + x, box.y + _size.t + y];
}"""
OVERFLOW = """() => [...document.querySelectorAll("main *")].filter(part => {
  const box = part.getBoundingClientRect();
  return box.right > innerWidth + 1 && !part.closest(".scroll, .plot, .picture, pre");
}).length"""
COLOR = "part => getComputedStyle(document.querySelector(part)).color"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two named problems, so that solutions open; an algorithm whose name looks like markup."""
    path = tmp_path_factory.mktemp("runs") / "runs.sqlite"
    return Experiment(
        problems=["german-k-glm", "adult-k-l-glm"],
        algorithms={"nsga2": "nsga2", SCRIPT: "random", "vnd": "lattice-vnd"},
        seeds=[0, 1],
        budget=60,
    ).run(path, workers=0)


@pytest.fixture(scope="module")
def html(runs):
    return page_html(experiment_page(runs, most_solutions=6, sample_rows=2))


@pytest.fixture
def page(opened, html):
    """The page, which every test leaves without an open solution."""
    one = opened.still_open(html)
    yield one
    one.evaluate("document.getElementById('solution').close()")


HOVERED = """() => [...document.querySelectorAll(".hoverlayer")].map(l => l.textContent).join("")"""


def pointed_at(page, place):
    """Text that appears where the mouse is put."""
    page.mouse.move(*place)
    page.wait_for_function(f"({HOVERED})() !== ''")
    return page.evaluate(HOVERED)


def section_of(page, title):
    headings = page.locator("main h2").all_inner_texts()
    return headings.index(title) + 1


def test_all_figures_are_drawn_as_they_are_meant(page):
    kinds = page.evaluate(
        "[...document.querySelectorAll('.plot')].flatMap(p => (p._fullData || []).map(t => t.type))"
    )
    assert len(kinds) > 20 and set(kinds) == {"scatter"}
    assert page.locator("main .plot:visible .main-svg").count() >= 3


def test_no_button_sends_the_data_away(page):
    titles = page.eval_on_selector_all(
        ".modebar-btn", "all => all.map(button => button.getAttribute('data-title'))"
    )
    assert titles and not any("hare" in title or "loud" in title for title in titles)
    servers = page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot')].map(p => p._context.plotlyServerURL)"
    )
    assert set(servers) == {""}


def test_names_are_text_everywhere(page):
    section = section_of(page, "Problem german-k-glm")
    assert SCRIPT in page.locator(f"#section-{section} .legend").inner_text()
    assert page.evaluate("[...document.scripts].filter(s => s.text === 'alert(1)').length") == 0
    assert SCRIPT in pointed_at(page, page.evaluate(POINT, [section, 1, SCRIPT, 4]))


def test_pointing_at_a_point_tells_who_found_it_and_a_click_opens_it(page, runs):
    section = section_of(page, "Problem german-k-glm")
    place = page.evaluate(POINT, [section, 0, "vnd", None])
    told = pointed_at(page, place)
    assert re.search(r"k: \d+", told) and "of 2 runs, first by seed" in told and "genome:" in told
    page.mouse.click(*place)
    page.wait_for_selector("dialog[open] .main-svg")
    assert re.search(
        r"Solution \d+ of the best front: generalized table", page.inner_text("dialog")
    )
    assert "Levels and loss by attribute" in page.inner_text("dialog")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")


def test_point_without_details_tells_its_genome(page):
    section = section_of(page, "Problem adult-k-l-glm")
    page.evaluate(
        """section => {
          const place = document.querySelector(`#section-${section} .plot`);
          const trace = place.data.find(one => one.legendgroup === "vnd");
          const number = trace.customdata.findIndex((key, i) => key === null && trace.text[i]);
          place.emit("plotly_click",
            {points: [{customdata: null, text: trace.text[number]}]});
        }""",
        section,
    )
    page.wait_for_selector("dialog[open] pre")
    assert "genome:" in page.inner_text("dialog pre") and "&" not in page.inner_text("dialog pre")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")


def test_legend_filters_all_figures_of_its_section_and_no_other(page):
    first, other = (section_of(page, f"Problem {p}") for p in ("german-k-glm", "adult-k-l-glm"))
    line = page.locator(f"#section-{first} .legend button", has_text="nsga2")
    line.focus()
    page.keyboard.press("Space")
    assert line.get_attribute("aria-pressed") == "false"
    for figure in (0, 1):
        assert "nsga2" not in page.evaluate(VISIBLE, [first, figure])
        assert "vnd" in page.evaluate(VISIBLE, [first, figure])
    assert "nsga2" in page.evaluate(VISIBLE, [other, 0])
    page.locator(f"#section-{first} .legend button", has_text="Hide all").click()
    assert page.evaluate(VISIBLE, [first, 0]) == []
    page.locator(f"#section-{first} .legend button", has_text="Show all").click()
    assert {"nsga2", "vnd", SCRIPT} <= set(page.evaluate(VISIBLE, [first, 0]))


def test_choice_shows_another_indicator(page):
    section = section_of(page, "Problem german-k-glm")
    panel = page.locator(f"#section-{section} article", has_text="Anytime curves")
    panel.locator("select").select_option("igd_plus")
    shown = panel.locator(".plot:visible")
    assert shown.count() == 1
    assert "igd_plus" in shown.locator(".ytitle").text_content()
    panel.locator("select").select_option("hypervolume")


def test_three_objectives_have_parallel_coordinates_and_pairs(page):
    section = section_of(page, "Problem adult-k-l-glm")
    panel = page.locator(f"#section-{section} article").first
    choice = panel.locator("select option").all_inner_texts()
    assert choice == ["parallel coordinates", "k and l", "k and glm", "l and glm"]


@pytest.mark.parametrize("kind", ["LaTeX", "Markdown"])
def test_tables_are_copied_without_a_clipboard_of_the_page(page, runs, kind):
    # What copies where the page may not write the clipboard: a selection.
    page.evaluate(
        """() => {
          Object.defineProperty(navigator, "clipboard", {value: undefined, configurable: true});
          document.addEventListener("copy", () => {
            window.copied = document.activeElement.value;
          }, {once: true});
        }"""
    )
    page.locator("#section-2 article").first.get_by_text(f"Copy as {kind}").click()
    page.wait_for_function("document.getElementById('status').textContent === 'Copied'")
    expected = runs.to_latex() if kind == "LaTeX" else runs.to_markdown()
    assert page.evaluate("window.copied").strip() == expected.strip()


def test_keyboard_goes_from_the_skip_link_through_the_page(page):
    page.evaluate("""() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    }""")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().x") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "[document.activeElement.tagName, getComputedStyle("
                "document.activeElement).outlineStyle]"
            )
        )
    assert {tag for tag, _ in seen} >= {"SUMMARY", "BUTTON"}
    assert {style for _, style in seen} == {"solid"}


def test_screen_readers_find_landmarks_headings_and_what_figures_say(page):
    told = page.locator("body").aria_snapshot()
    for part in (
        "banner",
        'navigation "Contents"',
        "main",
        "contentinfo",
        'heading "Fronts"',
        'figure "Fronts"',
        'combobox "indicator"',
        "columnheader",
        "rowheader",
    ):
        assert part in told, part
    # Each figure is described by the text above it.
    ids = page.eval_on_selector_all(
        "figure", "all => all.map(f => f.getAttribute('aria-describedby'))"
    )
    assert all(page.inner_text(f"#{one}") for one in ids)


def test_zoom_of_200_percent_needs_no_scrolling_sideways(page):
    page.set_viewport_size({"width": 640, "height": 450})
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.evaluate(OVERFLOW) == 0
    widths = page.eval_on_selector_all(
        "main .plot:not([hidden]) .main-svg", "all => all.map(s => s.getBoundingClientRect().right)"
    )
    assert widths and max(widths) <= 640
    page.set_viewport_size({"width": 1280, "height": 900})


def test_print_cuts_no_figure(page):
    content = page.pdf(format="A4", print_background=True)
    assert content.startswith(b"%PDF") and len(content) > 50_000
    # As the page is laid out to be printed.
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    sizes = page.eval_on_selector_all(
        "main .plot:not([hidden]) .main-svg", "all => all.map(s => s.getBoundingClientRect().width)"
    )
    assert sizes and max(sizes) <= 690
    assert page.is_hidden("nav") and page.is_hidden(".copies >> nth=0")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")


def test_dark_page_has_light_text_in_its_figures(opened, html):
    dark = opened(html, color_scheme="dark")
    for part, least in (("body", 200), (".plot .xtick text", 200)):
        values = [int(n) for n in re.findall(r"\d+", dark.evaluate(COLOR, part))[:3]]
        assert min(values) > least, part
    assert (
        dark.evaluate("getComputedStyle(document.querySelector('.picture img')).filter") != "none"
    )
    # The reader may choose, and figures follow.
    dark.click("#theme")
    assert dark.inner_text("#theme") == "Dark"
    fill = dark.evaluate("getComputedStyle(document.querySelector('.plot .xtick text')).fill")
    assert max(int(n) for n in re.findall(r"\d+", fill)[:3]) < 80


@pytest.mark.parametrize("name", ["hostile names", "failures only"])
def test_awkward_experiments_are_shown(opened, tmp_path, name):
    page = opened(page_html(experiment_page(STORES[name](tmp_path / "x.sqlite"))), width=640)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.locator("main h2").count() >= 5
