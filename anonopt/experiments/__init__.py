"""Experiments: comparisons of algorithms, and those of the papers beside what they print."""

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
