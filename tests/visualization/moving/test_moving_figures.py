"""Moving figures: a picture a step, in one file."""

from __future__ import annotations

import io

import pytest
from PIL import Image

import anonopt as ao
from anonopt.masking import MDAV, Mondrian
from anonopt.visualization import (
    animate_figures,
    groups_step_by_step,
    mondrian_step_by_step,
    plot_mondrian,
)
from anonopt.visualization.figures import new_figure

FRAME = ao.load_dataset("german").frame[["age", "credit_amount"]].head(12)


@pytest.mark.parametrize("ending", ["gif", "png"])
def test_a_film_has_a_picture_a_step_and_equal_films_are_equal(tmp_path, ending):
    paths = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for path in paths:
        assert animate_figures(groups_step_by_step(FRAME, MDAV(k=4)), path, seconds=0.5) == path
    with Image.open(io.BytesIO(paths[0].read_bytes())) as film:
        assert film.n_frames == 4
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_page_tells_the_steps_and_needs_nothing(tmp_path):
    steps = mondrian_step_by_step(FRAME, Mondrian(k=4), title="<script>alert(1)</script>")
    page = animate_figures(steps, tmp_path / "film.html", title="<b>Mondrian</b>").read_text(
        "utf-8"
    )
    assert "after 0 of 1 cuts" in page
    assert "after 1 of 1 cuts" in page
    assert "<b>Mondrian</b>" not in page
    assert "<script>alert(1)</script>" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("figures", "name", "options", "message"),
    [
        ([], "a.gif", {}, "figures: expected at least one, found none"),
        ([plot_mondrian(FRAME, Mondrian(k=4)), new_figure(3, 2)], "a.gif", {}, "all of one size"),
        ([], "a.mp4", {}, "html, gif, png"),
        ([], "a.gif", {"seconds": 0.0}, "seconds: expected a number in 0.05..60"),
    ],
)
def test_wrong_input_is_named(tmp_path, figures, name, options, message):
    with pytest.raises(ValueError, match=message):
        animate_figures(figures, tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []
