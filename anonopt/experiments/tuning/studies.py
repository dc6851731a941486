"""Studies of Optuna that a tuning begins and goes on with."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from anonopt.experiments.grid.descriptions import changes

if TYPE_CHECKING:
    import optuna

DESCRIPTION = "anonopt_tuning"
"""Attribute of a study by which it is known whose it is."""

StorageLike: TypeAlias = "str | PathLike[str] | optuna.storages.BaseStorage | None"


def open_study(
    storage: StorageLike, name: str, *, maximize: bool, description: str
) -> optuna.Study:
    """Begin a study, or find the one that goes on.

    Parameters
    ----------
    storage : path, URL, Optuna storage or None
        A path is one of a SQLite file; None keeps the study in memory.
    name : str
        Of the study in its storage.
    maximize : bool
    description : str
        JSON, of the tuning that the study is of.

    Raises
    ------
    ModuleNotFoundError
        If Optuna is not installed.
    ValueError
        If it is the study of another tuning; the message names what differs.
    """
    found = imported_optuna()
    if isinstance(storage, str | PathLike):
        text = fspath(storage)
        storage = text if "://" in text else f"sqlite:///{Path(text).as_posix()}"
    study: optuna.Study = found.create_study(
        storage=storage,
        study_name=name,
        direction="maximize" if maximize else "minimize",
        load_if_exists=True,
    )
    held = study.user_attrs.get(DESCRIPTION)
    if held is None and not study.trials:
        study.set_user_attr(DESCRIPTION, description)
    elif held is None:
        raise ValueError(f"study {name!r}: expected one of this tuning, found trials of none")
    elif held != description:
        changed = changes(held, description)
        raise ValueError(f"study {name!r}: expected one of this tuning, found that {changed}")
    return study


def imported_optuna() -> Any:
    """Optuna, which an extra brings.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed: the message names the extra.
    """
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "run_optuna needs the extra 'tuning': pip install 'anonopt[tuning]'; "
            "run_pymoo needs nothing"
        ) from error
    return optuna


def copy_of(study: optuna.Study) -> optuna.Study:
    """Copy in memory to ask for proposals, so that a kill leaves no trial open in the study."""
    import optuna

    copy = optuna.create_study(direction=study.direction)
    copy.add_trials(study.trials)
    return copy


def proposal(
    copy: optuna.Study, options: Mapping[str, Any], *, seed: int, number: int
) -> optuna.Trial:
    """Trial that TPE proposes, from those before it.

    The sampler's state is nowhere kept, so each trial has a sampler of its own, seeded by `seed`
    and the number of the trial.
    """
    import optuna

    drawn = np.random.SeedSequence([seed, number]).generate_state(1)[0]
    copy.sampler = optuna.samplers.TPESampler(seed=int(drawn))
    return copy.ask(dict(options))
