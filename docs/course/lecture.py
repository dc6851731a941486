# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] slideshow={"slide_type": "slide"}
# # Anonymization as a search
#
# A lecture of 90 minutes on twenty patients, a lattice of 32 nodes, and what is left unprotected.
# Everything runs offline; the six exercises are in `exercises.ipynb`.

# %% [markdown] slideshow={"slide_type": "notes"}
# **Notes.** Minutes stand at the head of the notes of each section and add up to 90. Cells are
# tagged as slides (`slideshow`): present with `jupyter nbconvert --to slides --post serve`, which
# loads reveal.js from the network, or scroll, with the browser at 150 %. An exercise fits where a
# section names it; in the lecture itself there is time for the first one only.

# %% slideshow={"slide_type": "skip"}
# %matplotlib inline
import matplotlib
import pandas as pd
from IPython.display import IFrame

import anonopt as ao
from anonopt import teaching
from anonopt.visualization import (
    animate,
    plot_box_archive,
    plot_dominance,
    plot_front,
    plot_groups,
    plot_lattice,
    plot_mondrian,
    plot_pram_flow,
)

matplotlib.rcParams["font.size"] = teaching.FONT_SIZE
lesson = teaching.Lesson()

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 1. Twenty patients without names
#
# A hospital publishes a table for research. Names are left out. Who is harmed?

# %% slideshow={"slide_type": "-"}
patients = lesson.patients
patients.frame.head(8)

# %% [markdown] slideshow={"slide_type": "notes"}
# **8 minutes.** Ask the room first: is this anonymous? Let somebody argue that it is, since there
# is no name. The patients are made up; nobody is in the table. Sweeney's story of the governor of
# Massachusetts fits here: date of birth, ZIP code and sex told him apart in a file without names.
# Introduce *quasi-identifier* (what others know, too) and *sensitive attribute* (what nobody
# should learn).

# %% [markdown] slideshow={"slide_type": "subslide"}
# Somebody has a register: names, ages, postcodes, sexes. Joined with the table, it gives

# %% slideshow={"slide_type": "-"}
register = teaching.patients_register(patients)
linked = register.merge(patients.frame, on=list(patients.quasi_identifiers))
linked.head(5)

# %% slideshow={"slide_type": "-"}
alone = teaching.exposure(patients, [patients.lattice.bottom])["rows"] == 1
print(f"{alone.sum()} of {patients.n_rows} patients are the only ones of their kind")

# %% [markdown] slideshow={"slide_type": "notes"}
# This is *linkage*. All twenty are told apart by three harmless columns. Removing names is no
# protection; removing the columns would be the end of the research.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 2. k-anonymity: nobody is alone
#
# Values are generalized along *hierarchies*: step by step they say less.

# %% slideshow={"slide_type": "-"}
patients.hierarchies["age"].to_frame().iloc[[6, 12, 25, 30]]

# %% slideshow={"slide_type": "-"}
patients.hierarchies["postcode"].to_frame()

# %% [markdown] slideshow={"slide_type": "notes"}
# **10 minutes.** Read one line of each table aloud, from left to right. A *node* names one level
# a column: (2, 3, 0) is ages in 30 years, no postcode, sex as it is. An *equivalence class* is a
# set of rows that look alike; a table is *k-anonymous* if each class has k rows or more. Exercise
# 1 is counting the classes of another node by hand; it takes five minutes and shows how a program
# does it.

# %% [markdown] slideshow={"slide_type": "subslide"}
# At the node (2, 3, 0) the table has three classes, and it is 3-anonymous:

# %% slideshow={"slide_type": "-"}
teaching.class_sizes(patients, [2, 3, 0])

# %% slideshow={"slide_type": "-"}
released = patients.apply([2, 3, 0])
names = list(patients.quasi_identifiers)
ao.check(released, quasi_identifiers=names, sensitive="diagnosis")[["classes", "k", "l"]]

# %% [markdown] slideshow={"slide_type": "notes"}
# `ao.check` works on any table; it does not have to know how the table was made. Point at l = 1:
# we come back to it in section 8. What does it cost? The *general loss metric* (GLM) counts each
# cell by the share of values it has become one with: 0 as it was, 1 for `*`. Here that is 28.8 of
# 60 cells.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 3. A search on a lattice
#
# Three columns with 4, 4 and 2 levels: 32 nodes. One level up in one column is one step up.

# %% slideshow={"slide_type": "-"}
plot_lattice(patients)

# %% [markdown] slideshow={"slide_type": "notes"}
# **16 minutes.** Let the room find bottom (nothing generalized) and top (everything). Each line
# is one step of one column. Ask: if a node is 3-anonymous, what about the nodes above it? Classes
# only merge on the way up, so they are, too: *monotonicity*. It is what all exact searches live
# on.

# %% [markdown] slideshow={"slide_type": "subslide"}
# Which of them are 3-anonymous, and at what loss?

# %% slideshow={"slide_type": "-"}
plot_lattice(ao.problems.LatticeProblem(patients, ["glm"], constraints={"k": 3}))

