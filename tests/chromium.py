"""The Chromium that tests open pages in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
VARIABLE = "ANONOPT_CHROMIUM"
WANTED = (
    "tests of pages need a Chromium, such as apt-get install chromium brings, and playwright "
    f"of the extra dev; {VARIABLE} may name the program"
)


def chromium() -> str | None:
    """Path of the browser: the one that is named, one of the system, or playwright's own."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def not_found(why: str) -> None:
    """Skip a test that needs the browser; where submissions are tested, fail it."""
    message = f"{WANTED} ({why})"
    if "CI" in os.environ:
        pytest.fail(message)
    pytest.skip(message)


def launched() -> Iterator[Any]:
    """Browser of playwright, closed at the end."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError as error:
        not_found(str(error))
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium())
        except Error as error:
            not_found(str(error).splitlines()[0])
        yield browser
        browser.close()
