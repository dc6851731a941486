"""Nodes of tables whose distinct tuples stay in an engine."""
