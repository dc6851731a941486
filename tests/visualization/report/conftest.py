"""Reports are opened in a browser: without network, and without any error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Opener:
    """Opens the HTML of reports, waits until their figures are drawn, and notes what goes wrong."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self.contexts: list[Any] = []
        self.complaints: list[str] = []

    def __call__(
        self, html: str, *, color_scheme: str = "light", width: int = 1280, anchor: str = ""
    ) -> Any:
        file = self._folder / f"report{len(self.contexts)}.html"
        file.write_text(html, encoding="utf-8")
        context = self._browser.new_context(
            color_scheme=color_scheme, offline=True, viewport={"width": width, "height": 900}
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._note)
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.on("request", self._note_request)
        page.goto(f"{file.as_uri()}{anchor}")
        page.wait_for_selector("html[data-drawn]", state="attached")
        return page

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _note_request(self, request: Any) -> None:
        if request.url.startswith("http"):
            self.complaints.append(request.url)

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    """Function that opens the HTML of a report, and waits until its figures are drawn."""
    opener = Opener(browser, tmp_path)
    yield opener
    opener.close()
    assert opener.complaints == []


@pytest.fixture(scope="module")
def opened_once(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opener]:
    """The same for pages that several tests look at, one after the other."""
    opener = Opener(browser, tmp_path_factory.mktemp("reports"))
    yield opener
    opener.close()
    assert opener.complaints == []
