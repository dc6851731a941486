"""
Cell suppression
================

Where few rows are rare, it is enough to leave out single cells of these, until every row equals
k - 1 others. How many cells that takes depends on who looks for them. German credit has 1000
applicants and 6 quasi-identifiers; 82 ages make most of them rare.
"""

import matplotlib.pyplot as plt

import anonopt as ao

german = ao.load_dataset("german")
columns = list(german.quasi_identifiers)
ks = (2, 3, 5, 7, 10)


def n_cells(masked):
    """Suppressed cells of a masked table."""
    return int((masked[columns].astype(object) == "*").sum().sum())


cells = {"column by column": [], "greedy": [], "evolved": [], "no search below": []}
for k in ks:
    for name, search in (("column by column", "importance"), ("greedy", "greedy")):
        method = ao.masking.CellSuppression(k, columns=columns, search=search)
        cells[name].append(n_cells(method.fit_transform(german.frame)))
    problem = ao.problems.CellSuppressionProblem(german, k=k)
    result = ao.solve(problem, ao.algorithms.OnePlusOneES(), budget=150, seed=1)
    assert ao.check(result.protect(), quasi_identifiers=columns, k=k)["anonymous"]
    cells["evolved"].append(n_cells(result.protect()))
    cells["no search below"].append(problem.bound)
print(cells)

# %%
# The search starts from the greedy one: its genome is a factor for the weight of each column.

figure, axes = plt.subplots(figsize=(7, 4))
for (name, counts), style in zip(cells.items(), ("^-", "s-", "o-", "k:"), strict=True):
    axes.plot(ks, counts, style, label=name)
axes.set(xlabel="k", ylabel="suppressed cells of 6000", title="German credit, k-anonymous by cells")
axes.legend()
figure.savefig("cells.png")

# %%
# What a row loses is mostly its age. The cells of other columns are what few rows pay who have no
# k - 1 others like them even without it.

print((result.protect()[columns].astype(object) == "*").sum())

# %%
# **Next**: the two readings of a suppressed cell, weights of columns, and what to do first:
# :doc:`/cell_suppression`.
