"""Operators on PRAM matrices."""
