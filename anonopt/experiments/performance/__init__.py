"""Performance of runs after each part of their budget: indicators, targets, attainment."""
