"""Where experiments are kept: one SQLite file, documented, readable by plain SQL."""
