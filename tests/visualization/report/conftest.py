"""Reports are opened in the Chromium that is found: without network, and without any error."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest

WANTED = "the tests of reports need a Chromium, such as apt-get install chromium brings"


@pytest.fixture(scope="session")
def browser() -> Iterator:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        # Where submissions are tested, nothing may be skipped unseen.
        (pytest.fail if "CI" in os.environ else pytest.skip)(WANTED)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser, tmp_path) -> Iterator[Callable]:
    """Function that opens the HTML of a report, and waits until its figures are drawn."""
    contexts, complaints = [], []

    def open_page(html: str, *, color_scheme: str = "light", width: int = 1280, anchor: str = ""):
        file = tmp_path / f"report{len(contexts)}.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(
            color_scheme=color_scheme, offline=True, viewport={"width": width, "height": 900}
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text) if message.type in ("error", "warning") else None
            ),
        )
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                complaints.append(request.url) if request.url.startswith("http") else None
            ),
        )
        page.goto(f"{file.as_uri()}{anchor}")
        page.wait_for_selector("html[data-drawn]", state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
