"""Domain generalization hierarchies and how they are built."""
