"""The page of a report: one file, which lets nothing in and shows names as text."""

from __future__ import annotations

import builtins
import json
import re

import numpy as np
import pandas as pd
import pytest

from anonopt.visualization import figures
from anonopt.visualization.report import (
    Page,
    Panel,
    Picture,
    Plot,
    Points,
    Section,
    Solution,
    Text,
    page_html,
    plots,
    tables,
)

SCRIPT = "</script><script>alert(1)</script>"


def page(**parts) -> Page:
    import plotly.graph_objects as go

    trace = go.Scatter(
        x=[1, 2], y=[1, 2], text=[plots.hover(SCRIPT, {SCRIPT: SCRIPT})] * 2, legendgroup=SCRIPT
    )
    panel = Panel(
        SCRIPT,
        SCRIPT,
        drawings=(Plot(SCRIPT, plots.plot([trace], x=SCRIPT, y="y")),),
        tables=(tables.table(SCRIPT, pd.DataFrame({SCRIPT: [SCRIPT, None], "n": [1, 2]})),),
        texts=(Text(SCRIPT, SCRIPT),),
        notes=(SCRIPT,),
    )
    section = Section(SCRIPT, SCRIPT, (panel,), {SCRIPT: SCRIPT}, (plots.series(SCRIPT, 0),))
    solution = Solution(SCRIPT, SCRIPT, {SCRIPT: SCRIPT}, (panel,), SCRIPT)
    whole = {
        "title": SCRIPT,
        "lead": SCRIPT,
        "sections": (section,),
        "solutions": (solution,),
        "source": SCRIPT,
        "points": (Points("p", (SCRIPT,), (SCRIPT,)),),
    }
    return Page(**whole | parts)


def own_part(html: str) -> str:
    """All but the library."""
    from plotly.offline import get_plotlyjs

    return html.replace(get_plotlyjs(), "")


def test_names_are_escaped_wherever_they_stand():
    html = own_part(page_html(page()))
    assert SCRIPT not in html and "alert(1)" in html
    # Theirs are the data, the library and the program.
    assert html.count("<script") == html.count("</script>")


def test_page_has_no_address_and_a_policy():
    html = own_part(page_html(page()))
    addresses = set(re.findall(r"https?://[^\s\"'<]+", html))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in html
    assert not re.search(r"<(link|iframe|img)[^>]+(href|src)=\"(?!data:)", html)


def test_equal_pages_are_equal_files():
    assert page_html(page()) == page_html(page())


def test_library_is_in_the_file_once():
    from plotly.offline import get_plotlyjs

    assert page_html(page()).count(get_plotlyjs()) == 1


def test_figures_hold_no_theme_of_their_own():
    html = own_part(page_html(page(solutions=())))
    (content,) = re.findall(
        r'style="height:420px"><script type="application/json">(.*?)</script>', html
    )
    assert "template" not in json.loads(content)["layout"]


def test_missing_extra_is_named(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **options):
        if name.split(".")[0] == "plotly":
            raise ModuleNotFoundError("No module named 'plotly'", name="plotly")
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[report\]'"):
        page_html(Page("t", "l", ()))


def test_pictures_are_inside_the_file_and_described():
    figure = figures.new_figure(3, 2)
    figure.subplots().plot([1, 2])
    panel = Panel("t", "s", drawings=(Picture("p", figure, SCRIPT),))
    html = own_part(page_html(page(sections=(Section("s", panels=(panel,)),))))
    assert 'src="data:image/svg+xml;base64,' in html and 'width="288"' in html


@pytest.mark.parametrize(
    ("text", "shown"),
    [("<b>", "&lt;b&gt;"), ("a\nb", "a b"), ("a&b", "a&amp;b"), ("x" * 300, "x" * 79 + "\u2026")],
)
def test_labels_are_shown_as_they_are(text, shown):
    assert plots.label(text) == shown


def test_dates_and_numbers_are_categories():
    axis = plots.category_axis(["2010-01-01", 3, "<b>"])
    assert axis["type"] == "category" and axis["categoryarray"] == ["2010-01-01", "3", "&lt;b&gt;"]


def test_long_tables_are_cut_and_say_so():
    shown = tables.table("Rows", pd.DataFrame({"n": np.arange(500)}), most_rows=20)
    assert len(shown.frame) == 20 and "first 20 of 500 rows" in shown.caption
    assert shown.markdown.count("\n") == 21


def test_tables_for_latex_are_escaped():
    shown = tables.table("t", pd.DataFrame({"a_b": [np.inf, 0.5], "c": ["5 %", "x"]}))
    assert r"a\_b" in shown.latex and r"$\infty$" in shown.latex and r"5 \%" in shown.latex
    assert r"\begin{tabular}{rl}" in shown.latex
