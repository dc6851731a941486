"""What trials of options came to, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class Trial:
    """Options that were run on all instances and seeds of a tuning.

    Attributes
    ----------
    options : mapping of name to value
    value : float
        Mean of the indicator over the runs.
    n_runs : int
    n_evaluations : int
        Distinct solutions that the runs evaluated.
    ended : mapping of str to int
        How many runs ended for which reason, such as ``{"budget reached": 4}``.
    """

    options: Mapping[str, Any]
    value: float
    n_runs: int
    n_evaluations: int
    ended: Mapping[str, int]

    @property
    def cost(self) -> dict[str, Any]:
        """What the trial is told with besides its options and its value."""
        return {
            "n_runs": self.n_runs,
            "n_evaluations": self.n_evaluations,
            "ended": dict(self.ended),
        }


def trial_frame(trials: Sequence[Trial]) -> pd.DataFrame:
    """One row a trial: its options, ``value``, ``n_runs``, ``n_evaluations`` and ``ended``."""
    rows = [{**trial.options, "value": trial.value, **trial.cost} for trial in trials]
    return pd.DataFrame(rows)
