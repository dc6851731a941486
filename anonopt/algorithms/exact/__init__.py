"""Searches of k-anonymous nodes that test for feasibility, most with a proof."""

from anonopt.evaluation.lattice.column_bounds import column_bounds as column_bounds
