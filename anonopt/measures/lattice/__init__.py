"""Privacy and loss of a node of the generalization lattice."""
