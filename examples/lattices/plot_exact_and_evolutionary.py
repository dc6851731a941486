"""
Exact and evolutionary: the front of Adult
==========================================

How much privacy can be had for how much information? The lattice of eight quasi-identifiers of
Adult has 17,920 nodes, few enough to measure all of them, so the true front is known. An
evolutionary search looks at a few hundred, and can be judged by what it finds of that front.
"""

import matplotlib.pyplot as plt
import pandas as pd

import anonopt as ao
from anonopt.visualization import plot_front

problem = ao.get_problem("adult-k-glm")  # largest class size k, least loss glm
exact = pd.DataFrame(problem.pareto_front() * [-1, 1], columns=["k", "glm"])
searches = {
    "PBG-EA": ao.algorithms.PBGEA(),
    "NSGA-II": ao.algorithms.nsga2(problem, pop_size=40),
    "random": ao.algorithms.RandomSearch(),
}
results = {name: ao.solve(problem, search, budget=600, seed=1) for name, search in searches.items()}
fronts = {name: result.front for name, result in results.items()}
plot_front({"exact front": exact} | fronts, "glm", "k", line="exact front", log_y=True,
           title="600 of 17,920 nodes: what each search found", path="fronts.png")  # fmt: skip

# %%
# The *representation ratio* is the share of the true front that was found, here in boxes of one row
# of k and one cell of loss. Measured after every 50 distinct nodes it tells how fast a search is.

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for (name, result), style in zip(results.items(), ("C0-o", "C1--s", "C2:^"), strict=True):
    steps = range(50, 601, 50)
    ratios = [
        ao.indicators.representation_ratio(result.history[["k", "glm"]].head(n), exact, eps=1)
        for n in steps
    ]
    axes.plot(steps, ratios, style, label=name)
axes.set(xlabel="Distinct nodes evaluated", ylabel="Representation ratio (more is better)")
axes.set(ylim=(0, 1), title="Share of the true front that is found")
axes.grid(color="#DDDDDD")
axes.legend()
figure.savefig("representation_ratio.png", dpi=120)

# %%
# One seed proves nothing: :ref:`sphx_glr_gallery_comparing_plot_eight_algorithms.py` repeats such a
# comparison over seeds and tests it. **Next**: :class:`anonopt.algorithms.LatticeVND`, which prunes
# by bounds, finds more of this front with as many nodes.
