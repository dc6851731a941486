"""
Is this table anonymous?
========================

Names are gone, but age, schooling and the like still tell people apart. :func:`anonopt.check` says
how many rows share each combination of *quasi-identifiers*, the columns by which someone can be
recognized. No hierarchy and no search are needed: any data frame will do.
"""

import matplotlib.pyplot as plt
import pandas as pd

import anonopt as ao

adult = ao.load_dataset("adult")  # 30162 people, packaged
quasi_identifiers = adult.quasi_identifiers
report = ao.check(adult.frame, quasi_identifiers=quasi_identifiers, sensitive="occupation", k=5)
print(report[["anonymous", "k", "l", "classes", "unique_rows", "highest_risk", "violating_rows"]])

# %%
# k is 1: somebody is alone in a class, and 29 % of the rows are. Generalization puts rows into
# larger classes; rows that stay in classes below k = 5 are suppressed, here at most 1 % of them.

protected = adult.apply([4, 1, 3, 2, 0, 0, 3, 0], k=5, suppression=0.01)
after = ao.check(
    protected, quasi_identifiers=quasi_identifiers, sensitive="occupation", k=5, suppressed="*"
)
print(after[["anonymous", "k", "l", "classes", "suppressed", "highest_risk"]])

# %%
# How many rows are in classes of which size?

edges = [0, 1, 4, 9, 99, 999, len(adult.frame)]
labels = ["1", "2-4", "5-9", "10-99", "100-999", "1000 or more"]


def rows_by_class_size(frame):
    """How many rows are in classes of each size."""
    sizes = frame.groupby(list(quasi_identifiers))[quasi_identifiers[0]].transform("size")
    return pd.cut(sizes, edges, labels=labels).value_counts(sort=False)


kept = protected[(protected[list(quasi_identifiers)] != "*").any(axis=1)]
counts = pd.DataFrame({"original": rows_by_class_size(adult.frame)})
counts["protected"] = rows_by_class_size(kept)
axes = counts.plot.bar(color=["#D55E00", "#0072B2"], rot=0, figsize=(7, 4))
for bars, hatch in zip(axes.containers, ("//", ""), strict=True):
    plt.setp(list(bars), hatch=hatch, edgecolor="white")
axes.set(xlabel="Rows in the class", ylabel="Rows of the table", title="Adult: who is alone?")
axes.legend()
axes.figure.savefig("class_sizes.png", dpi=120, bbox_inches="tight")

# %%
# **Next**: which generalization loses least is a search, see
# :ref:`sphx_glr_gallery_lattices_plot_fixed_k.py`. What k does not promise is shown in
# :ref:`sphx_glr_gallery_masking_plot_attacks.py`.
