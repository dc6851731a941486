"""
Each group of rows in its own way
=================================

The best node of the lattice generalizes a column alike in all rows. A local recoding does so in
groups of rows, each as far as it needs. Both have the same hierarchies, the same k, and here no
suppressed row.
"""

import numpy as np

import anonopt as ao
from anonopt.local_recoding import lattice_groups
from anonopt.visualization import plot_recoding

adult = ao.load_dataset("adult")  # 30162 rows, 8 quasi-identifiers
lattice = ao.problems.LatticeProblem(adult, ["glm"], k=5)
node = ao.solve(lattice, ao.algorithms.BranchAndBound())  # proven

# %%
# A genome of a local recoding are numbers in 0..1 that weigh the cuts of a decoder. Keys of 0.5 are
# what it does by itself; an evolution strategy, one of the algorithms for real numbers, goes on
# from there.

problem = ao.problems.LocalRecodingProblem(adult, ["glm"], k=5)
middle = np.full((1, problem.n_var), 0.5)
unasked = problem.evaluate(middle, return_values_of=["F"])
found = ao.solve(problem, ao.algorithms.OnePlusOneES(), budget=150, seed=1)
print(f"{node.F[0, 0]:,.0f} a node, {unasked[0, 0]:,.0f} by itself, {found.F[0, 0]:,.0f} searched")

# %%
# How many rows are labelled on which level: a node has one level a column.

groups = problem.groups(found.X[0])
plot_recoding(
    adult,
    {"best node": lattice_groups(adult, node.X[0]), "local recoding": groups},
    title="Adult at k = 5, no row suppressed",
    path="levels.png",
)

# %%
# What is published are labels of the hierarchies. Labels of one column may overlap: some rows could
# be told more exactly than others.

protected = problem.protect(found.X[0])
print(protected[["age", "workclass", "education", "sex"]].head(6))
figures = ao.check(protected, quasi_identifiers=adult.quasi_identifiers, k=5)
print(figures[["anonymous", "k", "classes", "suppressed"]])

# %%
# **Next**: ``ao.algorithms.CMAES()`` and others in its place; what each k costs:
# :ref:`sphx_glr_gallery_recodings_plot_k_and_loss.py`.