# %% [markdown] slideshow={"slide_type": "notes"}
# Circles are, nine of 32; dark is little loss. Below four of them no other one is: the *k-minimal*
# nodes. Note their heights: the least generalized one in the sense of GLM is not of least height.
# Exercise 2: find those for k = 2.

# %% slideshow={"slide_type": "-"}
lesson.minimal.round(1)

# %% [markdown] slideshow={"slide_type": "subslide"}
# OLA, step by step: numbers are the order of its tests

# %% slideshow={"slide_type": "-"}
plot_lattice(lesson.searches["ola"])

# %% [markdown] slideshow={"slide_type": "notes"}
# OLA (Optimal Lattice Anonymization) halves a path between a node that fails and one that holds,
# and tags whatever lies above a node that holds and below one that fails. Follow the numbers on
# the picture, then move the slider of the film: it says at each step why.

# %% slideshow={"slide_type": "subslide"}
film = animate(lesson.searches["ola"], "ola.html")
IFrame(film.name, width="100%", height=1080)

# %% [markdown] slideshow={"slide_type": "subslide"}
# Samarati: binary search on the height alone

# %% slideshow={"slide_type": "-"}
plot_lattice(lesson.searches["samarati"])

# %% [markdown] slideshow={"slide_type": "notes"}
# Samarati asks for the least *height* at which some node holds, and takes it: fewer ideas, and
# the wrong answer if loss is what counts.

# %% slideshow={"slide_type": "subslide"}
lesson.efforts.round({"glm": 1})

# %% [markdown] slideshow={"slide_type": "notes"}
# The table sums up the section: nodes tested, and where each search ends. *Proven* says whether
# nothing better can be there. Datafly is quick and wrong; BranchAndBound needs bounds of the
# loss.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 4. Two objectives: dominance
#
# Why k = 3, and not 7? More privacy costs more loss, and no formula says which is right.

# %% slideshow={"slide_type": "-"}
frame = lesson.nodes
chosen = int(frame.index[(frame[["age", "postcode", "sex"]] == [3, 1, 1]).all(axis=1)][0])
plot_dominance(frame, "k", "glm", chosen=chosen, log_x=True)

# %% [markdown] slideshow={"slide_type": "notes"}
# **12 minutes.** The star is the node (3, 1, 1). What lies in the dotted corner, edges
# included, is nowhere worse and somewhere better, so nobody would choose the star. What lies in
# the striped corner is nowhere better and somewhere worse. The rest is *incomparable*: better in
# one, worse in the other. What nothing dominates is the *front*, the steps in the picture.
# Exercise 3: write this comparison.

# %% [markdown] slideshow={"slide_type": "subslide"}
# The front is the whole answer: six trade-offs to choose from

# %% slideshow={"slide_type": "-"}
lesson.everything.front.astype({"k": int}).round({"glm": 1})

# %% [markdown] slideshow={"slide_type": "subslide"}
# Fronts can be long. An archive of *boxes* keeps one solution a box

# %% slideshow={"slide_type": "-"}
plot_box_archive(lesson.everything)

# %% [markdown] slideshow={"slide_type": "notes"}
# Objective space is cut into boxes whose sides are differences nobody minds. The archive keeps
# one solution a box, and no box that another one dominates: the gray area. Its size is bounded,
# whatever happens (Dewri et al. 2010). One of the six solutions of the front has no box of its
# own: find it.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 5. Exact against evolutionary
#
# Adult: 30,162 rows, eight quasi-identifiers, 17,920 nodes.

# %% slideshow={"slide_type": "-"}
runs = lesson.adult_runs
fronts = {"all 17,920 nodes": lesson.adult_front}
fronts |= {f"PBG-EA, {n} nodes": runs[n].front for n in (100, 300)}
plot_front(fronts, "k", "glm", line="all 17,920 nodes", log_x=True)

# %% [markdown] slideshow={"slide_type": "notes"}
# **12 minutes.** An evolutionary search keeps a population of nodes, picks parents by dominance,
# and makes children by mixing their levels (crossover) and moving single ones (mutation); what is
# good goes to the archive of boxes. It has seen 100 and 300 of 17,920 nodes here. The line is the
# truth: all nodes were enumerated, in about a second.

# %% slideshow={"slide_type": "subslide"}
lesson.adult_efforts.round(2)

# %% [markdown] slideshow={"slide_type": "notes"}
# Two lessons. Where the truth can be computed, compute it: a heuristic that is compared with
# nothing proves nothing. And where it cannot (fifty columns of five levels have 9e34 nodes) one
# run says little: compare many seeds, and against random search first. Exercise 4: write a
# mutation that beats it.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 6. Masking instead of generalizing
#
# Microaggregation (MDAV): groups of k similar records, and every record becomes the mean of its
# group.

# %% slideshow={"slide_type": "-"}
few = lesson.credit.head(45)
plot_groups(few, ao.masking.MDAV(k=5), step=4)

# %% slideshow={"slide_type": "subslide"}
plot_groups(few, ao.masking.MDAV(k=5))

