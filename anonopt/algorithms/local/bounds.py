"""Optimistic bounds: the best a node of the lattice can be, from nodes evaluated already.

Everything here is minimized, as pymoo has it, so an optimistic bound is a lower bound. An
objective is bounded by the first of these that applies:

- It follows from the node alone where nothing is suppressed, and suppression cannot lower it
  (`KNOWN`): that part comes from the marginals of the table, without any grouping.
- It is monotone under the suppression rule (`Measure.monotonicity`): what never rises when a
  level is raised is at least its value at an evaluated node above, what never falls at least
  its value at an evaluated node below.
- A monotone measure is never worse (`BOUNDING`): it is measured together with the objectives,
  and bounds in their place.

Whatever is left, such as a user's measure that declares nothing, has no bound (-inf).
Constraints on monotone measures are bounded likewise, the others are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.algorithms.local.bounding_measures import BOUNDING, KNOWN
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import MEASURES, Measure, measure_names
from anonopt.measures.lattice.statistics import EXCESS, NodeStatistics
from anonopt.measures.measure import rule_name
from anonopt.problems.any_problem import lattice_of

LARGEST_BLOCK = 1 << 22
"""Pairs of a node and an evaluated node that are compared at a time; bounds the memory."""


@dataclass(frozen=True)
class Bound:
    """How one objective or constraint is bounded.

    Attributes
    ----------
    direction : int
        1: by evaluated nodes below, as the minimized value never falls when a level is raised;
        -1: by evaluated nodes above, as it never rises; 0: not by other nodes.
    known : Measure, optional
        The objective itself, if its value without suppression follows from the node.
    bounding : Measure, optional
        The measure whose values bound, if it is not the objective itself.
    sign : int
        -1 if the objective is maximized, so that its values are negated; else 1.
    """

    direction: int = 0
    known: Measure | None = None
    bounding: Measure | None = None
    sign: int = 1


def bound_of(measure: Measure, evaluator: LatticeEvaluator) -> Bound:
    """How an objective is bounded under the evaluator's suppression rule."""
    sign = -1 if measure.maximize else 1
    built_in = measure.name in measure_names("node") and evaluator.measure(measure.name) is measure
    if built_in and measure.name in KNOWN:
        return Bound(known=measure, sign=sign)
    direction = _minimized_direction(measure, evaluator)
    bounding = BOUNDING[rule_name(evaluator.rule)].get(measure.name)
    if direction or bounding is None or not built_in:
        return Bound(direction=direction, sign=sign)
    direction = sign * bounding.monotonicity(evaluator.rule)
    return Bound(direction=direction, bounding=bounding, sign=sign)


