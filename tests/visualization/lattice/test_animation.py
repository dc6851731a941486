"""Moving pictures: as many as steps, equal for equal runs, refused before anything is drawn."""

from __future__ import annotations

import base64
import io
import json
import re

import numpy as np
import pytest
from PIL import Image

import anonopt as ao
from anonopt.algorithms import OLA, Datafly
from anonopt.visualization import animate, lattice_frames
from anonopt.visualization.lattice import animation
from anonopt.visualization.lattice.styles import exact_colors
from anonopt.visualization.moving import moving_pictures, slider_page
from anonopt.visualization.moving.moving_pictures import in_one_palette
from tests.visualization.lattice.steps.searches import kgen, least_problem, pbgea, traced


def page_data(path):
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script id="steps" type="application/json">(.*?)</script>', text, re.S)
    return text, json.loads(found.group(1))


def opened(encoded):
    return Image.open(io.BytesIO(base64.b64decode(encoded)))


def shown(data, step):
    """Picture of a step, put together as the page does."""
    one = data["steps"][step]
    whole = opened(data["wholes"][one["whole"]]).convert("RGBA")
    if "picture" in one:
        change = opened(one["picture"]).convert("RGBA")
        place = [round(one[side] * size / 100) for side, size in zip(
            ("left", "top"), whole.size, strict=True
        )]  # fmt: skip
        assert change.width == round(one["width"] * whole.width / 100)
        whole.alpha_composite(change, tuple(place))
    return np.asarray(whole.convert("RGB"))


def test_page_holds_each_step_as_it_was_drawn(tmp_path, monkeypatch):
    kept = []

    def noted(images, texts, **options):
        kept.extend(np.asarray(image.convert("RGB")) for image in images)
        return slider_page.slider_page(images, texts, **options)

    monkeypatch.setattr(animation, "slider_page", noted)
    path = animate(traced(OLA), tmp_path / "ola.html", every=4)
    frames = lattice_frames(traced(OLA), every=4)
    text, data = page_data(path)
    assert [step["text"] for step in data["steps"]] == [frame.text for frame in frames]
    for number, picture in enumerate(kept):
        assert (shown(data, number) == picture).all()
    assert len({picture.tobytes() for picture in kept}) == len(frames)
    assert path.stat().st_size < 400_000
    assert "http://" not in text and "https://" not in text
    assert 'aria-live="polite"' in text and "default-src 'none'" in text


def test_changes_are_drawn_with_a_margin_that_hides_the_edge_when_a_page_is_scaled():
    pixels = np.full((9, 12), 1, dtype=np.uint8)
    changed = pixels.copy()
    changed[4, 0] = 2
    images = [Image.fromarray(one) for one in (pixels, changed)]
    for image in images:
        image.putpalette([0, 0, 0, 255, 255, 255, 9, 9, 9])
    change = slider_page._change(images[1], images[0])
    drawn = np.asarray(opened(change["picture"]).convert("RGBA"))
    assert drawn.shape == (5, 3, 4) and (drawn[..., 3] == 255).all()
    assert change["left"] == 0 and change["top"] == round(100 * 2 / 9, 4)


def test_equal_runs_are_equal_files(tmp_path):
    for ending in ("html", "gif", "png"):
        paths = [
            animate(traced(Datafly), tmp_path / f"{number}.{ending}", every=20)
            for number in range(2)
        ]
        assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("ending", ["gif", "png"])
def test_moving_pictures_have_a_picture_a_step(ending, tmp_path):
    frames = lattice_frames(pbgea(), every=15)
    path = animate(pbgea(), tmp_path / f"pbgea.{ending}", every=15, seconds=0.5)
    with Image.open(path) as image:
        assert image.n_frames == len(frames)
        assert image.info["duration"] == 500
        image.seek(image.n_frames - 1)
        assert image.info["duration"] == 1500
        white = np.asarray(image.convert("RGB"))[2, 2]
    assert white.tolist() == [255, 255, 255]


def test_palette_is_the_nearest_colour():
    rng = np.random.default_rng(1)
    pixels = rng.integers(0, 256, (20, 30, 3), dtype=np.uint8)
    pixels[0, 0], pixels[0, 1] = 255, (0x56, 0xB4, 0xE9)
    (image,) = in_one_palette([pixels], exact_colors())
    palette = np.array(image.getpalette()).reshape(-1, 3)
    distances = ((pixels.reshape(-1, 1, 3).astype(int) - palette) ** 2).sum(axis=2)
    found = ((np.asarray(image.convert("RGB")).astype(int) - pixels) ** 2).sum(axis=2)
    assert (found.ravel() == distances.min(axis=1)).all()
    assert found[0, 0] == found[0, 1] == 0


