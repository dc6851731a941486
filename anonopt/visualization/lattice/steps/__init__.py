"""The steps of a search in a lattice, without drawing."""
