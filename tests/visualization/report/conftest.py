"""Reports are opened in a browser: without network, and without any error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LIBRARY = "<script>/**"
"""Where plotly begins."""

LINES_BEFORE_IT = 4000


class Opener:
    """Opens the HTML of reports in one tab, waits for their figures, and notes what goes wrong.

    Compiling plotly takes longer than all else that a page does. A browser keeps what it has
    compiled, for scripts of the same text at the same line of the same address.
    """

    def __init__(self, browser: Any, folder: Path) -> None:
        self._file = folder / "report.html"
        self._html = ""
        self._context = browser.new_context(offline=True)
        self._page = self._context.new_page()
        self.complaints: list[str] = []
        self._page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self._page.on("console", self._note)
        self._page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        self._page.on("request", self._note_request)

    def __call__(
        self, html: str, *, color_scheme: str = "light", width: int = 1280, anchor: str = ""
    ) -> Any:
        before = html[: html.index(LIBRARY)]
        lines = "\n" * (LINES_BEFORE_IT - before.count("\n"))
        self._file.write_text(f"{before}{lines}{html[len(before) :]}", encoding="utf-8")
        self._page.mouse.move(0, 0)
        self._page.emulate_media(color_scheme=color_scheme, media="screen")
        self._page.set_viewport_size({"width": width, "height": 900})
        address = f"{self._file.as_uri()}{anchor}"
        if self._html:
            # To go where only the anchor differs would load nothing.
            self._page.evaluate("address => history.replaceState(null, '', address)", address)
            self._page.reload()
        else:
            self._page.goto(address)
        self._page.wait_for_selector("html[data-drawn]", state="attached")
        self._html = html
        return self._page

    def still_open(self, html: str) -> Any:
        """The page as tests before have left it, if no other was opened since."""
        return self._page if html == self._html else self(html)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _note_request(self, request: Any) -> None:
        if request.url.startswith("http"):
            self.complaints.append(request.url)

    def close(self) -> None:
        self._context.close()


@pytest.fixture(scope="session")
def tab(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opener]:
    """The tab of all reports."""
    opener = Opener(browser, tmp_path_factory.mktemp("reports"))
    yield opener
    opener.close()


@pytest.fixture
def opened(tab: Opener) -> Iterator[Opener]:
    """Function that opens the HTML of a report, and waits until its figures are drawn."""
    yield tab
    complaints, tab.complaints = tab.complaints, []
    assert complaints == []
