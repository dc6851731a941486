"""
A fixed k: three kinds of search
================================

Where the law or a rule of the house says "k = 5", one node is looked for: the one that loses
least. The exact searches prove it, :class:`anonopt.algorithms.OLA` by monotonicity and
:class:`anonopt.algorithms.BranchAndBound` by bounds of the loss. :class:`anonopt.algorithms.KGEN`
is a genetic algorithm for more columns than can be proven.
"""

import matplotlib.pyplot as plt
import pandas as pd

import anonopt as ao

adult = ao.load_dataset("adult")
problem = ao.problems.LatticeProblem(adult, ["generalization_level"], k=5, suppression=0.01)
print(f"{problem.space.size} nodes")
searches = {
    "OLA": ao.algorithms.OLA(),
    "BranchAndBound": ao.algorithms.BranchAndBound(),
    "Incognito": ao.algorithms.Incognito(),
    "KGEN": ao.algorithms.KGEN(pop_size=20),
    "LevelSearch": ao.algorithms.LevelSearch(),
    "Datafly": ao.algorithms.Datafly(),
}
rows = {}
for name, search in searches.items():
    budget = 300 if name in ("KGEN", "LevelSearch") else None  # the others end by themselves
    result = ao.solve(problem, search, budget=budget, seed=1)
    looked_at = max(result.n_tests, result.n_unique)
    rows[name] = [result.F.min(), looked_at, result.proven, round(result.seconds, 2)]
found = pd.DataFrame(rows, index=["level", "nodes", "proven", "seconds"]).T
print(found)

# %%
# The three exact searches agree, but had to look at very different numbers of nodes. The others
# stop after 14 or 300 nodes, and cannot know whether a better one is left.

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for place, (name, (level, nodes, proven, _)) in enumerate(rows.items()):
    axes.plot(nodes, level, "D" if proven else "o", markersize=11, alpha=0.8,
              color="#0072B2" if proven else "#D55E00")  # fmt: skip
    axes.annotate(name, (nodes, level), xytext=(0, -22 if place % 2 else 12),
                  textcoords="offset points", ha="center")  # fmt: skip
axes.plot([], [], "D", color="#0072B2", label="proven")
axes.plot([], [], "o", color="#D55E00", label="not proven")
axes.set(xscale="log", xlabel="Nodes looked at", ylabel="Generalization level (less is better)")
axes.margins(0.15)
axes.grid(color="#DDDDDD")
axes.legend()
figure.savefig("searches.png", dpi=120)

# %%
# **Next**: :ref:`sphx_glr_gallery_scale_plot_large_lattices.py` goes on to 20 columns; what each
# search visits is drawn in :ref:`sphx_glr_gallery_lattices_plot_animated_searches.py`.
# ``ao.list_algorithms(problem=problem)`` tells which other searches fit, and why others do not.
