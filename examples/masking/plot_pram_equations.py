"""
Equations of PRAM matrices
==========================

A matrix that was searched for one file fits that file only. An equation fits any: it says how
probable it is that category i becomes category j, from the frequencies of the categories. Genetic
programming searches for equations that lose little, hide much, and are short.
"""

import anonopt as ao
from anonopt.visualization import plot_equation, plot_equation_front, plot_matrices

equation = ao.masking.Equation.parse("(freq_max - freq_i) / (freq_i - freq_j)")
print(equation.latex())
print(equation.matrix([60, 30, 10]).round(2))

# %%
# Three objectives: information loss, disclosure risk, and the number of nodes of the equation. With
# ``expected=True`` nothing is drawn: the figures are those expected of all draws.

problem = ao.get_problem("german-pram-equations", expected=True)
result = ao.solve(problem, ao.algorithms.nsga2(problem, pop_size=40), budget=600, seed=1)
front = result.front
plot_equation_front(
    front, title="German credit: 600 equations were evaluated", path="equations_front.png"
)

# %%
# A short equation that balances loss and risk, as a tree, and the matrices that it makes for the
# three columns, each from its own frequencies:

short = front[front["size"] <= 9]
balanced = short.loc[short[["IL", "DR"]].max(axis=1).idxmin()]
print(balanced)
# sphinx_gallery_thumbnail_number = 2
found = ao.masking.Equation.parse(balanced["equation"])
plot_equation(found, title=f"IL {balanced['IL']:.1f} %, DR {balanced['DR']:.1f} %", path="tree.png")

# %%
row = front.index.get_loc(balanced.name)
columns = ao.data.masking_set("german").columns
plot_matrices({"found": problem.matrices(result.X[row])}, columns=columns, path="matrices.png")
masked = result.protect(row, random_state=7)  # one draw of these matrices

# %%
# The same equation serves any other column or file:

print(found.matrix([120, 45, 30, 5]).round(2))

# %%
# **Next**: :class:`anonopt.algorithms.PRAMGP` is the search of the thesis, for one objective. What
# a matrix does to a column is drawn in :ref:`sphx_glr_gallery_masking_plot_pram_matrices.py`.
