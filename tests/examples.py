"""How many random examples a test looks at; the environment may ask for a multiple of them."""

from __future__ import annotations

import os

from hypothesis import settings

TIMES = int(os.environ.get("ANONOPT_EXAMPLES", "1"))
USUAL = 50 * TIMES
"""For a test that names no number."""


def examples(number: int) -> settings:
    """Settings of a test that looks at so many examples, times what the environment says."""
    return settings(max_examples=number * TIMES)
