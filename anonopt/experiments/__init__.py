"""Experiments: the papers' own, beside what they print."""

from anonopt.experiments.reproduction import list_papers as list_papers
from anonopt.experiments.reproduction import reproduce as reproduce
