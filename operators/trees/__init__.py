"""Operators on trees of equations."""
