"""Studies of Optuna that a tuning begins and goes on with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import optuna

DESCRIPTION = "anonopt_tuning"
"""Attribute of a study by which it is known whose it is."""


def claim(study: optuna.Study, description: str) -> None:
    """Write on an empty study whose it is; a later call checks it.

    Raises
    ------
    ValueError
        If it is the study of somebody else.
    """
    held = study.user_attrs.get(DESCRIPTION)
    if held is None and not study.trials:
        study.set_user_attr(DESCRIPTION, description)
    elif held != description:
        raise ValueError(f"study {study.study_name!r}: expected {description}, found {held}")


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
