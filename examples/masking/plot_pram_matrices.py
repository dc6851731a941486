"""
PRAM matrices, and what invariance does
=======================================

The post randomization method draws the category of each record from its row of a Markov matrix.
That changes how often each category occurs, unless the matrix is *invariant*: then as many records
leave a category as come to it, in expectation.
"""

import pandas as pd

import anonopt as ao
from anonopt.visualization import plot_masked_flow, plot_matrices, plot_pram_flow

m = ao.masking
german = ao.data.masking_set("german").frame
names = {"A61": "little", "A62": "some", "A63": "more", "A64": "much", "A65": "unknown"}
savings = german["savings"].map(names)
counts = savings.value_counts()[list(names.values())]
labels = list(counts.index)
probabilities = m.pram_matrix("frequency", counts, p=0.6)
plain = m.MarkovMatrix.of(probabilities, labels=labels)
invariant = m.MarkovMatrix.of(m.invariant_matrix(probabilities, counts), labels=labels)
plot_matrices(
    {"plain": [plain], "invariant": [invariant]}, columns=["savings"], path="matrices.png"
)

# %%
# As a flow: bands in grey stay, those in colour leave their category. The plain matrix makes rare
# categories more frequent, which the analyst would have to correct:

# sphinx_gallery_thumbnail_number = 3
plot_pram_flow(plain, counts, title="Plain matrix, expected", path="plain.png")

# %%
# With the invariant matrix the right side is as the left one, while most records of the rare
# categories come from elsewhere. Whoever sees "much" cannot be sure.

plot_pram_flow(invariant, counts, title="Invariant matrix, expected", path="invariant.png")
ratios = m.expectation_ratios(invariant.probabilities, counts)
print(pd.Series(ratios, index=labels, name="kept, for each that came from elsewhere").round(2))

# %%
# One draw of it, which is what would be published:

method = m.PRAM("frequency", p=0.6, invariant=True, columns=["savings"], random_state=1)
masked = method.fit_transform(savings.to_frame())
plot_masked_flow(savings, masked["savings"], title="Invariant matrix, drawn", path="drawn.png")
print(pd.DataFrame({"original": counts, "masked": masked["savings"].value_counts()}))

# %%
# **Next**: matrices are searched with :class:`anonopt.algorithms.PRAMEA`, and equations that make
# matrices for any file in :ref:`sphx_glr_gallery_masking_plot_pram_equations.py`.
