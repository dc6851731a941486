"""The site as a reader has it: opened from disk, without a network."""

from __future__ import annotations

import os
import re

import pytest

from tests.repository import ROOT

SITE = ROOT / "docs" / "_build" / "html"


@pytest.fixture(scope="module")
def site():
    """Address of the built site; that there is none is an error where submissions are checked."""
    if not (SITE / "searchindex.js").is_file():
        (pytest.fail if "CI" in os.environ else pytest.skip)("make docs has not built the site")
    return SITE.as_uri()


@pytest.fixture
def opened(browser, site):
    """Opens a page of the site; what goes wrong in it is noted in `page.faults`."""
    contexts = []

    def open_page(path: str, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda m: m.type == "error" and page.faults.append(m.text))
        page.on("request", lambda r: r.url.startswith("http") and page.faults.append(r.url))
        page.goto(path if path.startswith("file:") else site + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_search_finds_names_from_disk(opened):
    page = opened("/search.html?q=Microdata")
    page.wait_for_selector("#search-results li a")
    found = [link.get_attribute("href") for link in page.locator("#search-results li a").all()]
    assert any(
        link.endswith("reference/anonopt.data.html#anonopt.data.Microdata") for link in found
    )
    assert page.faults == []


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("path", ["/index.html", "/reference/anonopt.masking.html"])
def test_page_shows_itself_without_a_network(opened, path, mode):
    page = opened(path, color_scheme=mode, viewport={"width": 320, "height": 700})
    assert page.locator("html").get_attribute("data-theme") == mode
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) <= 0
    assert page.faults == []


FORMULA = re.compile(r'<(span|div) class="math[^>]*>(.*?)</\1>', re.DOTALL)
SETTINGS = re.compile(r"<script>window\.MathJax = .*?</script>", re.DOTALL)


def test_formulas_are_set(opened, tmp_path):
    """All formulas of the site on one page, which is quicker than each page by itself."""
    formulas, settings = {}, ""
    for path in sorted(SITE.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        found = [match[2] for match in FORMULA.finditer(text)]
        formulas.update(dict.fromkeys(found, path.relative_to(SITE).as_posix()))
        if found and not settings:
            settings = SETTINGS.search(text)[0]
    if not formulas:
        pytest.skip("no page has a formula")
    script = f'<script src="{(SITE / "_static" / "tex-svg.js").as_uri()}"></script>'
    body = "\n".join(f'<div class="math">{text}</div>' for text in formulas)
    page_of_all = tmp_path / "formulas.html"
    head = f'<meta charset="utf-8">{settings}{script}'
    page_of_all.write_text(f"<html><head>{head}</head><body>{body}</body></html>", "utf-8")
    page = opened(page_of_all.as_uri())
    page.wait_for_function("window.MathJax && MathJax.startup.promise.then(() => true)")
    set_as = page.locator("div.math").evaluate_all(
        """divs => divs.map(div => div.querySelector("[data-mjx-error]") ? "an error"
           : div.querySelector("mjx-container") ? "a formula" : "text")"""
    )
    wrong = [
        (formulas[text], text)
        for text, how in zip(formulas, set_as, strict=True)
        if how != "a formula"
    ]
    assert wrong == []
    assert page.faults == []
