"""The runs of an experiment: what its file holds, and what is made of it in one call."""

from __future__ import annotations

from os import PathLike

from anonopt.experiments.store.runs import StoredRuns


class Runs(StoredRuns):
    """The runs of an experiment, as its file holds them now.

    Parameters
    ----------
    path : path
        Read only; a running experiment may go on writing it.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is none of an experiment.
    """


def load(path: str | PathLike[str]) -> Runs:
    """Read the file of an experiment.

    Parameters
    ----------
    path : path

    Returns
    -------
    Runs

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is none of an experiment.
    """
    return Runs(path)
