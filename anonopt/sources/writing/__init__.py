"""Protected rows of tables of any size, into files."""
