"""
Exact fronts of large lattices
==============================

Twenty columns of five levels have 95,367,431,640,625 nodes, which nobody lists. Where k is fixed,
:class:`anonopt.algorithms.BranchAndBound` decides column by column, and drops what cannot be
better or feasible any more. One k after the other gives the front, each point with a proof.
"""

import matplotlib.pyplot as plt
import pandas as pd

import anonopt as ao

ks = [2, 3, 5, 10, 20, 50, 100, 200]
rows = []
for n_columns in (10, 15, 20):
    shipments = ao.get_problem(f"freight-{n_columns}")  # random shipments, 5 levels a column
    for k in ks:
        problem = ao.problems.LatticeProblem(shipments.table, ["glm"], k=k, suppression=0.005)
        best = ao.solve(problem, ao.algorithms.BranchAndBound())
        share = 100 * best.F.min() / (shipments.table.n_rows * n_columns)
        rows.append([n_columns, problem.space.size, k, share, best.n_tests, best.proven])
found = pd.DataFrame(rows, columns=["columns", "size", "k", "loss", "tests", "proven"])
print(found[found["k"] == 5])
print("all proven:", found["proven"].all())

# %%
# The smaller k is, the more nodes look as if they might be feasible, and the longer the proof.

figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.2), layout="constrained")
styles = ("C0-o", "C1--s", "C2:^")
for (n_columns, rows), style in zip(found.groupby("columns"), styles, strict=True):
    size = f"$5^{{{n_columns}}}$"
    left.plot(rows["k"], rows["loss"], style, label=f"{n_columns} columns")
    right.plot(rows["k"], rows["tests"], style, label=f"of {size} nodes")
left.set(title="Proven fronts", ylabel="Least loss (%, less is better)")
right.set(title="What the proof costs", yscale="log", ylabel="Nodes tested")
for axes in (left, right):
    axes.set(xscale="log", xlabel="k: smallest class size (more is better)")
    axes.set_xticks(ks, ks)
    axes.minorticks_off()
    axes.grid(color="#DDDDDD")
    axes.legend()
figure.savefig("proven_fronts.png", dpi=120)

# %%
# With more columns or other tables the proof may take too long: ``test_budget=`` of
# :func:`anonopt.solve` ends it, and ``proven`` is then False. For 50 columns
# :class:`anonopt.algorithms.LevelSearch` and :class:`anonopt.algorithms.LatticeVND` are the best of
# the library, without proof. **Next**: the proven fronts of the suite, which algorithms are
# measured against: :ref:`sphx_glr_gallery_comparing_plot_tune_on_suite.py`.
