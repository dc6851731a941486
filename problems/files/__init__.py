"""Masked files as genomes: one gene for each cell."""
