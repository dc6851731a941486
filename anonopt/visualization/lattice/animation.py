"""Searches step by step, as files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy.typing as npt
from pymoo.core.algorithm import Algorithm

from anonopt._checks import check_choice, check_integer
from anonopt.data.output_files import write_file
from anonopt.runs.result import Result
from anonopt.visualization.lattice.board import LatticeBoard
from anonopt.visualization.lattice.hasse import colors_of, panel_of, search_title
from anonopt.visualization.lattice.picture import LABELS
from anonopt.visualization.lattice.steps.frames import thinned
from anonopt.visualization.lattice.steps.searches import FinishedSearch, frames_of, nodes_to_draw
from anonopt.visualization.lattice.styles import exact_colors
from anonopt.visualization.moving.moving_pictures import (
    NO_FFMPEG,
    checked_target,
    ffmpeg_path,
    gif_of,
    in_one_palette,
    mp4_of,
    pixels_of,
    png_of,
)
from anonopt.visualization.moving.slider_page import slider_page

FORMATS = ("html", "gif", "png", "mp4")
"""Endings of the files."""

DPI = {"html": 100, "gif": 80, "png": 80, "mp4": 100}


def animate(
    result: Result | Algorithm,
    path: str | PathLike[str],
    *,
    value: str | bool | None = None,
    nodes: npt.ArrayLike | str | None = None,
    every: int = 1,
    matings: int = 3,
    seconds: float = 1.0,
    labels: bool | str = "auto",
    title: str | None = None,
) -> Path:
    """Write the course of a search in a lattice as a moving picture, one picture a step.

    Searches by tests that were made with ``trace=True`` (Samarati, OLA, Incognito, Datafly,
    BranchAndBound) are shown test by test, with the heights, paths, columns and bounds they
    look at; populations that were followed by a `Recorder` mating by mating, with the boxes of
    the archive; every other search evaluation by evaluation. :func:`lattice_frames` tells the
    same without drawing.

    Parameters
    ----------
    result : Result, or pymoo Algorithm that was run
        Of a problem whose genomes are levels.
    path : path
        File to write, replaced as a whole if it exists. Its ending says what it is: ``html``, one
        page with a slider and keys that needs nothing else; ``gif``; ``png``, animated; ``mp4``,
        if there is ffmpeg.
    value, nodes, labels
        As of :func:`plot_lattice`.
    every : int
        Steps from one picture to the next, at least 1; the last one is always there.
    matings : int
        Matings that are shown of each generation, at least 0.
    seconds : float
        Time that each picture stays, in 0.05..60.
    title : str, optional
        By default it says who searches what.

    Returns
    -------
    Path
        The file. Of equal runs, html, gif and png are equal byte by byte on one machine.

    Raises
    ------
    TypeError
        If it is no result and no algorithm.
    ValueError
        Before anything is drawn: if the ending of the file is unknown, there is no ffmpeg for an
        mp4, genomes are no levels, there are more than 300 nodes, nothing of this name can be
        measured, or an option is out of its range.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(ao.load_dataset("patients"), ["height"], k=3)
    >>> result = ao.solve(problem, ao.algorithms.Datafly(trace=True))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     animate(result, f"{folder}/datafly.html", every=8).name
    'datafly.html'
    """
    target, kind, pause = checked_target(path, seconds, FORMATS)
    program = ffmpeg_path() if kind == "mp4" else None
    if kind == "mp4" and program is None:
        raise ValueError(NO_FFMPEG)
    check_choice("labels", labels, LABELS)
    check_integer("every", every, least=1)
    check_integer("matings", matings, least=0)
    search = FinishedSearch.of(result)
    every_frame = frames_of(search, matings=matings)
    frames = thinned(every_frame, every)
    shown = nodes_to_draw(search, every_frame, nodes)
    title = search_title(search) if title is None else title
    board = LatticeBoard(
        shown,
        frames,
        colors=colors_of(search.problem, shown, value, default=not search.tells_tests),
        panel=panel_of(search, frames),
        labels=labels,
        # A page writes title and text outside the picture, where they can be read aloud.
        title="" if kind == "html" else title,
        tells=kind != "html",
    )
    board.figure.set_dpi(DPI[kind])
    pictures = [pixels_of(board.draw(frame)) for frame in frames]
    if kind == "mp4":
        content = mp4_of(pictures, pause, str(program))
    else:
        images = in_one_palette(pictures, exact_colors())
        if kind == "html":
            texts = [frame.text for frame in frames]
            content = slider_page(images, texts, title=title, seconds=pause)
        else:
            content = (gif_of if kind == "gif" else png_of)(images, pause)
    write_file(target, content)
    return target
