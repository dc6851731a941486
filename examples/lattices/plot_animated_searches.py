"""
Searches, step by step
======================

Exact searches test few nodes, and conclude the rest: what is above a feasible node is feasible,
what is below an infeasible one is not. :func:`anonopt.visualization.animate` shows how, from the
trace of a search.
"""

import anonopt as ao
from anonopt.visualization import Recorder, animate, plot_lattice

problem = ao.problems.LatticeProblem(ao.load_dataset("patients"), ["generalization_level"], k=3)

# %%
# OLA searches the middle of paths, and *tags* what it can conclude of other nodes:

ola = ao.solve(problem, ao.algorithms.OLA(trace=True))
animate(ola, "ola.gif", seconds=0.8)  # "ola.html" is one page with a slider, for lectures
print(ola.n_tests, "of", problem.space.size, "nodes tested")

# %%
# BranchAndBound drops what cannot be better than the best node so far, whether feasible or not:

bounds = ao.solve(problem, ao.algorithms.BranchAndBound(trace=True))
plot_lattice(bounds, title="Branch and bound: what was tested, and why the rest was not",
             path="branch_and_bound.png")  # fmt: skip

# %%
# An evolutionary search proves nothing, but finds the front of two objectives. A
# :class:`anonopt.visualization.Recorder` keeps populations, matings and the archive.

traded = ao.problems.LatticeProblem(problem.table, ["k", "glm"])
search = ao.algorithms.PBGEA(pop_size=6, n_generations=5)
pbgea = ao.solve(traded, search, seed=1, callback=Recorder())
animate(pbgea, "pbgea.gif", matings=0, seconds=1.2)
print(pbgea.n_unique, "of", traded.space.size, "nodes evaluated")

# %%
# **Next**: lattices that nobody can draw: :ref:`sphx_glr_gallery_scale_plot_large_lattices.py`.
