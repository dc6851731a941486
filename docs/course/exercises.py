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
# # Six exercises
#
# From paper and pencil to an attack. Put your answer in place of `...` and run the cell below it:
# it says whether the answer is right, and if not, what is wrong with it. Hints are in
# `exercise.hints`, the first of them says least.

# %%
from anonopt import teaching

# %%
exercise = teaching.get_exercise(1)
exercise

# %%
exercise.material.frame

# %%
answer = ...

# %%
teaching.check_exercise(1, answer)

# %%
exercise = teaching.get_exercise(2)
exercise

# %%
exercise.material.lattice

# %%
answer = ...

# %%
teaching.check_exercise(2, answer)

# %%
exercise = teaching.get_exercise(3)
exercise

# %%
exercise.material

# %%
answer = ...

# %%
teaching.check_exercise(3, answer)

# %%
exercise = teaching.get_exercise(4)
exercise

# %%
exercise.material

# %%
answer = ...

# %%
teaching.check_exercise(4, answer)

# %%
exercise = teaching.get_exercise(5)
exercise

# %%
exercise.material

# %%
answer = ...

# %%
teaching.check_exercise(5, answer)

# %%
exercise = teaching.get_exercise(6)
exercise

# %%
register, tables = exercise.material
register.head(3)

# %%
answer = ...

# %%
teaching.check_exercise(6, answer)
