"""
l-diversity and bounds of classes
=================================

A class of five rows that all have the same illness tells the illness. A *class bound* such as
``{"l": 3}`` suppresses classes of fewer than three sensitive values, as k does with small ones; a
*constraint* refuses a node that keeps any such class.
"""

import matplotlib.pyplot as plt

import anonopt as ao

german = ao.load_dataset("german", sensitive="purpose")  # what 1000 applicants want credit for
ks = [2, 3, 5, 10, 20, 50]


def least_loss(k, **bounds):
    """Loss of the best node, in percent of all information."""
    problem = ao.problems.LatticeProblem(german, ["glm"], k=k, suppression=0.05, **bounds)
    best = ao.solve(problem, ao.algorithms.ExhaustiveSearch())
    return 100 * best.F.min() / (german.n_rows * len(german.quasi_identifiers))


# %%
# All 648 nodes are measured for each point of these curves, so each is the true price of a rule.

bounds = {
    "k alone": {},
    "l = 3": {"class_bounds": {"l": 3}},
    "l = 5": {"class_bounds": {"l": 5}},
    "entropy l = 4": {"class_bounds": {"entropy_l": 4}},
    "t = 0.3": {"class_bounds": {"t": 0.3}},
}
figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
styles = ["k-o", "C0--s", "C1-.D", "C2:^", "C3-v"]
for (name, bound), style in zip(bounds.items(), styles, strict=True):
    losses = [least_loss(k, **bound) for k in ks]
    print(f"{name:>14}: {losses[0]:.1f} % at k = {ks[0]}, {losses[-1]:.1f} % at k = {ks[-1]}")
    axes.plot(ks, losses, style, label=name)
axes.set(xscale="log", xlabel="k: smallest class size", ylabel="Loss (%, less is better)")
axes.set(title="German credit: 5 % of the rows may be suppressed: the price of bounds")
axes.set_xticks(ks, ks)
axes.minorticks_off()
axes.grid(color="#DDDDDD")
axes.legend(title="each class has")
figure.savefig("price_of_bounds.png", dpi=120)

# %%
# **Next**: ``ao.list_measures(of="node")`` has all measures that can be bounded, and a bound of
# your own is a :class:`anonopt.measures.Measure` with ``per_class``, see
# :ref:`sphx_glr_gallery_lattices_plot_own_measure.py`.
