"""
A measure of your own as objective
==================================

A measure is a name, a direction and a function of the equivalence classes that are kept. It is
then an objective or a constraint like those of the library. Here: how often is an attacker right
who guesses the most frequent sensitive value of a person's class?
"""

import matplotlib.pyplot as plt

import anonopt as ao
from anonopt.measures import Measure

german = ao.load_dataset("german", sensitive="purpose")
guessed = Measure(
    "guessed",
    maximize=False,
    unit="share",
    range="0..1",
    from_classes=lambda classes: classes.sensitive_counts().max(axis=1).sum() / classes.sizes.sum(),
)
problem = ao.problems.LatticeProblem(german, [guessed, "glm"], suppression=0.05)
result = ao.solve(problem, ao.algorithms.ExhaustiveSearch())
print(result.front[["guessed", "glm"]])

# %%
# Whoever knows nothing of a person guesses the most frequent purpose of all, and is right as often
# as at the top of the lattice, where all rows are one class. Less than that no table can promise.

nodes = result.history
figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
points = axes.scatter(nodes["glm"], nodes["guessed"], c=nodes[german.quasi_identifiers[0]],
                      cmap="cividis", s=14)  # fmt: skip
front = result.front.sort_values("glm")
axes.step(front["glm"], front["guessed"], where="post", color="#D55E00", label="front")
axes.scatter(front["glm"], front["guessed"], s=60, facecolor="none", edgecolor="#D55E00")
figure.colorbar(points, label="Level of age", ticks=range(int(nodes["age"].max()) + 1))
axes.set(xlabel="glm: general loss (cells, less is better)", title="All 648 nodes of the lattice")
axes.set(ylabel="Share of right guesses (less is better)")
axes.grid(color="#DDDDDD")
axes.legend()
figure.savefig("guesses.png", dpi=120)

# %%
# As a constraint it bounds: at most 45 % right guesses, at the least loss for k = 5.

bounded = ao.problems.LatticeProblem(german, ["glm"], {guessed: 0.45}, k=5, suppression=0.05)
best = ao.solve(bounded, ao.algorithms.LatticeVND(), budget=300, seed=1)
print(best.front)

# %%
# **Next**: measures of masked files, matrices and graphs are made in the same way, and
# ``ao.register("measures", "guessed", guessed)`` lets :func:`anonopt.get_measure` and the command
# line find it by its name. An algorithm of one's own:
# :ref:`sphx_glr_gallery_extending_plot_algorithm_in_30_lines.py`.
