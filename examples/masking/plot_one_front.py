"""
One front for generalized and masked files
==========================================

Generalize, or mask? Usually the two are measured by different figures. :func:`anonopt.compare`
reads a label such as ``[20, 40)`` as the values that it covers, so both kinds of file have the
same loss and the same risk, and stand on one map.
"""

import pandas as pd

import anonopt as ao
from anonopt.visualization import plot_risk_utility

german = ao.load_dataset("german")
table = ao.Microdata(
    german.frame,
    quasi_identifiers=["employment", "job", "housing"],
    hierarchies={name: german.hierarchies[name] for name in ("employment", "job", "housing")},
)
columns = list(table.quasi_identifiers)
settings = {"columns": columns, "ordinal": dict.fromkeys(columns)}  # their codes are in an order

# %%
# Every node of the lattice, for some k: rows in smaller classes are suppressed.

generalized = []
nodes = ao.LatticeEvaluator(table).evaluate_all(["k"])[columns]
for k in (2, 5, 20):
    feasible = ao.LatticeEvaluator(table, k=k, suppression=0.05).evaluate(nodes, ["feasible"])
    for node in nodes[feasible["feasible"].to_numpy() == 1].to_numpy():
        file = table.apply(node, k=k, suppression=0.05)
        generalized.append(ao.compare(table.frame, file, hierarchies=table.hierarchies, **settings))

# %%
# Masked files of the same columns, and of a search that starts with them.

m = ao.masking
methods = [m.MDAV(k=k, **settings) for k in (2, 3, 5, 10, 20, 50)]
methods += [m.RankSwapping(p=p, random_state=1, **settings) for p in (5, 10, 15, 20, 30)]
files = [method.fit_transform(table.frame) for method in methods]
masked = [ao.compare(table.frame, file, **settings) for file in files]
problem = ao.problems.MaskingProblem(german.frame, ["IL", "DR"], **settings)
found = ao.solve(problem, ao.algorithms.nsga2(problem, pop_size=50), budget=400, seed=1)
plot_risk_utility(
    {
        "generalized": pd.DataFrame(generalized),
        "masked": pd.DataFrame(masked),
        "NSGA-II": found.front,
    },
    title="Employment, job and housing of 1000 people",
    path="one_front.png",
)

# %%
# A generalized file is true, if vague; a masked one is exact, and wrong in places. Which of the two
# is wanted is for its readers to say; what either costs is on the map. **Next**: the options of
# :class:`anonopt.problems.MaskingProblem`, and who attacks:
# :ref:`sphx_glr_gallery_masking_plot_attacks.py`.
