"""Columns as codes and whole numbers."""
