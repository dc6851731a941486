"""The papers: their items, and what comes back of them."""

from anonopt.experiments.papers.reproduction import list_papers as list_papers
from anonopt.experiments.papers.reproduction import reproduce as reproduce
