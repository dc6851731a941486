"""Reproductions of papers and comparisons of searches; each says what it prints and returns."""
