"""Masking files that do not fit in memory."""
