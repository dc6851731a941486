"""Operators on random keys, real numbers in 0..1."""
