"""
Three attackers
===============

A *prosecutor* knows that a person is in the table. *Journalists* and *marketers* only have a
register, of which the table is a sample: several people of the register may fit a row. The first
two want one person, the marketer as many as possible.
"""

import matplotlib.pyplot as plt

import anonopt as ao

register = ao.load_dataset("adult")
columns = ["age", "education", "marital-status", "sex"]
sample = ao.Microdata(
    register.frame.sample(6000, random_state=1),
    quasi_identifiers=columns,
    hierarchies={column: register.hierarchies[column] for column in columns},
    population=register.frame,
)

# %%
# For each k the node of least loss is found, and the risks of what is published are measured. An
# average or highest risk of 0.1 is one person in ten.

risks = ["highest_risk", "journalist_risk", "average_risk", "marketer_risk"]
found = {name: [] for name in [*risks, "glm_normalized"]}
ks = [2, 3, 5, 10, 20, 50]
for k in ks:
    problem = ao.problems.LatticeProblem(sample, ["glm"], k=k, suppression=0.01)
    best = ao.solve(problem, ao.algorithms.ExhaustiveSearch())
    figures = problem.evaluator.evaluate(best.X, measures=list(found)).iloc[0]
    for name, values in found.items():
        values.append(figures[name])

# %%
labels = ["prosecutor, highest", "journalist, highest", "prosecutor, average", "marketer, average"]
styles = ["#0072B2 o -", "#D55E00 s --", "#009E73 D -.", "#CC79A7 ^ :"]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, label, style in zip(risks, labels, styles, strict=True):
    color, marker, line = style.split()
    left.plot(ks, found[name], line, marker=marker, color=color, label=label)
left.set(xscale="log", yscale="log", title="Risk of each attacker", ylabel="Risk (less is better)")
left.legend()
right.plot(ks, found["glm_normalized"], "o-", color="black")
right.set(xscale="log", title="What it costs", ylabel="Share of all information (less is better)")
for axes in (left, right):
    axes.set_xlabel("k: smallest class of the table")
    axes.set_xticks(ks, ks)
    axes.minorticks_off()
    axes.grid(color="#DDDDDD")
figure.savefig("risks.png", dpi=120)

# %%
# **Next**: attackers who know more than a register are in
# :ref:`sphx_glr_gallery_masking_plot_attacks.py`; every risk measure is a bound or an objective of
# :class:`anonopt.problems.LatticeProblem`, as in
# :ref:`sphx_glr_gallery_lattices_plot_l_diversity.py`.
