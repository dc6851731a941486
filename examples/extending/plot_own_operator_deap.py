"""
An operator of your own, in pymoo and in DEAP
=============================================

Operators are pymoo's and work in every algorithm of pymoo; those who write loops with DEAP take
them along. This mutation sends one level of a node to its bottom or its top.
"""

import random

import numpy as np
from deap import algorithms
from pymoo.core.population import Population

import anonopt as ao
from anonopt.operators import IntegerMutation
from anonopt.visualization import plot_front


class LeapMutation(IntegerMutation):
    """One level, drawn uniformly, becomes its lowest or its highest one."""

    def _changed(self, genomes, lower, upper, generator):
        rows = np.arange(len(genomes))
        columns = generator.integers(genomes.shape[1], size=len(genomes))
        up = generator.random(len(genomes)) < 0.5
        genomes[rows, columns] = np.where(up, upper[columns], lower[columns])
        return genomes


problem = ao.get_problem("german-k-glm")
nsga2 = ao.algorithms.nsga2(problem, pop_size=20, mutation=LeapMutation(prob=0.7))
with_pymoo = ao.solve(problem, nsga2, budget=200, seed=1).front

# %%
# The same with DEAP: :func:`anonopt.deap_toolbox` has all else, and the mutation replaces the one
# that is registered. DEAP's own loops draw from Python's global generator: seed it.

random.seed(1)
rng = np.random.default_rng(1)
toolbox = ao.deap_toolbox(problem, rng)


def leap(individual):
    """Change an individual of DEAP in place, by a mutation of pymoo."""
    parents = Population.new("X", np.array([individual]))
    individual[:] = LeapMutation().do(problem, parents, random_state=rng)[0].X.tolist()
    return (individual,)


toolbox.register("mutate", leap)
first = toolbox.population(n=20)
options = {"mu": 20, "lambda_": 20, "cxpb": 0.5, "mutpb": 0.5, "ngen": 10, "verbose": False}
last, log = algorithms.eaMuPlusLambda(first, toolbox, **options)
fronts = {"NSGA-II": with_pymoo, "DEAP": toolbox.front(last)}
plot_front(fronts, "glm", "k", log_y=True, path="fronts.png")

# %%
# **Next**: archives, problems and spaces of one's own are as short; ``ao.register`` lists them.
