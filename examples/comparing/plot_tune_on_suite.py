"""
Tune on the suite
=================

Options that were tuned on a problem look good on that problem. :class:`anonopt.experiments.Tuning`
keeps apart what is tuned on and what is reported on: other instances, other seeds. Here Optuna
(``pip install "anonopt[tuning]"``) tries 15 settings of NSGA-II.
"""

import matplotlib.pyplot as plt
import optuna
from optuna.distributions import IntDistribution

from anonopt.experiments import Split, Tuning
from anonopt.visualization import plot_boxes

optuna.logging.set_verbosity(optuna.logging.WARNING)
split = Split(
    "anonopt-2026",  # 27 instances with budgets and reference fronts
    tuning=("german-k-glm",),
    test=("german-k-l-glm", "adult-k-glm"),
    tuning_seeds=(1000, 1001, 1002),
    test_seeds=tuple(range(8)),
)
tuning = Tuning(
    algorithm="nsga2",
    options={"pop_size": IntDistribution(4, 60), "n_offsprings": IntDistribution(5, 60)},
    train=split,
)
study = tuning.run_optuna(n_trials=15, seed=1)
print(study.best_params, f"{study.best_value:.3f}; as it comes {tuning.objective({}):.3f}")
print(f"{tuning.n_evaluations} evaluations, which count too when algorithms are compared")

# %%
trials = tuning.trials.dropna(subset=["pop_size"])  # without the one of no options
figure, axes = plt.subplots(figsize=(6.5, 4.2), layout="constrained")
points = axes.scatter(trials["pop_size"], trials["n_offsprings"], c=trials["value"],
                      s=40 + 260 * trials["value"], cmap="cividis")  # fmt: skip
axes.plot(*study.best_params.values(), "k*", label="best")
axes.set(xlabel="pop_size", ylabel="n_offsprings", title="Trials, on german-k-glm")
axes.legend()
figure.colorbar(points, label="Relative hypervolume (more is better)")
figure.savefig("trials.png", dpi=120)

# %%
# The test decides: the tuned one against the one as it comes, on instances that no trial has seen.

runs = tuning.validation(study.best_params).run("validation.sqlite", workers=0)
plot_boxes(runs, path="validation.png")
for note in runs.tests("hypervolume").notes:
    print(note)

# %%
# **Next**: the whole split is ``suite_split("anonopt-2026")``; the suite compares an algorithm with
# all of the library: ``anonopt experiment suite --algorithm mine``.
