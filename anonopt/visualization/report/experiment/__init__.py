"""The report of an experiment: what its file holds, compared."""

from anonopt.visualization.report.experiment.experiment_page import (
    experiment_page as experiment_page,
)
