"""
Compare eight algorithms
========================

A :class:`anonopt.experiments.Experiment` runs every algorithm on every problem with every seed,
keeps each run in one file, and goes on where it was ended. Indicators, tests, tables and pictures
are one call each. Here it is small; a paper takes 20 seeds or more, and ``workers=2``.
"""

import anonopt as ao
from anonopt.visualization import plot_critical_differences, plot_curves, plot_ecdf

traded = [["k", "glm"], ["S_k", "glm"], ["k", "discernibility"], ["k", "l", "glm"]]
experiment = ao.experiments.Experiment(
    problems={
        " / ".join(objectives): ao.get_problem("german-k-glm", objectives=objectives)
        for objectives in traded
    },
    algorithms={
        "PBG-EA": "pbgea",
        "LatticeVND": "lattice-vnd",
        "NSGA-II": ("nsga2", {"pop_size": 20}),
        "NSGA-III": "nsga3",
        "SPEA2": ("spea2", {"pop_size": 20}),
        "SMS-EMOA": ("smsemoa", {"pop_size": 20}),
        "random": "random",
        "all in order": "exhaustive",
    },
    seeds=range(4),
    budget=100,
)
runs = experiment.run("runs.sqlite", workers=0)
print(runs.frame["status"].value_counts())

# %%
# How fast does each get how near to the exact front? Medians over the seeds, with quartiles.

plot_curves(runs, "hypervolume", path="curves.png")

# %%
# Ranks over the problems. Bars join what Nemenyi's test does not tell apart: with four problems
# nearly everything, which is what so small an experiment can say.

plot_critical_differences(runs, path="critical_differences.png")

# %%
# The share of runs and targets that was reached, over the evaluations.

plot_ecdf(runs, path="ecdf.png")

# %%
# The table of the paper, with the marks of Mann-Whitney's test with Holm's correction.

print(runs.to_latex("hypervolume", algorithms=["PBG-EA", "LatticeVND", "NSGA-II", "random"]))

# %%
# **Next**: an algorithm of your own among them:
# :ref:`sphx_glr_gallery_extending_plot_algorithm_in_30_lines.py`; all of this in one HTML file:
# :ref:`sphx_glr_gallery_comparing_plot_report.py`.
