"""What searches of real numbers share that start anew elsewhere once they have come to rest."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from pymoo.core.initialization import Initialization
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling

from anonopt._checks import check_number
from anonopt._typing import AnyArray, FloatArray
from anonopt.algorithms.base import Search
from anonopt.problems.spaces import space_of


class RestartedSearch(Search):
    """Base class: first genomes by a sampling, those of restarts uniform, the best of all kept.

    Subclasses implement ``_n_first``, ``_infill`` and ``_advance``, and count ``n_restarts``.

    Parameters
    ----------
    sigma : float
        First standard deviation of each gene, as a share of its range, above 0.
    sampling : pymoo Sampling, Population, or array (n, n_var), optional
        Makes the first genomes; by default that of the space.
    termination : pymoo Termination or tuple, optional
    output : pymoo Output, optional
    archive : object, optional

    Attributes
    ----------
    n_restarts : int

    Raises
    ------
    ValueError
        If sigma is not above 0.
    """

    opt: Any

    def __init__(
        self,
        *,
        sigma: float,
        sampling: Sampling | Population | AnyArray | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.sigma = check_number("sigma", sigma, above=0)
        self._given_sampling = sampling

    @property
    @abstractmethod
    def _n_first(self) -> int:
        """Genomes that a run begins with, the first one or the next."""

    def _begin(self, problem: Problem) -> None:
        space = space_of(problem)
        given = self._given_sampling
        self.initialization = Initialization(space.sampling() if given is None else given)
        self._repair = space.repair()
        self._lower: FloatArray = np.asarray(problem.xl, dtype=np.float64)
        self._upper: FloatArray = np.asarray(problem.xu, dtype=np.float64)
        self.n_restarts = 0

    def _initialize_infill(self) -> Population:
        return self.initialization.do(
            self.problem, self._n_first, algorithm=self, random_state=self.random_state
        )

    def _uniform(self) -> FloatArray:
        """Genes of the genomes that a restart begins with, (n_first, n_var)."""
        size = self._n_first, self.problem.n_var
        return np.asarray(self.random_state.uniform(self._lower, self._upper, size=size))

    def _repaired(self, X: FloatArray) -> Population:
        """Genomes of the space that are nearest to some genes (n, n_var)."""
        genomes = Population.new("X", X)
        if self._repair is not None:
            genomes = self._repair(self.problem, genomes, random_state=self.random_state)
        return genomes

    def _set_optimum(self) -> None:
        from pymoo.util.optimum import filter_optimum

        pop = self.pop if self.opt is None else Population.merge(self.opt, self.pop)
        self.opt = filter_optimum(pop, least_infeasible=True)
