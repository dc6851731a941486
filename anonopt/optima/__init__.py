"""Optima of a lattice that are proven without looking at all of its nodes."""
