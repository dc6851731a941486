"""The page of a report: one file with everything in it, made by jinja2."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from anonopt.visualization import figures
from anonopt.visualization.report import plots, tables
from anonopt.visualization.report.parts import Page, Picture, Plot, Table, Weights

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

ASSETS = "assets"
EXTRA = "reports need the extra 'report': pip install 'anonopt[report]'"

PIXELS_PER_INCH = 96
"""Of the inches of matplotlib on a screen."""


def check_libraries() -> None:
    """Refuse to begin a report that cannot be written.

    Raises
    ------
    ModuleNotFoundError
        If jinja2 or plotly is not installed; the message names the extra.
    """
    try:
        import jinja2
        import plotly.offline
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(EXTRA, name=error.name) from error
    del jinja2, plotly


def page_html(page: Page) -> str:
    """Whole file of a report, equal for equal pages.

    Parameters
    ----------
    page : Page

    Returns
    -------
    str
        HTML without any address of the network; its policy forbids to load anything.

    Raises
    ------
    ModuleNotFoundError
        If jinja2 or plotly is not installed.
    """
    check_libraries()
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    made, number = environment(), itertools.count(1).__next__
    return made.get_template("page.html").render(
        page=page,
        number=number,
        solutions=packed_solutions(page, made, number),
        backgrounds=json_script(
            {name: _content(figure) for name, figure in page.backgrounds.items()}
        ),
        themes=json_script(plots.themes()),
        points=json_script(
            {one.name: {"texts": one.texts, "opens": one.opens} for one in page.points}
        ),
        style=Markup(_asset("report.css")),
        script=Markup(_asset("report.js") + _asset("weights.js")),
        # The library itself; a "</script>" within it would end it, and is not in it.
        plotly=Markup(get_plotlyjs()),
        version=version("anonopt"),
    )


@cache
def environment() -> jinja2.Environment:
    """Templates of reports: all that they are given is escaped, and nothing may be absent.

    They are the same for all pages, and compiled once.
    """
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["figure"] = figure_script
    made.filters["picture"] = picture_source
    made.filters["width"] = picture_width
    made.filters["cells"] = cells
    made.filters["weights"] = weights_script
    made.filters["mathml"] = _mathml
    made.tests["plot"] = lambda drawing: isinstance(drawing, Plot)
    return made


def packed_solutions(page: Page, templates: jinja2.Environment, number: Callable[[], int]) -> str:
    """Titles and parts of the solutions as HTML, by key: JSON, packed by gzip, as base64.

    What opens at a click is much the same for each solution, and takes a tenth of its size so.
    """
    template = templates.get_template("solution.html")
    parts = {
        solution.key: [solution.title, template.render(solution=solution, number=number)]
        for solution in page.solutions
    }
    text = json.dumps(parts, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _asset(name: str) -> str:
    return files(__package__).joinpath(ASSETS, name).read_text(encoding="utf-8")


def json_script(value: Any) -> Markup:
    """JSON for the inside of a script element, which no text within can end."""
    from markupsafe import Markup
    from plotly.utils import PlotlyJSONEncoder

    text = json.dumps(value, cls=PlotlyJSONEncoder, sort_keys=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def figure_script(drawing: Plot) -> Markup:
    """Traces and layout of a figure as JSON; the template is the page's."""
    content = _content(drawing.figure)
    return json_script({**content, "background": drawing.background})


def _content(figure: Any) -> dict[str, Any]:
    content = figure.to_plotly_json()
    content["layout"].pop("template", None)
    return {"data": content["data"], "layout": content["layout"]}


def weights_script(weights: Weights) -> Markup:
    """What the script of the sliders needs, as JSON."""
    return json_script(
        {
            "scaled": weights.scaled,
            "titles": list(weights.titles),
            "rho": weights.rho,
            "least": weights.least,
        }
    )


def _mathml(formula: str) -> Markup:
    from markupsafe import Markup

    return Markup(formula)


def picture_source(drawing: Picture) -> str:
    """Address of an image that holds the drawing itself, as SVG."""
    content = figures.picture_of(drawing.figure, "picture.svg", transparent=True)
    return f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"


def picture_width(drawing: Picture) -> int:
    """Pixels that a picture is wide where there is room."""
    return int(drawing.figure.get_size_inches()[0] * PIXELS_PER_INCH)


def cells(shown: Table) -> Iterator[tuple[list[tuple[str, bool, bool, bool]], str | None]]:
    """Rows of a table: of each cell its text, whether it is a number, bold, marked; what opens.

    The first row is the header.
    """
    header, rows = tables.texts_of(shown.frame)
    numeric = tables.numeric_columns(shown.frame)
    yield [(text, number, False, False) for text, number in zip(header, numeric, strict=True)], None
    opens = shown.opens or (None,) * len(rows)
    n_heads = len(header) - len(shown.frame.columns)
    for place, (row, key) in enumerate(zip(rows, opens, strict=True)):
        bold = [False] * len(row)
        if shown.bold is not None:
            bold[n_heads:] = shown.bold.iloc[place].astype(bool).tolist()
        marked = [False] * len(row)
        if shown.marked is not None:
            marked[n_heads:] = shown.marked[place].tolist()
        yield list(zip(row, numeric, bold, marked, strict=True)), key
