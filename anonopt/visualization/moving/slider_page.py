"""A page with a slider: one file, pictures and all, that needs no network and no library.

Some pictures are there as a whole, of the others only the rectangle that differs from the last
whole one, see-through where it does not. So any step is one picture on top of another, and small.
"""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Sequence
from string import Template
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

MARGIN = 2
"""Pixels around a change that are drawn along with it."""

LARGEST_CHANGE = 0.4
"""Share of the size of a whole picture from which on a step is a whole picture itself."""

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --line: #8a8a8a; --key: #0b4f7d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1b1d1f; --ink: #ececec; --line: #8a8a8a; --key: #8cc8ee; }
}
body { margin: 1rem auto; max-width: 76rem; padding: 0 1rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.15rem; margin: 0 0 .6rem; }
#picture { position: relative; background: #fff; }
#picture img { display: block; width: 100%; height: auto; }
#picture #change { position: absolute; height: auto; }
#controls { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .6rem 0; }
#controls input[type=range] { flex: 1 1 14rem; min-width: 8rem; accent-color: var(--key); }
button { font: inherit; padding: .25rem .7rem; min-width: 2.6rem; border: 1px solid var(--line);
  border-radius: .3rem; background: transparent; color: inherit; cursor: pointer; }
button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible {
  outline: 3px solid var(--key); outline-offset: 2px; }
#told { min-height: 4.4em; margin: .2rem 0 .8rem; font-size: 1.1rem; }
ol button { text-align: left; border: 0; padding: .1rem .3rem; }
ol button[aria-current] { font-weight: bold; text-decoration: underline; }
@media print { #controls, details > summary { display: none; } }
"""

SCRIPT = """
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("steps").textContent);
  const n = data.steps.length, get = (id) => document.getElementById(id);
  const base = get("base"), change = get("change"), told = get("told");
  const slider = get("slider"), play = get("play");
  const items = document.querySelectorAll("ol button");
  let now = 0, timer = null;
  function show(step) {
    now = Math.max(0, Math.min(n - 1, step));
    const one = data.steps[now];
    base.src = "data:image/png;base64," + data.wholes[one.whole];
    change.hidden = !one.picture;
    if (one.picture) {
      change.src = "data:image/png;base64," + one.picture;
      change.style.left = one.left + "%";
      change.style.top = one.top + "%";
      change.style.width = one.width + "%";
    }
    slider.value = now + 1;
    slider.setAttribute("aria-valuetext", "step " + (now + 1) + " of " + n);
    told.textContent = "Step " + (now + 1) + " of " + n + ". " + one.text;
    items.forEach((item, i) => {
      if (i === now) { item.setAttribute("aria-current", "step"); }
      else { item.removeAttribute("aria-current"); }
    });
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    told.setAttribute("aria-live", "polite");
  }
  function toggle() {
    if (timer !== null) { stop(); return; }
    if (now === n - 1) { show(0); }
    play.textContent = "Pause";
    told.setAttribute("aria-live", "off");
    timer = setInterval(() => { if (now >= n - 1) { stop(); } else { show(now + 1); } },
      1000 * data.seconds / parseFloat(get("speed").value));
  }
  const go = (step) => { stop(); show(step); };
  get("first").onclick = () => go(0);
  get("back").onclick = () => go(now - 1);
  get("next").onclick = () => go(now + 1);
  get("last").onclick = () => go(n - 1);
  play.onclick = toggle;
  get("speed").onchange = () => { if (timer !== null) { stop(); toggle(); } };
  slider.oninput = () => go(slider.value - 1);
  items.forEach((item, i) => { item.onclick = () => go(i); });
  document.addEventListener("keydown", (event) => {
    const place = event.target.tagName;
    if (event.ctrlKey || event.altKey || event.metaKey || place === "SELECT") { return; }
    const keys = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: n - 1 };
    if (event.key in keys) { event.preventDefault(); go(keys[event.key]); }
    else if (event.key === " " && place !== "BUTTON" && place !== "SUMMARY") {
      event.preventDefault();
      toggle();
    }
  });
  show(0);
})();
"""

PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>$style</style>
</head>
<body>
<main>
<h1>$title</h1>
<div id="picture">
<img id="base" src="data:image/png;base64,$base" width="$width" height="$height" \
alt="Hasse diagram of the lattice; what happens at each step is told below">
<img id="change" alt="" hidden>
</div>
<div id="controls" role="group" aria-label="Steps">
<button id="first" type="button">First</button>
<button id="back" type="button">Back</button>
<button id="play" type="button">Play</button>
<button id="next" type="button">Next</button>
<button id="last" type="button">Last</button>
<input id="slider" type="range" min="1" max="$n_steps" value="1" step="1" aria-label="Step">
<label>Speed <select id="speed"><option value="0.5">half</option>
<option value="1" selected>normal</option><option value="2">double</option>
<option value="4">fourfold</option></select></label>
</div>
<p id="told" aria-live="polite">Step 1 of $n_steps. $first</p>
<details>
<summary>All $n_steps steps (keys: left, right, Home, End, space)</summary>
<ol>
$items
</ol>
</details>
</main>
<script id="steps" type="application/json">$data</script>
<script>$script</script>
</body>
</html>
""")


