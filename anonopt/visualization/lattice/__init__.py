"""Lattices as Hasse diagrams, and searches of them step by step."""