@pytest.fixture
def nothing_drawn(monkeypatch):
    def refuse(*arguments):
        raise RuntimeError("drawn too early")

    monkeypatch.setattr(animation, "pixels_of", refuse)


@pytest.mark.usefixtures("nothing_drawn")
def test_refusals_come_before_drawing(tmp_path, monkeypatch):
    result = kgen()
    for wrong in ("kgen.avi", "kgen", "kgen.pdf"):
        with pytest.raises(ValueError, match="ending in one of html, gif, png, mp4"):
            animate(result, tmp_path / wrong)
    with pytest.raises(FileNotFoundError):
        animate(result, tmp_path / "absent" / "kgen.gif")
    monkeypatch.setattr(animation, "ffmpeg_path", lambda: None)
    with pytest.raises(ValueError, match="expected the program ffmpeg"):
        animate(result, tmp_path / "kgen.mp4")
    path = tmp_path / "kgen.gif"
    for seconds in (0, -1, 61, float("nan")):
        with pytest.raises(ValueError, match="seconds"):
            animate(result, path, seconds=seconds)
    for option, wrong in (("every", 0), ("matings", -1), ("labels", "no"), ("value", "nonsense")):
        with pytest.raises(ValueError, match=f"{option}|nonsense"):
            animate(result, path, **{option: wrong})
    with pytest.raises(TypeError, match="expected a Result"):
        animate(least_problem(), path)
    large = ao.solve(ao.get_problem("adult-k-glm"), ao.algorithms.RandomSearch(), budget=5, seed=1)
    with pytest.raises(ValueError, match="found 17,920"):
        animate(large, path)
    with pytest.raises(RuntimeError):
        animate(large, path, nodes="visited")
    assert list(tmp_path.iterdir()) == []


def test_ffmpeg_is_looked_for_on_the_path(monkeypatch):
    monkeypatch.setattr(moving_pictures.shutil, "which", lambda name: f"/somewhere/{name}")
    assert moving_pictures.ffmpeg_path() == "/somewhere/ffmpeg"
    monkeypatch.setattr(moving_pictures.shutil, "which", lambda name: None)
    monkeypatch.setattr(moving_pictures, "find_spec", lambda name: None)
    assert moving_pictures.ffmpeg_path() is None


@pytest.mark.skipif(
    moving_pictures.ffmpeg_path() is None, reason="MP4 needs ffmpeg, which is not installed"
)
def test_mp4_is_written(tmp_path):
    path = animate(traced(Datafly), tmp_path / "datafly.mp4", every=8)
    assert path.read_bytes()[4:8] == b"ftyp"


def test_hostile_texts_stay_texts(tmp_path):
    hostile = "</script><script>alert(1)</script> $x_1$ <b> \"'"
    path = animate(kgen(), tmp_path / "kgen.html", every=9, title=hostile)
    text, _ = page_data(path)
    assert text.count("<script") == 2 and "<b>" not in text
    image = Image.new("P", (4, 4))
    image.putpalette([0, 0, 0, 255, 255, 255])
    page = slider_page.slider_page([image, image], [hostile, "two"], title=hostile, seconds=1.0)
    content = page.decode()
    assert content.count("<script") == 2
    found = re.search(r'application/json">(.*?)</script>', content, re.S).group(1)
    assert json.loads(found)["steps"][0]["text"] == hostile


def test_page_in_a_browser(browser, tmp_path):
    path = animate(traced(Datafly), tmp_path / "datafly.html", every=5)
    n_steps = len(lattice_frames(traced(Datafly), every=5))
    wrong = []
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda one: one.type == "error" and wrong.append(one.text))
    page.on("request", lambda one: one.url.startswith("http") and wrong.append(one.url))
    page.goto(path.as_uri())
    assert page.inner_text("#told").startswith(f"Step 1 of {n_steps}.")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#told").startswith(f"Step 2 of {n_steps}.")
    assert page.is_visible("#change")
    page.keyboard.press("End")
    assert page.inner_text("#told").startswith(f"Step {n_steps} of {n_steps}.")
    assert page.input_value("#slider") == str(n_steps)
    page.click("#first")
    page.click("#play")
    assert page.inner_text("#play") == "Pause"
    assert page.get_attribute("#told", "aria-live") == "off"
    context.close()
    assert wrong == []
