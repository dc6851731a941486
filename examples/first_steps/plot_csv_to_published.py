"""
From a CSV file to a published table
====================================

A hospital wants to publish who had which illness. Five rows or more must share all by which
somebody could be recognized, and each such class must hold three illnesses or more. Ten rows may
be suppressed.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import anonopt as ao

rng = np.random.default_rng(1)
people = pd.DataFrame({"name": [f"Person {number}" for number in range(500)]})
people["age"] = rng.normal(50, 16, 500).clip(18, 95).astype(int)
people["zip"] = rng.choice(["81667", "81669", "81925", "81927", "80331", "10115"], 500)
people["sex"] = rng.choice(["F", "M"], 500)
people["illness"] = rng.choice(["flu", "cold", "asthma", "gout"], 500, p=[0.4, 0.3, 0.2, 0.1])
people.to_csv("patients.csv", index=False)

# %%
# Names are never published. The hierarchies say how the other columns may be generalized.

patients = ao.data.read_table("patients.csv")
table = ao.Microdata(
    patients,
    quasi_identifiers=["age", "zip", "sex"],
    hierarchies={
        "age": ao.Hierarchy.intervals(range(15, 100), width=5, fan_outs=[2, 2]),
        "zip": ao.Hierarchy.text(patients["zip"]),
        "sex": ao.Hierarchy.from_tree({"*": ["F", "M"]}),
    },
    sensitive="illness",
    identifiers=["name"],
)
problem = ao.problems.LatticeProblem(table, ["glm"], k=5, class_bounds={"l": 3}, suppression=10)
result = ao.solve(problem, ao.algorithms.BranchAndBound())
published = result.protect()
published.to_csv("published.csv", index=False)
print(ao.check(published, quasi_identifiers=["age", "zip", "sex"], sensitive="illness", k=5, l=3))

# %%
classes = pd.crosstab(published["age"], [published["zip"], published["sex"]])
figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
axes.imshow(classes, cmap="Blues", aspect="auto", vmax=2 * classes.to_numpy().max())
for (row, column), rows in np.ndenumerate(classes.to_numpy()):
    axes.text(column, row, rows or "", ha="center", va="center")
axes.set_xticks(range(classes.shape[1]), [f"{place}\n{sex}" for place, sex in classes.columns])
axes.set_yticks(range(len(classes)), classes.index)
axes.set(title="Rows of each class in published.csv", xlabel="zip, sex", ylabel="age")
figure.savefig("classes.png", dpi=120)

# %%
# **Next**: the same from the command line is ``anonopt init patients.csv`` and ``anonopt
# anonymize``. Which bounds there are besides l:
# :ref:`sphx_glr_gallery_lattices_plot_l_diversity.py`.
