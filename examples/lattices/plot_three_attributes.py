"""
The lattice of three attributes, drawn
======================================

Twenty patients, and how far age, postcode and sex are generalized: one level for each is a *node*,
and all nodes form a lattice. Each stands above those that it generalizes; the bottom changes
nothing, the top hides all three columns.
"""

import anonopt as ao
from anonopt.visualization import plot_lattice

patients = ao.load_dataset("patients")
print(patients.lattice.heights, patients.lattice.size)

# %%
# Which nodes have classes of at least three patients, and what do they lose? Above a feasible node
# every node is feasible: that is what exact searches rest on. (Small classes count as suppressed,
# which is why the bottom loses all.)

problem = ao.problems.LatticeProblem(patients, ["glm"], k=3)
plot_lattice(problem, title="k = 3: feasible nodes, and their loss", path="feasible.png")

# %%
# With two objectives there is no single best node, but a front: the largest classes for each loss.

traded = ao.problems.LatticeProblem(patients, ["k", "glm"])
front = ao.solve(traded, ao.algorithms.ExhaustiveSearch()).front
print(front)
plot_lattice(traded, value="k", title="Class size against loss: the front", path="front.png")

# %%
# Three nodes of the front as tables, from little to much privacy:

for row in (len(front) - 1, len(front) // 2, 0):
    node = front[list(patients.quasi_identifiers)].iloc[row].tolist()
    print(node, patients.apply(node).head(4), sep="\n")

# %%
# **Next**: how searches walk through this lattice:
# :ref:`sphx_glr_gallery_lattices_plot_animated_searches.py`.
