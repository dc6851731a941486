"""
A cluster
=========

An experiment runs on any executor of :mod:`concurrent.futures`. dask (``pip install
"anonopt[scale]"``) brings one whose workers are processes of many machines. Here they are two
threads, so that this page is built quickly; what is found is the same, bit for bit, wherever it
runs.
"""

from dask.distributed import Client, LocalCluster

import anonopt as ao
from anonopt.visualization import plot_attainment, plot_boxes

experiment = ao.experiments.Experiment(
    problems=["german-k-glm"],
    algorithms={"PBG-EA": "pbgea", "NSGA-II": ("nsga2", {"pop_size": 20}), "random": "random"},
    seeds=range(8),
    budget=150,
)
print(experiment.estimate())

# %%
# With ``processes=True`` the workers are processes, each of which reads a script again: then what
# starts them stands below ``if __name__ == "__main__":``. On a cluster with Slurm the first line is
# ``SLURMCluster(cores=1, processes=1, memory="4GB")`` of dask-jobqueue, and nothing else changes.

workers = {"n_workers": 2, "threads_per_worker": 1, "processes": False}
with LocalCluster(**workers, dashboard_address=None) as cluster, Client(cluster) as client:
    runs = experiment.run("cluster.sqlite", executor=client.get_executor(pure=False))
print(runs.frame["status"].value_counts())

# %%
# The file is written by this process alone. A second call runs only what is missing, so a cluster
# that goes away costs the runs that were under way, and no others. The same in this process:

here = experiment.run("here.sqlite", workers=0)
print("equal:", here.indicators(budgets=[150]).equals(runs.indicators(budgets=[150])))

# %%
# What a quarter, half and three quarters of the runs reach:

plot_attainment(runs, "german-k-glm", title="German credit, 8 runs each", path="attainment.png")
plot_boxes(runs, path="hypervolume.png")

# %%
# **Next**: ``anonopt experiment comparison.toml --workers 2`` runs experiments from the command
# line; :ref:`sphx_glr_gallery_comparing_plot_eight_algorithms.py` has the tests and tables.
