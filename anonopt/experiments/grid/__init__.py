"""The grid of an experiment: problems, algorithms, seeds, budgets."""
