"""How objects look in a notebook: a line, facts and tables as HTML that cannot run anything.

Everything is escaped, so that a category called ``<script>`` is shown as text; there is no style
sheet and no script, so that a saved notebook looks the same wherever it is opened.
"""

from __future__ import annotations

import html
import math
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 20
"""Rows of a table that are shown; of a longer one the first and the last, as pandas does."""


LARGEST_SHOWN = 10**12
"""Numbers from here on are shown by their magnitude."""


def notebook_html(
    title: str,
    facts: Mapping[str, object],
    tables: Iterable[tuple[str, pd.DataFrame]] = (),
    *,
    index: bool = False,
) -> str:
    """HTML of an object for its ``_repr_html_``.

    Parameters
    ----------
    title : str
        What it is, in a line.
    facts : mapping of str to object
        What to know of it; those that are None are left out.
    tables : iterable of (str, DataFrame)
        Captions, which may be empty, and what stands below them. Tables of more than `MOST_ROWS`
        rows are cut, and say of how many rows they are.
    index : bool
        Whether the row index of the tables is shown.

    Returns
    -------
    str

    Examples
    --------
    >>> notebook_html("A <b>", {"k": 5, "left out": None})
    '<div class="anonopt"><p><strong>A &lt;b&gt;</strong><br>k: 5</p></div>'
    """
    import pandas as pd

    told = "; ".join(
        f"{html.escape(name)}: {html.escape(str(fact))}"
        for name, fact in facts.items()
        if fact is not None
    )
    parts = [f"<p><strong>{html.escape(title)}</strong>{f'<br>{told}' if told else ''}</p>"]
    for caption, frame in tables:
        if caption:
            parts.append(f"<p>{html.escape(caption)}</p>")
        # Signs of dollars would start a formula, and long texts are to be seen whole.
        with pd.option_context("display.html.use_mathjax", False, "display.max_colwidth", None):
            parts.append(
                frame.to_html(
                    border=0,
                    index=index,
                    max_rows=MOST_ROWS,
                    max_cols=MOST_ROWS,
                    show_dimensions=len(frame) > MOST_ROWS,
                )
            )
    return f'<div class="anonopt">{"".join(parts)}</div>'


def count_text(count: int | None) -> str:
    """A number of things that may be astronomical, or not finite.

    Examples
    --------
    >>> count_text(12960), count_text(3**3000), count_text(None)
    ('12,960', 'about 10^1431', 'not finite')
    """
    if count is None:
        return "not finite"
    return f"{count:,}" if count < LARGEST_SHOWN else f"about 10^{math.log10(count):.0f}"


def in_notebook() -> bool:
    """Whether the program runs in the kernel of a notebook, whose outputs can be updated."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython and ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")