def slider_page(
    images: Sequence[Image], texts: Sequence[str], *, title: str, seconds: float
) -> bytes:
    """Content of the page.

    Parameters
    ----------
    images : sequence of PIL Images
        Of one size, in one palette of at most 255 colours.
    texts : sequence of str
        What happens at each step; any text, it is escaped.
    title : str
    seconds : float
        Time that each step stays when it plays.
    """
    wholes, steps = _parts(images)
    told = [{"text": text, **step} for text, step in zip(texts, steps, strict=True)]
    data = json.dumps({"seconds": seconds, "wholes": wholes, "steps": told}, allow_nan=False)
    items = [f'<li><button type="button">{html.escape(text)}</button></li>' for text in texts]
    width, height = images[0].size
    page = PAGE.substitute(
        title=html.escape(title),
        style=STYLE,
        base=wholes[0],
        width=width,
        height=height,
        n_steps=len(steps),
        first=html.escape(texts[0]),
        items="\n".join(items),
        # No text can close the element it stands in.
        data=data.replace("<", "\\u003c"),
        script=SCRIPT,
    )
    return page.encode("utf-8", "replace")


def _parts(images: Sequence[Image]) -> tuple[list[str], list[dict[str, Any]]]:
    """Whole pictures, and of each step the number of the whole one and what differs from it."""
    wholes: list[str] = []
    steps: list[dict[str, Any]] = []
    whole = images[0]
    for image in images:
        change = _change(image, whole) if wholes else {}
        if not wholes or len(change.get("picture", "")) > LARGEST_CHANGE * len(wholes[-1]):
            whole, change = image, {}
            wholes.append(_encoded(image))
        steps.append({"whole": len(wholes) - 1, **change})
    return wholes, steps


def _change(image: Image, whole: Image) -> dict[str, Any]:
    """The rectangle in which a picture differs from a whole one, and its place in percent."""
    from PIL import Image as Images
    from scipy.ndimage import binary_dilation

    pixels = np.asarray(image)
    differs = pixels != np.asarray(whole)
    if not differs.any():
        return {}
    # Browsers that scale both blend the margin of the change with what is below.
    differs = binary_dilation(differs, np.ones((3, 3), dtype=np.bool_), iterations=MARGIN)
    rows, columns = (np.flatnonzero(differs.any(axis=axis)) for axis in (1, 0))
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    # Colour 0 shows what is below; the others are one further.
    part = np.where(differs, pixels + 1, 0)[top:bottom, left:right].astype(np.uint8)
    drawn = Images.fromarray(part)
    drawn.putpalette([0, 0, 0, *(image.getpalette() or [])])
    width, height = image.size
    return {
        "picture": _encoded(drawn, see_through=True),
        "left": round(100 * int(left) / width, 4),
        "top": round(100 * int(top) / height, 4),
        "width": round(100 * int(right - left) / width, 4),
    }


def _encoded(image: Image, *, see_through: bool = False) -> str:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", optimize=True, **({"transparency": 0} if see_through else {}))
    return base64.b64encode(buffer.getvalue()).decode("ascii")
