"""Searches of k-anonymous nodes that test for feasibility, most with a proof."""
