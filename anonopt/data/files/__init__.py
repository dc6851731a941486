"""Data sets and hierarchies that the package carries (see ``README.md`` in this folder)."""
