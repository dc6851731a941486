"""Data sets by name: packaged, or read from a folder of their files."""
