"""Operators on generalization levels, and on other whole numbers."""
