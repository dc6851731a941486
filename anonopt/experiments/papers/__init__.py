"""The papers, one file each: every table, figure and example, and the function that measures it."""

from anonopt.experiments.items.item import Paper
from anonopt.experiments.papers.dewri2010 import DEWRI
from anonopt.experiments.papers.kgen2022 import KGEN
from anonopt.experiments.papers.mares2013 import MARES

PAPERS: dict[str, Paper] = {paper.name: paper for paper in (DEWRI, KGEN, MARES)}
"""By the names that commands take."""
