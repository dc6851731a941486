"""
An experiment as one HTML file
==============================

:func:`anonopt.visualization.write_report` puts all there is to see of an experiment into one file:
fronts, curves, tests, tables to copy, failures, versions. It opens from disk without a network, so
it can be mailed, or put beside a paper. A click on a point of a front shows the solution.
"""

import anonopt as ao
from anonopt.visualization import plot_attainment_difference, write_report

experiment = ao.experiments.Experiment(
    problems={
        "1 % suppressed": "german-k-glm",
        "5 % suppressed": ("german-k-glm", {"suppression": 0.05}),
    },
    algorithms={
        "PBG-EA": "pbgea",
        "NSGA-II": ("nsga2", {"pop_size": 20}),
        "SPEA2": ("spea2", {"pop_size": 20}),
    },
    seeds=range(4),
    budget=100,
)
runs = experiment.run("runs.sqlite", workers=0)
report = write_report(runs, "report.html", title="Three searches on German credit")
print(f"{report.name}: {report.stat().st_size / 1e6:.1f} MB")

# %%
# The same from the command line: ``anonopt report runs.sqlite``. Each picture in it is also a
# function, such as this one: where does the one reach more than the other, in how many more of its
# runs?

plot_attainment_difference(
    runs, "1 % suppressed", "PBG-EA", "NSGA-II", path="attainment_difference.png"
)

# %%
# A single run has a report, too, with its front, the knee, and each solution in its own terms:
# ``write_report(result, "run.html")``.
#
# **Next**: what the tests in it mean is explained with
# :ref:`sphx_glr_gallery_comparing_plot_eight_algorithms.py`.
