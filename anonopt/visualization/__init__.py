"""Placeholder docstring, to be replaced."""
