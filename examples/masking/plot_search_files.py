"""
Searching masked files
======================

A genome of :class:`anonopt.problems.MaskingProblem` is a whole masked file. A search starts with
files of many protection methods, and then changes or swaps single cells. Only what a changed cell
touches is measured anew, so that takes microseconds.
"""

import anonopt as ao
from anonopt.visualization import plot_history, plot_risk_utility

one = ao.get_problem("german-masking", objectives=["score_max"])  # the larger of IL and DR
search = ao.solve(one, ao.algorithms.MaskingEA(n_generations=2000), seed=1)
ea = search.algorithm
print(search.front)

# %%
# ``MaskingEA`` has one objective and pulls the whole population to the diagonal, where loss and
# risk are balanced. NSGA-II takes both, and spreads along the front.

both = ao.get_problem("german-masking")
spread = ao.solve(both, ao.algorithms.nsga2(both, pop_size=60), budget=600, seed=1)
plot_risk_utility(
    {"104 protections": ea.start(), "MaskingEA": ea.population(), "NSGA-II": spread.front},
    title="German credit: 2000 generations, and 600 files",
    path="map.png",
)

# %%
plot_history(ea.history(), title="MaskingEA: best, mean and worst file", path="course.png")

# %%
# The masked file is a table like the original, with some cells changed:

masked = search.protect()
changed = (masked != one.original.frame).sum()
print(changed[changed > 0])

# %%
# **Next**: ``objectives=`` and ``constraints={"DR": 30}`` take other measures, yours too. Equal
# budgets and many seeds: :ref:`sphx_glr_gallery_comparing_plot_eight_algorithms.py`.
