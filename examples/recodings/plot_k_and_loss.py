"""
What each k costs: nodes and local recodings
============================================

Two fronts of k and loss of one table. That of the lattice is exact: every node was evaluated. That
of local recodings is what a search found; one more gene chooses k.
"""

import anonopt as ao
from anonopt.visualization import plot_front

adult = ao.load_dataset("adult")
fronts = {}
for label, share in (("nodes", 0.0), ("nodes, 1 % suppressed", 0.01)):
    lattice = ao.problems.LatticeProblem(adult, ["k", "glm"], suppression=share)
    fronts[label] = lattice.frame(*lattice.pareto_set_and_front())

# %%
# Random keys are numbers in 0..1, so that any algorithm for several objectives will do: here
# NSGA-II. Of the two kinds of genes it knows nothing.

problem = ao.problems.LocalRecodingProblem(adult, ["k", "glm"], k=(2, 200))
search = ao.algorithms.nsga2(problem, pop_size=25)
found = ao.solve(problem, search, budget=90, seed=1).front.drop_duplicates(["k", "glm"])
fronts["local recodings"] = found

# %%
# The lattice has few nodes to choose from, and its front jumps; it needs suppression to be of use.
# No row of the local recodings is suppressed.

shown = {label: front[front["k"].between(2, 200)] for label, front in fronts.items()}
plot_front(
    shown,
    "k",
    "glm",
    line="nodes",
    log_x=True,
    log_y=True,
    title="Adult: what k costs, for one rule for all rows and for groups of rows",
    path="k_and_loss.png",
)
for k in (5, 25, 100):
    least = {label: front.loc[front["k"] >= k, "glm"].min() for label, front in fronts.items()}
    print(k, {label: f"{loss:,.0f}" for label, loss in least.items()})

# %%
# **Next**: three objectives, ``["k", "l", "glm"]``, and how local recodings compare with masked
# files: :ref:`sphx_glr_gallery_recodings_plot_nodes_recodings_files.py`.
