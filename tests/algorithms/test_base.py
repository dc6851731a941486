"""What all searches share: options, an end of their own, what they print."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.termination import NoTermination
from pymoo.util.display.multi import MultiObjectiveOutput
from pymoo.util.display.output import Output
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt.algorithms import (
    KGEN,
    OLA,
    PBGEA,
    PRAMEA,
    EvolutionarySearch,
    ExhaustiveSearch,
    LatticeVND,
    RandomSearch,
)
from anonopt.problems import AnonymizationProblem
from anonopt.problems.spaces import Levels
from anonopt.runs import solve


class Sums(AnonymizationProblem):
    """The sum of the levels, as often as there are objectives."""

    def __init__(self, n_obj):
        super().__init__(
            space=Levels(["age", "sex"], upper=[4, 1]),
            objective_names=[f"sum_{i}" for i in range(n_obj)],
            maximize=[False] * n_obj,
        )

    def _values(self, X):
        return np.repeat(X.sum(axis=1, keepdims=True), self.n_obj, axis=1), None


@pytest.mark.parametrize("search", [KGEN, OLA, PBGEA, PRAMEA, ExhaustiveSearch, RandomSearch])
def test_unknown_options_are_refused(search):
    with pytest.raises(TypeError, match="'limt'"):
        search(limt=3)


@pytest.mark.parametrize("search", [OLA, ExhaustiveSearch, LatticeVND])
def test_searches_that_end_by_themselves_need_no_termination(search):
    assert isinstance(search().termination, NoTermination)
    assert search(termination=("n_gen", 3)).termination == ("n_gen", 3)


def test_searches_without_an_end_leave_it_to_pymoo():
    assert RandomSearch().termination is None


@pytest.mark.parametrize(("n_obj", "kind"), [(1, SingleObjectiveOutput), (2, MultiObjectiveOutput)])
def test_what_is_printed_fits_the_number_of_objectives(n_obj, kind):
    search = RandomSearch()
    search.setup(Sums(n_obj))
    assert type(search.output) is kind
    assert search.display.output is search.output


def test_own_output_is_kept():
    given = Output()
    by_option, by_setup = RandomSearch(output=given), RandomSearch()
    by_option.setup(Sums(2))
    by_setup.setup(Sums(2), output=given)
    assert type(by_option.output) is Output
    assert by_setup.output is given


@pytest.mark.parametrize(("children", "kind"), [(None, "NoneType"), (np.zeros((2, 1)), "ndarray")])
def test_children_are_a_population(children, kind):
    class Careless(EvolutionarySearch):
        def _offspring(self):
            return children

        def _replace(self, children):
            self.pop = children

    search = Careless(pop_size=2, n_generations=3)
    with pytest.raises(TypeError, match=rf"Careless._offspring: expected a Population.*{kind}"):
        solve(Sums(1), search, seed=1)
