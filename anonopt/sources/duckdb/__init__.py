"""Rows that DuckDB reads, groups and counts."""
