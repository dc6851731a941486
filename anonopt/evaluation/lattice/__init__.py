"""How nodes of the generalization lattice are measured fast."""
