"""An experiment that takes a while, for programs that are killed."""

from __future__ import annotations

from anonopt.experiments import Experiment
from tests.experiments.grid.own_parts import Sides, Slow


def slow_runs() -> Experiment:
    return Experiment(
        problems=[Sides()],
        algorithms={"slow": Slow, "random": "random"},
        seeds=range(6),
        budget={"evaluations": 2},
    )