# %% [markdown] slideshow={"slide_type": "notes"}
# **10 minutes.** MDAV takes the record farthest from the middle of what is left, puts it with its
# nearest neighbours, and goes on at the other end. The ring is the seed of the latest group.
# Numbers stay numbers, which is why statisticians like it. Ask what is lost: the spread within
# the groups.

# %% [markdown] slideshow={"slide_type": "subslide"}
# Mondrian: the plane is cut at medians for as long as both sides keep k rows

# %% slideshow={"slide_type": "-"}
plot_mondrian(few, ao.masking.Mondrian(k=5))

# %% [markdown] slideshow={"slide_type": "notes"}
# Cuts are numbered in their order, and the early ones are thicker. The shaded rectangles are what
# is published: each record becomes the intervals of its region.

# %% slideshow={"slide_type": "subslide"}
lesson.masked.round(1)

# %% [markdown] slideshow={"slide_type": "notes"}
# Information loss and disclosure risk of a masked file, in percent: again two objectives.
# Searching the masked files themselves for the best of both is another search, with cells as
# genes.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 7. PRAM: categories changed at random
#
# Every diagnosis stays with probability 0.7, else it becomes another one.

# %% slideshow={"slide_type": "-"}
plot_pram_flow(lesson.matrix, lesson.frequencies, labels=lesson.frequencies.index)

# %% [markdown] slideshow={"slide_type": "notes"}
# **8 minutes.** Left the diagnoses as they are, right as they are expected after masking. No
# single row is certain any more, and everybody may say "that was chance". Frequent categories
# lose, rare ones win.

# %% slideshow={"slide_type": "subslide"}
lesson.expected.round(3)

# %% [markdown] slideshow={"slide_type": "notes"}
# An *invariant* matrix keeps the frequencies in expectation. It is a matrix R with tR = t, and
# can be made of any other one. Searching for the best matrix, invariant and protecting, is the
# topic of a chapter of the thesis of Mares (2013). Exercise 5: make an invariant matrix of given
# diagonal.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## 8. What k-anonymity does not promise
#
# **Homogeneity.** The best 3-anonymous table again, and what it tells those who know the
# register:

# %% slideshow={"slide_type": "-"}
told = pd.concat([register, lesson.homogeneity], axis=1)
told[told["n_values"] == 1]

# %% [markdown] slideshow={"slide_type": "notes"}
# **12 minutes.** Nobody knows which row is Ada's, and it does not matter: all three women below
# 30 have asthma. k-anonymity counts rows, not diagnoses. l-diversity and t-closeness were made
# against this; they are objectives here like any other (`objectives=["k", "l", "glm"]`).

# %% [markdown] slideshow={"slide_type": "subslide"}
# **Composition.** Two releases of the same patients, each 3-anonymous: by age in tens, and by
# postcode. Eva is 32 and lives in S21.

# %% slideshow={"slide_type": "-"}
by_age, by_postcode = (patients.apply(node) for node in teaching.RELEASES)
by_age[by_age["age"] == "[30,40)"]

# %% slideshow={"slide_type": "-"}
by_postcode[by_postcode["postcode"] == "S21"]

# %% slideshow={"slide_type": "-"}
lesson.compositions

# %% [markdown] slideshow={"slide_type": "notes"}
# Each table alone is 3-anonymous. In the first table she is one of three with [30,40): fracture,
# flu or diabetes. In the second she is one of those with S21: asthma, flu or hypertension. Only
# flu is in both, and nobody needed a name. If rows carry a case number in both tables, nine of
# twenty patients are even alone in what both have in common.

# %% slideshow={"slide_type": "subslide"}
both = teaching.exposure(patients, teaching.RELEASES)
pd.concat([register, both], axis=1)[(both["rows"] == 1) | (both["n_values"] == 1)]

# %% [markdown] slideshow={"slide_type": "subslide"}
# The same on real rows: two 5-anonymous releases of Adult

# %% slideshow={"slide_type": "-"}
lesson.adult_composition

# %% [markdown] slideshow={"slide_type": "notes"}
# Of 30,162 people 76 are alone and 388 have fewer than four others with them, though each release
# was 5-anonymous. k-anonymity does not *compose*. Differential privacy was invented for a promise
# that does. Exercise 6: do it yourself, on three tables.

# %% [markdown] slideshow={"slide_type": "subslide"}
# **Known methods.** German credit masked by PRAM: how much is found out by an attacker who knows
# ...

# %% slideshow={"slide_type": "-"}
lesson.known_method.round(1)

# %% [markdown] slideshow={"slide_type": "notes"}
# A method should not have to be secret; a seed has to be, and is used once. With the seed three
# quarters of the masked cells are computed back.

# %% [markdown] slideshow={"slide_type": "slide"}
# ## What to take home
#
# 1. Without names is not anonymous: quasi-identifiers link.
# 2. k-anonymity is a search on a lattice, and monotonicity makes it short.
# 3. Privacy and loss are two objectives: the answer is a front, and a person chooses.
# 4. Compare a heuristic with the truth where it can be had, and with chance everywhere.
# 5. Every promise has its limits: homogeneity, composition, what attackers know.

# %% [markdown] slideshow={"slide_type": "notes"}
# **2 minutes.** Ask for one thing each of them would check in a table before it is published.
