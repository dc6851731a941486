"""Problems and algorithms of a user, as a module of theirs would have them."""

from __future__ import annotations

import os
import signal
import time

import numpy as np

from anonopt.algorithms import ExhaustiveSearch, RandomSearch
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Levels


class Sides(AnonymizationProblem):
    """A small lattice, of which half is infeasible."""

    def __init__(self, scale=1.0, **options):
        super().__init__(
            space=Levels(["age", "sex"], upper=[5, 3]),
            objective_names=["privacy", "loss"],
            maximize=[True, False],
            constraint_names=["even"],
            **options,
        )
        self.scale = scale

    def _values(self, X):
        F = np.column_stack([X.sum(axis=1), self.scale * (X**2).sum(axis=1)])
        return F, X.sum(axis=1, keepdims=True) % 2.0


class Failing(RandomSearch):
    def _batch(self, n_genomes):
        raise RuntimeError("the search gave up")


class Killing(RandomSearch):
    """Ends its process."""

    def _batch(self, n_genomes):
        os.kill(os.getpid(), signal.SIGKILL)


class Slow(RandomSearch):
    """A generation of one solution every tenth of a second."""

    def __init__(self):
        super().__init__(batch_size=1)

    def _batch(self, n_genomes):
        time.sleep(0.1)
        return super()._batch(n_genomes)


class Hanging(RandomSearch):
    def _batch(self, n_genomes):
        time.sleep(60)


class Greedy(RandomSearch):
    """Asks for more memory than there is."""

    def _batch(self, n_genomes):
        np.ones(2**40)


def sides():
    return Sides()


def make_random(problem):
    return RandomSearch(batch_size=7)


def make_nothing(problem):
    return "random"


def everything(problem):
    return ExhaustiveSearch()
