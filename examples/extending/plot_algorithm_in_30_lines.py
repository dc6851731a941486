"""
A new algorithm in 30 lines
===========================

A search inherits the base class of its family. Here every node of a population steps to a random
neighbour in the lattice, and the best of all nodes and neighbours survive. The base class brings
the first population, the budget, the archive of everything that was evaluated, the history, and
saved runs.
"""

import numpy as np
from pymoo.core.population import Population
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

import anonopt as ao
from anonopt.algorithms import EvolutionarySearch
from anonopt.visualization import plot_curves, plot_rainclouds


class NeighborSearch(EvolutionarySearch):
    """Every node steps to a random neighbour; the best of both stay, spread along the front."""

    def __init__(self, *, pop_size=20, n_generations=50, **options):
        super().__init__(pop_size=pop_size, n_generations=n_generations, **options)

    def _offspring(self):
        neighbors = [self.problem.space.neighbors(node.X) for node in self.pop]
        nodes = np.array([self.random_state.choice(nodes) for nodes in neighbors])
        return Population.new("X", nodes)

    def _replace(self, children):
        both = Population.merge(self.pop, children)
        survival = RankAndCrowding()
        self.pop = survival.do(
            self.problem, both, n_survive=self.pop_size, random_state=self.random_state
        )


# %%
# In the registry it has a name and says what it searches; lists, experiments and the command line
# take it from there. Is it any good? Against three others, over ten seeds:

ao.register("algorithms", "neighbor-search", NeighborSearch, spaces="levels")

runs = ao.experiments.Experiment(
    problems=["german-k-glm"],
    algorithms=["neighbor-search", "pbgea", "nsga2", "random"],
    seeds=range(10),
    budget=150,
).run("runs.sqlite", workers=0)
plot_rainclouds(runs, path="hypervolume.png")
plot_curves(runs, path="curves.png")
print(runs.to_markdown())

# %%
# On so small a lattice it does as well as PBG-EA; that says nothing of larger ones, where the suite
# has instances. **Next**: operators of one's own:
# :ref:`sphx_glr_gallery_extending_plot_own_operator_deap.py`.