class OptimisticBounds:
    """Lower bounds of the minimized objectives and constraints of nodes.

    Parameters
    ----------
    problem : pymoo Problem
        Anything but a `LatticeProblem` with the values of its own measures has no bounds at all.

    Attributes
    ----------
    measures : tuple of Measure
        What has to be measured at every evaluated node besides the objectives.

    Examples
    --------
    A node below one whose smallest class has 30162 rows has at most that; its loss is known:

    >>> import anonopt as ao
    >>> problem = ao.get_problem("adult-k-glm")
    >>> bounds = OptimisticBounds(problem)
    >>> top = np.array([problem.lattice.top])
    >>> bounds.learn(top, problem.evaluate(top), np.empty((1, 0)))
    >>> bounds.at(np.array([problem.lattice.bottom])).tolist()
    [[-30162.0, 0.0]]
    """

    def __init__(self, problem: Problem) -> None:
        self._evaluator: LatticeEvaluator | None = None
        self._bounds = [Bound()] * (problem.n_obj + problem.n_ieq_constr)
        lattice = lattice_of(problem)
        if lattice is not None:
            self._evaluator = lattice.evaluator
            self._bounds = _bounds_of(lattice)
        found = (bound.bounding for bound in self._bounds if bound.bounding is not None)
        self.measures = tuple({measure.name: measure for measure in found}.values())
        self._directions = np.array([bound.direction for bound in self._bounds])
        self._nodes, self._values = GrowingArray(), GrowingArray()

    def __len__(self) -> int:
        """Number of evaluated nodes."""
        return len(self._nodes)

    def learn(self, nodes: IntArray, criteria: FloatArray, measured: FloatArray) -> None:
        """Take in evaluated nodes.

        Parameters
        ----------
        nodes : int64 array (n, n_var)
        criteria : float array (n, n_obj + n_constr)
            Minimized objectives, then constraints.
        measured : float array (n, n_measures)
            Values of `measures`, in natural units; NaN where not measured.
        """
        self._nodes.extend(nodes)
        self._values.extend(self.bounding_values(criteria, measured))

    def bounding_values(self, criteria: FloatArray, measured: FloatArray) -> FloatArray:
        """Minimized values that bound, (n, n_criteria): of bounding measures where there are.

        Parameters
        ----------
        criteria, measured : float arrays
            As `learn` takes them.
        """
        values = criteria.astype(np.float64)
        names = [measure.name for measure in self.measures]
        for column, bound in enumerate(self._bounds):
            if bound.bounding is not None:
                found = measured[:, names.index(bound.bounding.name)]
                values[:, column] = np.where(np.isnan(found), -np.inf, bound.sign * found)
        return values

    def known(self, nodes: IntArray) -> FloatArray:
        """What follows from the nodes alone, (n, n_obj + n_constr); else -inf."""
        values = np.full((len(nodes), len(self._bounds)), -np.inf)
        for column, bound in enumerate(self._bounds):
            if bound.known is not None and self._evaluator is not None:
                found = _without_suppression(bound.known, self._evaluator, nodes)
                values[:, column] = bound.sign * found
        return values

    def at(self, nodes: IntArray, *, since: int = 0) -> FloatArray:
        """Bounds of nodes, (n, n_obj + n_constr); -inf where there is none.

        Parameters
        ----------
        nodes : int64 array (n, n_var)
        since : int
            The first so many evaluated nodes are left out, for bounds that know them already.
        """
        bounds = self.known(nodes)
        evaluated, values = self._nodes.view()[since:], self._values.view()[since:]
        if len(evaluated) and self._directions.any():
            length = max(LARGEST_BLOCK // len(evaluated), 1)
            for start in range(0, len(nodes), length):
                block = slice(start, start + length)
                found = self._from_evaluated(nodes[block], evaluated, values)
                bounds[block] = np.maximum(bounds[block], found)
        return bounds

    def _from_evaluated(
        self, nodes: IntArray, evaluated: IntArray, values: FloatArray
    ) -> FloatArray:
        found = np.full((len(nodes), len(self._bounds)), -np.inf)
        for direction in (1, -1):
            columns = np.flatnonzero(self._directions == direction)
            if len(columns):
                bounding = _all_below(direction * evaluated, direction * nodes)
                for column in columns:
                    among = np.where(bounding, values[:, column], -np.inf)
                    found[:, column] = among.max(axis=1)
        return found


def _bounds_of(problem: Problem) -> list[Bound]:
    evaluator = problem.evaluator
    objectives = [bound_of(measure, evaluator) for measure in problem.objectives]
    # A constraint grows with its minimized measure, but is not in its unit: only the direction
    # carries over. That of the fixed k comes last.
    constraints = [measure for measure, _ in problem.constraints]
    if evaluator.rule.k is not None:
        constraints.append(MEASURES["suppressed"])
    directions = [_minimized_direction(measure, evaluator) for measure in constraints]
    return [*objectives, *(Bound(direction=direction) for direction in directions)]


def _minimized_direction(measure: Measure, evaluator: LatticeEvaluator) -> int:
    direction = measure.monotonicity(evaluator.rule)
    return -direction if measure.maximize else direction


def _without_suppression(
    measure: Measure, evaluator: LatticeEvaluator, nodes: IntArray
) -> AnyArray:
    facts = evaluator.tuples.facts
    nothing = np.zeros((len(nodes), EXCESS + len(facts.names)), dtype=np.int64)
    if measure.from_statistics is None:
        raise TypeError(f"measure {measure.name!r}: expected a function of statistics")
    return np.asarray(
        measure.from_statistics(NodeStatistics(facts, evaluator.rule, nodes, nothing))
    )


def _all_below(lower: IntArray, upper: IntArray) -> BoolArray:
    """Whether each lower node is nowhere above each upper one, (n_upper, n_lower)."""
    below = np.ones((len(upper), len(lower)), dtype=bool)
    for column in range(lower.shape[1]):
        below &= lower[:, column] <= upper[:, column, np.newaxis]
    return below
