"""
Nodes, local recodings and masked files on one map
==================================================

A label such as ``[30,60)`` is read by :func:`anonopt.compare` as the values that it covers. With
the same hierarchies for all, a node, a local recoding and a masked file have the same loss and the
same risk.
"""

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.local_recoding import k_member_groups
from anonopt.visualization import plot_risk_utility

german = ao.load_dataset("german")
columns = ["employment", "job", "housing"]
trees = {name: german.hierarchies[name] for name in columns}
table = ao.Microdata(german.frame, quasi_identifiers=columns, hierarchies=trees)
settings = {"columns": columns, "ordinal": dict.fromkeys(columns)}  # their codes are in an order
sizes = (2, 5, 10, 20, 50, 100)

# %%
# For each k the best node, and a local recoding: searched, or grown by k-member clustering.

files = {"best nodes": [], "local recodings": [], "k-member": [], "microaggregation": []}
for k in sizes:
    lattice = ao.problems.LatticeProblem(table, ["glm"], k=k)
    best = ao.solve(lattice, ao.algorithms.BranchAndBound())
    files["best nodes"].append(best.protect(0))
    problem = ao.problems.LocalRecodingProblem(table, ["glm"], k=k)
    found = ao.solve(problem, ao.algorithms.OnePlusOneES(), budget=60, seed=1)
    files["local recodings"].append(found.protect(0))
    groups = k_member_groups(table, k, labels="hierarchy")
    twin = problem.with_genome("groups")
    files["k-member"].append(twin.protect(twin.space.genomes([groups])[0]))
    files["microaggregation"].append(ao.masking.MDAV(k=k, **settings).fit_transform(table.frame))

# %%
# All of them beside the original: information loss IL and disclosure risk DR, in percent.

tracks = {
    label: pd.DataFrame(
        [ao.compare(table.frame, file, hierarchies=trees, **settings) for file in protected]
    )
    for label, protected in files.items()
}
print(
    {name: np.round(track[["IL", "DR"]].to_numpy(), 1).tolist() for name, track in tracks.items()}
)
listed = ", ".join(map(str, sizes))
plot_risk_utility(tracks, title=f"Three columns of German credit, k of {listed}", path="map.png")

# %%
# Down and to the left is better. **Next**: more columns, where nodes lose more; and files that are
# searched cell by cell: :ref:`sphx_glr_gallery_masking_plot_one_front.py`.
