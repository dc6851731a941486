"""
Hierarchies of numbers, dates, places and categories
====================================================

A :class:`anonopt.Hierarchy` says how the values of a column are generalized, level by level, up to
``*``. There is a builder for each type; tables and CSV files serve as well.
"""

import matplotlib.pyplot as plt
import pandas as pd

import anonopt as ao

ages = ao.Hierarchy.intervals(range(20, 40), width=5, fan_outs=[2])
days = pd.date_range("2023-11-01", "2024-02-28", freq="13D").strftime("%Y-%m-%d")
dates = ao.Hierarchy.dates(days, levels=["day", "month", "year"])
places = ao.Hierarchy.from_tree(
    {
        "*": {
            "Bavaria": ["Munich", "Nuremberg", "Augsburg"],
            "Saxony": ["Leipzig", "Dresden"],
            "Hamburg": ["Hamburg"],
        }
    }
)
schools = ao.Hierarchy.ordered(["none", "school", "bachelor", "master", "doctor"], fan_outs=[2, 2])
print(places.to_frame())

# %%
# Every level merges values of the level below and never parts them again. Drawn as bricks, a value
# stands for all that lies below it: its width is what generalization loses.


def draw(axes, hierarchy, title):
    """Draw the levels of a hierarchy above each other, values at the bottom."""
    frame = hierarchy.to_frame()
    for height, level in enumerate(frame):
        runs = (frame[level] != frame[level].shift()).cumsum()
        for _, rows in frame.groupby(runs, sort=False):
            left, label = rows.index[0], str(rows[level].iloc[0])
            shade = plt.get_cmap("Blues")(0.1 + 0.4 * height / (frame.shape[1] - 1))
            axes.barh(height, len(rows), left=left, height=1, color=shade, edgecolor="white")
            size, turned = (8, 90) if len(rows) / len(frame) < 0.15 else (9, 0)
            axes.text(left + len(rows) / 2, height, label, ha="center", va="center",
                      fontsize=size, rotation=turned)  # fmt: skip
    axes.set(title=title, xticks=[], yticks=range(frame.shape[1]), ylabel="Level")
    axes.spines[:].set_visible(False)


figure, grid = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
titles = ["Numbers: intervals", "Dates: months, years", "Places: a tree", "Ordered categories"]
for axes, hierarchy, title in zip(grid.flat, (ages, dates, places, schools), titles, strict=True):
    draw(axes, hierarchy, title)
figure.savefig("hierarchies.png", dpi=120)

# %%
# **Next**: with a hierarchy for each quasi-identifier a frame becomes an
# :class:`anonopt.Microdata`: :ref:`sphx_glr_gallery_first_steps_plot_csv_to_published.py`.
