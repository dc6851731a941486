"""Fixed, versioned instances, so that results of different people can be compared."""
