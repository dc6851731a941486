"""Evolutionary searches of any kind of genome, and random search."""
