"""Operators on the cells of masked files."""
