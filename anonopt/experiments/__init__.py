"""Experiments: comparisons of algorithms, and those of the papers beside what they print.

Names are loaded when they are used, so that a process that runs the jobs of an experiment brings
neither tables and tests along nor suites and papers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonopt.experiments.experiment import Experiment as Experiment
    from anonopt.experiments.performance.quality import list_indicators as list_indicators
    from anonopt.experiments.reproduction import list_papers as list_papers
    from anonopt.experiments.reproduction import reproduce as reproduce
    from anonopt.experiments.runs import Runs as Runs
    from anonopt.experiments.runs import load as load
    from anonopt.experiments.suites.landscape import Landscape as Landscape
    from anonopt.experiments.suites.landscape import landscape as landscape
    from anonopt.experiments.suites.suite import Suite as Suite
    from anonopt.experiments.suites.suite import list_suites as list_suites
    from anonopt.experiments.suites.suite import suite as suite
    from anonopt.experiments.tuning.split import Split as Split
    from anonopt.experiments.tuning.split import suite_split as suite_split
    from anonopt.experiments.tuning.tuning import Tuning as Tuning
else:
    # Hidden from type checkers: a visible __getattr__ would turn every misspelt name into Any.
    from anonopt._lazy import load_late

    _PLACES, __getattr__, __dir__ = load_late(
        __name__,
        {
            "experiment": "Experiment",
            "performance.quality": "list_indicators",
            "reproduction": "list_papers reproduce",
            "runs": "Runs load",
            "suites.landscape": "Landscape landscape",
            "suites.suite": "Suite list_suites suite",
            "tuning.split": "Split suite_split",
            "tuning.tuning": "Tuning",
        },
    )
    __all__ = sorted(_PLACES)
