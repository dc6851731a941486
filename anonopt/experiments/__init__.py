"""Experiments: the papers' own, beside what they print."""

from anonopt.experiments.papers import list_papers as list_papers
from anonopt.experiments.papers import reproduce as reproduce
