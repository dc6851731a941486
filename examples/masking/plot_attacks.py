"""
Attacks: what k-anonymity does not promise
==========================================

Three attacks on protected data: *homogeneity* (everybody of a class has the same illness),
*linkage* (an attacker who knows the method finds the original of a masked record), and a *known
seed*.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import anonopt as ao

people = pd.DataFrame(
    {
        "age": ["30-39"] * 4 + ["40-49"] * 4,
        "zip": ["816**"] * 8,
        "illness": ["flu"] * 4 + ["flu", "cold", "asthma", "cold"],
    }
)
report = ao.check(people, quasi_identifiers=["age", "zip"], sensitive="illness")
print(report[["k", "l"]])  # k = 4, and yet who is 34 has the flu: l = 1

# %%
# Rank swapping exchanges values whose ranks are near. Who knows nothing of it links masked records
# to the nearest originals; who knows the parameter p knows which originals are possible.

m = ao.masking
rng = np.random.default_rng(1)
incomes = pd.DataFrame({name: rng.permutation(2000) for name in ("income", "debt", "rent")})
ps = [1, 2, 4, 6, 8]
links = {"knows nothing": [], "knows the method": [], "knows the seed, too": []}
for p in ps:
    method = m.RankSwapping(p=p, random_state=7)
    masked = method.fit_transform(incomes)
    links["knows nothing"].append(ao.compare(incomes, masked)["DBRL"])
    links["knows the method"].append(ao.attack(incomes, masked, m.RankSwapping(p=p))["linked"])
    links["knows the seed, too"].append(ao.attack(incomes, masked, method)["undone"])
print(pd.DataFrame(links, index=ps).round(1))

# %%
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for (name, shares), style in zip(links.items(), ("C0-o", "C1--s", "k:^"), strict=True):
    axes.plot(ps, shares, style, label=name)
axes.set(xlabel="p: swapped within p percent of the ranks", ylim=(0, 105), xticks=ps)
axes.set(ylabel="Records found (%, less is better)", title="One file, three attackers")
axes.grid(color="#DDDDDD")
axes.legend(title="The attacker")
figure.savefig("attackers.png", dpi=120)

# %%
# So a file that is published is masked without a seed, or with one that nobody learns. **Next**:
# bounds against homogeneity are in :ref:`sphx_glr_gallery_lattices_plot_l_diversity.py`.
