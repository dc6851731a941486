"""Neighbourhood searches of the generalization lattice."""
