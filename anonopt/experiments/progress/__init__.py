"""How good a run was after each part of its budget: indicators, targets, attainment."""
