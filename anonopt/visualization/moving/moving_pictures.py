"""Pictures that move as files: GIF, animated PNG and MP4."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_number
from anonopt._typing import IntArray
from anonopt.data.output_files import check_target
from anonopt.visualization.thinning import evenly_spaced

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL.Image import Image

Pixels = npt.NDArray[np.uint8]

N_COLORS = 200
"""Taken from the pictures, of the palette that all pictures of a file share."""

UNKNOWN = 255
"""No number of a colour: palettes have fewer."""

MOST_SAMPLES = 12
"""Pictures that the palette is taken from."""

LEAST_SECONDS, MOST_SECONDS = 0.05, 60.0
"""Time that a picture may stay."""

LONGEST_PAUSE = 3
"""The last picture stays so many times as long as the others."""

NO_FFMPEG = (
    "path: expected the program ffmpeg for a file ending in mp4, found none; install it "
    '(such as "apt install ffmpeg", or "pip install imageio-ffmpeg"), or write html, gif or png'
)


def checked_target(
    path: str | PathLike[str], seconds: float, formats: Sequence[str]
) -> tuple[Path, str, float]:
    """File to write, its ending without the dot, and the seconds that each picture stays.

    Raises
    ------
    ValueError
        If the ending is none of `formats`, or `seconds` is not in 0.05..60.
    OSError
        If there is no such folder, or the file cannot be replaced.
    """
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in formats:
        raise ValueError(
            f"path: expected a file ending in one of {', '.join(formats)}, found {str(path)!r}"
        )
    check_target(target)
    pause = check_number("seconds", seconds)
    if not LEAST_SECONDS <= pause <= MOST_SECONDS:
        raise ValueError(
            f"seconds: expected a number in {LEAST_SECONDS}..{MOST_SECONDS:g}, found {seconds}"
        )
    return target, kind, pause


def pixels_of(figure: Figure) -> Pixels:
    """Pixels of a figure as it is now, (height, width, 3)."""
    canvas: Any = figure.canvas
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def in_one_palette(pictures: Sequence[Pixels], exact_colors: Sequence[Any]) -> list[Image]:
    """Pictures in the same few colours, which makes them small and equal parts equal.

    Parameters
    ----------
    pictures : sequence of uint8 arrays (height, width, 3)
        At least one, all of one size.
    exact_colors : sequence of matplotlib colours
        At most 55 that stay as they are; of the others the nearest of the palette are shown.
    """
    from matplotlib.colors import to_rgb
    from PIL import Image

    steps = evenly_spaced(len(pictures), MOST_SAMPLES)
    together = Image.fromarray(np.concatenate([pictures[step] for step in steps]))
    found = together.quantize(N_COLORS, method=Image.Quantize.MEDIANCUT).getpalette() or []
    # The means of what is nearly alike are not the colours that mean something.
    exact = [round(255 * part) for color in exact_colors for part in to_rgb(color)]
    palette = np.array(exact + found[: 3 * N_COLORS], dtype=np.int64).reshape(-1, 3)
    nearest = _Nearest(palette)
    images = [Image.fromarray(nearest.of(pixels)) for pixels in pictures]
    for image in images:
        image.putpalette(palette.ravel().tolist())
    return images


class _Nearest:
    """Number of the nearest colour of a palette, (n_colors, 3), for each pixel.

    Pillow's own search is not exact: it takes white for a neighbour of white.
    """

    def __init__(self, palette: IntArray) -> None:
        self._palette = palette.astype(np.int64)
        self._known = np.full(1 << 24, UNKNOWN, dtype=np.uint8)

    def of(self, pixels: Pixels) -> Pixels:
        """Numbers, (height, width), of pixels, (height, width, 3)."""
        parts = pixels.astype(np.int64)
        codes = (parts[..., 0] << 16) | (parts[..., 1] << 8) | parts[..., 2]
        new = np.unique(codes[self._known[codes] == UNKNOWN])
        colors = np.stack([new >> 16, (new >> 8) & 255, new & 255], axis=1)
        for start in range(0, len(new), 4096):
            part = colors[start : start + 4096, np.newaxis]
            distances = ((part - self._palette) ** 2).sum(axis=2)
            self._known[new[start : start + 4096]] = distances.argmin(axis=1)
        found: Pixels = self._known[codes]
        return found


def gif_of(images: Sequence[Image], seconds: float) -> bytes:
    """Content of a GIF that is repeated for ever."""
    return _saved(images, "GIF", duration=_durations(len(images), seconds), loop=0)


def png_of(images: Sequence[Image], seconds: float) -> bytes:
    """Content of an animated PNG; programs that know none show the first picture."""
    return _saved(images, "PNG", duration=_durations(len(images), seconds), loop=0)


def ffmpeg_path() -> str | None:
    """Path of the program ffmpeg, on the search path or of the package imageio-ffmpeg."""
    found = shutil.which("ffmpeg")
    if found is None and find_spec("imageio_ffmpeg") is not None:
        found = str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    return found


def mp4_of(pictures: Sequence[Pixels], seconds: float, program: str) -> bytes:
    """Content of an MP4 in H.264, which every browser plays."""
    import matplotlib as mpl
    from matplotlib.animation import FFMpegWriter

    from anonopt.visualization import figures

    height, width = pictures[0].shape[:2]
    # Halved colours need even numbers of pixels.
    figure = figures.new_figure((width + width % 2) / 100, (height + height % 2) / 100)
    figure.set_layout_engine("none")
    figure.set_dpi(100)
    writer = FFMpegWriter(fps=cast(int, 1 / seconds), extra_args=["-pix_fmt", "yuv420p"])
    with (
        tempfile.TemporaryDirectory() as folder,
        mpl.rc_context({"animation.ffmpeg_path": program}),
    ):
        path = Path(folder, "pictures.mp4")
        with writer.saving(figure, str(path), dpi=100):
            for pixels in [*pictures, *[pictures[-1]] * (LONGEST_PAUSE - 1)]:
                figure.clear()
                figure.figimage(pixels, origin="upper")
                writer.grab_frame()
        return path.read_bytes()


def _durations(n: int, seconds: float) -> list[int]:
    """Milliseconds that each picture stays."""
    each = round(1000 * seconds)
    return [each] * (n - 1) + [LONGEST_PAUSE * each]


def _saved(images: Sequence[Image], kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    first, *others = images
    first.save(buffer, format=kind, save_all=True, append_images=others, **options)
    return buffer.getvalue()
