"""
Masking methods on a map of risk and loss
=========================================

A masking method changes cells of a file. :func:`anonopt.compare` tells what that costs
(information loss IL) and what an attacker with the original can still find (disclosure risk DR).
Each method with all its parameters is a track on the map.
"""

import pandas as pd

import anonopt as ao
from anonopt.visualization import plot_risk_utility

german = ao.data.masking_set("german")  # status, savings and employment of 1000 applicants
settings = {"columns": german.columns, "ordinal": german.ordinal}
m = ao.masking
methods = {
    "microaggregation": [m.MDAV(k=k, **settings) for k in (2, 3, 5, 10, 20, 50)],
    "Mondrian, middles": [m.GlobalMedian(k=k, **settings) for k in (2, 5, 10, 20, 50)],
    "rank swapping": [m.RankSwapping(p=p, random_state=p, **settings) for p in range(2, 40, 6)],
    "PRAM": [
        m.PRAM("frequency", p=p, columns=german.columns, random_state=1)
        for p in (0.95, 0.9, 0.8, 0.65, 0.5, 0.3)
    ],
    "recoding": [m.GlobalRecoding(p=p, **settings) for p in (1, 2, 3)],
}
tracks = {}
for name, versions in methods.items():
    masked = [method.fit_transform(german.frame) for method in versions]
    tracks[name] = pd.DataFrame([ao.compare(german.frame, file, **settings) for file in masked])
print({name: track[["IL", "DR"]].round(1).to_numpy().tolist() for name, track in tracks.items()})

# %%
# Both are percentages, and less of both is better: down and to the left. The line joins the files
# that no other one beats.

plot_risk_utility(tracks, title="German credit: five methods", path="methods.png")

# %%
# No method is the best everywhere. Nor is any of these files the best there is: a search that
# starts from all of them, and then changes single cells, goes on from here.
#
# **Next**: :ref:`sphx_glr_gallery_masking_plot_search_files.py`, and generalized files on the same
# map: :ref:`sphx_glr_gallery_masking_plot_one_front.py`. All methods: ``ao.list_methods()``.
