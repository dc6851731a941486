"""
Protect a social graph
======================

What the nodes of a social graph say of themselves can tell who they are, even without names.
:func:`anonopt.graphs.protect_graph` puts nodes into clusters of at least k that then say the same;
ties stay as they are.
"""

import matplotlib.pyplot as plt
import networkx as nx
import pandas as pd

import anonopt as ao

original = ao.graphs.generate_graph("small", seed=1)  # 306 people with a place and three topics
protected = ao.graphs.protect_graph(original, k=3, seed=1)
print(ao.graphs.compare_graphs(original, protected).round(1))

# %%
# How many people say all the same, of place and topics? Nobody may be alone, or one of two.

ties = ao.graphs.to_networkx(original)
places = nx.spring_layout(ties, seed=1, iterations=40)
groups = {"alone": (1, 1, "^", "#D55E00"), "one of two": (2, 2, "s", "#E69F00")}
groups["one of three or more"] = (3, 306, "o", "#0072B2")
figure, panels = plt.subplots(1, 2, figsize=(11, 5.4), layout="constrained")
for axes, graph, when in zip(panels, (original, protected), ("before", "after"), strict=True):
    frame = graph.frame()
    sizes = frame.groupby(list(frame.columns))["location"].transform("size").to_numpy()
    nx.draw_networkx_edges(ties, places, ax=axes, edge_color="#CCCCCC", arrows=False)
    for name, (low, high, marker, color) in groups.items():
        chosen = [node for node, size in zip(ties, sizes, strict=True) if low <= size <= high]
        nx.draw_networkx_nodes(ties, places, chosen, ax=axes, node_color=color, node_size=30,
                               node_shape=marker, label=f"{name}: {len(chosen)}")  # fmt: skip
    axes.set_title(when)
    axes.legend(loc="lower right")
    axes.axis("off")
figure.savefig("graph.png", dpi=120)

# %%
# More in each cluster: more is lost, and fewer are found by what their neighbours say.

ks = range(2, 13)
versions = [ao.graphs.protect_graph(original, k=k, seed=1) for k in ks]
curves = pd.DataFrame([ao.graphs.compare_graphs(original, one) for one in versions], index=ks)
shown = curves[["IL", "DR", "DR_location", "DR_topics"]]
axes = shown.plot(style=["C0-o", "C1--s", "C2:^", "C3-.D"], figsize=(7, 4), grid=True)
axes.set(xlabel="k: people of each cluster, at least", ylabel="% (less is better)")
axes.figure.savefig("loss_and_risk.png", dpi=120, bbox_inches="tight")

# %%
# **Next**: the clusters start at random nodes; :class:`anonopt.problems.GraphProblem` searches for
# better starts at the same k. ``degree_k=5`` hides the number of ties, too.
