# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Six exercises, solved
#
# One way to solve each of them. The assertions fail where an answer is wrong.

# %%
import numpy as np
import pandas as pd

import anonopt as ao
from anonopt import teaching
from anonopt.operators.variation import IntegerMutation

# %% [markdown]
# ## 1. Classes, counted by hand
#
# Women below 30: S1* twice, S2* once. Women of 30 to 59: N1* five times, N2* once, S1* once, S2*
# three times. Men of 30 to 59: N1* three times, N2* twice, S1* twice.

# %%
sizes = [2, 1, 5, 1, 1, 3, 3, 2, 2]
assert teaching.check_exercise(1, sizes)

# %% [markdown]
# The smallest classes have one row: the node is not even 2-anonymous. A program counts the same.

# %%
patients = ao.load_dataset("patients")
teaching.class_sizes(patients, [2, 1, 0])

# %% [markdown]
# ## 2. The k-minimal nodes
#
# All nodes are measured; a node is minimal if none of those one step below it holds. (Why is one
# step enough? If a node further down held, so would all those above it.)

# %%
nodes = ao.LatticeEvaluator(patients).evaluate_all(measures=["k"])
levels = ["age", "postcode", "sex"]
enough = {tuple(node) for node in nodes.loc[nodes["k"] >= 2, levels].to_numpy().tolist()}


def below(node):
    return [tuple(np.subtract(node, step)) for step in np.eye(len(node), dtype=int)]


minimal = [node for node in enough if not enough.intersection(below(node))]
assert teaching.check_exercise(2, minimal)
sorted(minimal)

# %% [markdown]
# ## 3. The front, by dominance

# %%
points = teaching.get_exercise(3).material


def dominates(one, other):
    no_worse = one["k"] >= other["k"] and one["glm"] <= other["glm"]
    better = one["k"] > other["k"] or one["glm"] < other["glm"]
    return no_worse and better


front = [
    i
    for i, point in points.iterrows()
    if not any(dominates(other, point) for _, other in points.iterrows())
]
assert teaching.check_exercise(3, front)
points.loc[front]

# %% [markdown]
# ## 4. An algorithm that beats chance
#
# Most changes of a good node are small ones, now and then a large one helps: a level moves by one
# step, or to one of its ends. The rest is PBG-EA, which begins with the bottom and the top node.


# %%
class StepOrLeap(IntegerMutation):
    """One level moves by a step, or leaps to its lowest or highest value."""

    def _changed(self, genomes, lower, upper, generator):
        rows = np.arange(len(genomes))
        columns = generator.integers(genomes.shape[1], size=len(genomes))
        levels, low, high = genomes[rows, columns], lower[columns], upper[columns]
        steps = generator.choice([-1, 1], size=len(genomes))
        # At an end there is one way only.
        steps = np.where((levels + steps < low) | (levels + steps > high), -steps, steps)
        leaps = generator.random(len(genomes)) < 0.2
        genomes[rows, columns] = np.where(leaps, np.where(steps < 0, low, high), levels + steps)
        return genomes


verdict = teaching.check_exercise(4, StepOrLeap())
assert verdict
verdict

# %% [markdown]
# ## 5. An invariant PRAM matrix
#
# Any matrix becomes invariant; the nearest one with a diagonal in a range is a linear programme.

# %%
counts = teaching.get_exercise(5).material
uniform = np.full((5, 5), 0.1) + 0.5 * np.eye(5)
invariant = ao.masking.invariant_matrix(uniform, counts)
matrix = ao.masking.controlled_invariant(invariant, counts, bounds=(0.5, 0.75))
assert teaching.check_exercise(5, matrix)
pd.DataFrame(matrix, index=counts.index, columns=counts.index).round(3)

# %% [markdown]
# By hand it goes, too: with the counts t, the matrix of t_l / N in column l is invariant (a record
# forgets what it was), and so is its mixture with the identity.

# %%
share = counts / counts.sum()
forgets = np.tile(share, (5, 1))
by_hand = 0.4 * forgets + 0.6 * np.eye(5)
assert teaching.check_exercise(5, by_hand)

# %% [markdown]
# ## 6. An attack on 3-anonymous tables
#
# Generalize the register to the levels of each table: a person is in the class of her labels. What
# is in the classes of all three tables is possible; where one diagnosis is left, it is certain.

# %%
register, tables = teaching.get_exercise(6).material
known = ao.Microdata(register, quasi_identifiers=levels, hierarchies=dict(patients.hierarchies))
possible = {name: set(patients.frame["diagnosis"]) for name in register["name"]}
for table in tables:
    classes = table.groupby(levels)["diagnosis"].agg(set)
    # The levels are those at which the labels of the register are labels of the table.
    for node in patients.lattice.nodes().tolist():
        labels = known.apply(node)
        if set(labels[levels].itertuples(index=False, name=None)) == set(classes.index):
            break
    for row in labels.itertuples(index=False):
        possible[row.name] &= classes[row.age, row.postcode, row.sex]

certain = {name: values.pop() for name, values in possible.items() if len(values) == 1}
assert teaching.check_exercise(6, certain)
certain

# %% [markdown]
# Three of them are certain from the first table alone, as all women below 30 have the same
# diagnosis. The fourth needs two tables: each of them hides her well.
