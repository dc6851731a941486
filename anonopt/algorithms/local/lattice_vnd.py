"""LatticeVND: variable neighbourhood descent in the lattice, with bounds and with estimates.

Idea: start from the bottom and the top node; evaluate the nodes one step from an archive of
everything non-dominated; where none is left, those two steps away. A node is skipped if an
archive member is at least as good as its optimistic bound (`OptimisticBounds`). Of the nodes
that remain, those most likely to be non-dominated come first: kriging from the nodes evaluated
last (`LatticeKriging`) estimates their objectives, and what counts is by how many standard
errors the estimate misses being dominated. The search ends when both neighbourhoods are
closed. It is a heuristic and proves nothing: a node of the front can be more than two steps from
all others.

Paper: none for the whole. The descent is that of P. Hansen, N. Mladenovic, *Variable
Neighborhood Search*, European Journal of Operational Research 130 (2001), with an archive in
place of one current solution as in L. Paquete, M. Chiarandini, T. Stuetzle, *Pareto Local Optimum
Sets in the Biobjective Traveling Salesman Problem*, 2004.

Decided:

- Bounds prune and are true; estimates only say when a node is evaluated, never whether.
- Values are estimated on the scale of the inverse hyperbolic sine, which is logarithmic for
  counts and linear near 0, whatever the sign. What follows from the node alone (the loss without
  suppression) is not estimated, only what is added to it. Kriging has a linear trend in the
  levels: with a constant mean the last node of Adult's front of (k, l, GLM) comes after 600 nodes.
- Scalars do not tell k where rows may be suppressed: it jumps as blocks of classes leave. With
  ``class_sizes`` the rule is applied to estimated class sizes; no other node is grouped. Nodes
  two steps away then compete as soon as none one step away has a chance of `LEAST_CHANCE`.
- Nodes are evaluated in batches. The choice within a batch does not learn from the batch: on the
  Adult problems, nine tenths of a front take 6 to 61 evaluations more with batches of 8 than one
  by one, in a tenth of the time, and 42 to 177 more with batches of 32.
- The constraint violation is one more objective of the archive, so that infeasible nodes that are
  better in something are searched around as well: optima lie where feasible nodes meet
  infeasible ones, and are often reached from there. A candidate comes the later the less likely
  it is to be feasible. While nothing is feasible, the least estimated violation comes first.
- The seed decides between nodes of equal promise, and makes the draws of ``class_sizes``.
- In very wide lattices the pool of candidates is bounded: the least promising ones are dropped,
  and made again when the pool runs empty, so nothing is missed.
"""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.util.optimum import filter_optimum

from anonopt._checks import check_integer
from anonopt._typing import FloatArray, IntArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.local.bounds import OptimisticBounds
from anonopt.algorithms.local.chances import Chances
from anonopt.algorithms.local.class_sizes import class_size_evaluator
from anonopt.algorithms.local.neighborhoods import CandidatePool, Neighborhoods
from anonopt.algorithms.local.promise import Promise, weakly_dominated
from anonopt.operators.base import integer_bounds
from anonopt.problems.base import EXTRA

LEAST_CHANCE = 0.3
"""Chance to be non-dominated below which candidates one step away do not come first."""


class LatticeVND(Search):
    """Variable neighbourhood descent with optimistic bounds and estimated order.

    The population is the archive; the optimum (pymoo's ``opt``) are its feasible members. The
    search ends by itself.

    Parameters
    ----------
    batch_size : int
        Nodes evaluated at a time, at least 1.
    pool_size : int
        Candidates that are gathered two steps away, and kept where there are more than twice as
        many; at least the batch size.
    class_sizes : bool
        Whether k is estimated from the class size of every distinct tuple at the evaluated nodes,
        and nodes come by their chance to be non-dominated: fewer evaluations, of more time each.
        For lattice problems of k without a fixed k and without constraints, with rows in memory
        and at most 20,000 distinct tuples; others are searched as without it.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search before its neighbourhoods are closed.

    Raises
    ------
    ValueError
        If a size is out of its range, or, when the search is set up, genomes are no levels.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("adult-sk-glm")
    >>> result = ao.solve(problem, LatticeVND(), budget=400, seed=1)
    >>> ao.indicators.representation_ratio(
    ...     problem.natural(result.F), problem.natural(problem.pareto_front()),
    ...     eps=1, maximize=problem.maximize,
    ... )
    1.0
    """

    ends_by_itself = True

    def __init__(
        self,
        *,
        batch_size: int = 8,
        pool_size: int = 2000,
        class_sizes: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.batch_size = check_integer("batch_size", batch_size, least=1)
        self.pool_size = check_integer("pool_size", pool_size, least=self.batch_size)
        self.class_sizes = class_sizes

    def _begin(self, problem: Problem) -> None:
        lower, upper = integer_bounds(problem)
        self._around = Neighborhoods(lower, upper)
        self._bounds = OptimisticBounds(problem)
        if self._bounds.measures:
            self.problem = problem.recording(self._bounds.measures)
        self._pool = CandidatePool(self._bounds, lower, upper)
        self._promise = Promise(self._bounds)
        self._archive = Population()
        # Nodes of the archive around which nothing was looked for yet; with the first column
        # that is to change where two steps are made.
        self._one_step_from: list[IntArray] = []
        self._two_steps_from: list[tuple[IntArray, int]] = []
        self._pool_is_complete = True
        self._batch = np.unique([lower, upper], axis=0)
        self._chances: Chances | None = None
        if self.class_sizes and class_size_evaluator(problem) is not None:
            self._chances = Chances(problem, self.random_state)

    def _infill(self) -> Population:
        return Population.new("X", self._batch)

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self._learn(infills)
        self._update_archive(infills)
        self._pool.tighten()
        rows = self._next_candidates()
        if len(rows) == 0:
            self.termination.terminate()
            return
        if self._chances is None:
            best = self._most_promising_first(rows)
            n_best = self.batch_size
        else:
            best, n_best = self._likeliest_first(self._chances, rows)
        self._batch = self._pool.nodes[best[:n_best]]
        if len(self._pool) > 2 * self.pool_size:
            self._pool.keep_only(best[: self.pool_size])
            self._pool_is_complete = False

    def _set_optimum(self) -> None:
        self.pop = self._archive
        self.opt = filter_optimum(self._archive, least_infeasible=True)

    def _learn(self, infills: Population) -> None:
        nodes = infills.get("X").astype(np.int64)
        criteria = infills.get("F")
        if self.problem.n_ieq_constr:
            criteria = np.column_stack([criteria, infills.get("G")])
        measured = [infills.get(f"{EXTRA}{one.name}") for one in self._bounds.measures]
        # None, of a node from the memory of another run, becomes NaN.
        values = np.array(measured, dtype=np.float64).reshape(-1, len(nodes)).T
        self._bounds.learn(nodes, criteria, values)
        if self._chances is not None:
            bounding = self._bounds.bounding_values(criteria, values)
            self._chances.learn(nodes, criteria, bounding, self._bounds.known(nodes))
        self._promise.learn(nodes, criteria)
        self._pool.close(nodes)

    def _update_archive(self, infills: Population) -> None:
        n_members = len(self._archive)
        both = Population.merge(self._archive, infills)
        goals = np.column_stack([both.get("F"), np.maximum(both.get("CV"), 0)])
        best = np.flatnonzero(moocore.is_nondominated(goals, keep_weakly=True))
        self._archive, self._goals = both[best], goals[best]
        self._members = self._archive.get("X").astype(np.int64)
        self._search_around(self._members[best >= n_members])

    def _search_around(self, members: IntArray) -> None:
        self._one_step_from += list(members)
        self._two_steps_from += [(node, i) for node in members for i in range(len(node))]

    def _next_candidates(self) -> IntArray:
        """Rows of the pool in the nearest neighbourhood that is not closed; none if all are."""
        while True:
            if self._one_step_from:
                self._pool.add(self._around.one_step(np.array(self._one_step_from)))
                self._one_step_from = []
            self._drop_hopeless()
            steps = self._pool.steps_to(self._members)
            self._pool.forget(steps > 2)
            steps = steps[steps <= 2]
            if (steps == 1).any():
                return np.flatnonzero(steps == 1)
            if self._two_steps_from and len(self._pool) < self.pool_size:
                self._pool.add(self._two_step_neighbors())
            elif len(steps) or self._pool_is_complete:
                return np.arange(len(steps))
            else:
                self._search_around(self._members)
                self._pool_is_complete = True

    def _two_step_neighbors(self) -> IntArray:
        """Nodes two steps from the longest-waiting members, about `pool_size` of them."""
        members = {node.tobytes() for node in self._members}
        found = [self._members[:0]]
        n_found = n_used = 0
        for node, column in self._two_steps_from:
            if n_found >= self.pool_size:
                break
            n_used += 1
            if node.tobytes() in members:
                found.append(self._around.two_steps(node, column=column))
                n_found += len(found[-1])
        del self._two_steps_from[:n_used]
        return np.concatenate(found)

    def _drop_hopeless(self) -> None:
        """Close the candidates that no evaluation could bring into the archive."""
        n_obj = self.problem.n_obj
        violation = np.maximum(self._pool.bounds[:, n_obj:], 0).sum(axis=1)
        best = np.column_stack([self._pool.bounds[:, :n_obj], violation])
        self._pool.close_rows(weakly_dominated(best, self._goals))

    def _likeliest_first(self, chances: Chances, rows: IntArray) -> tuple[IntArray, int]:
        """Candidates by their chances, and how many are to be evaluated."""
        found = self._chances_of(chances, rows)
        nothing_near = found.max() < LEAST_CHANCE
        if nothing_near:
            while self._two_steps_from and len(self._pool) < self.pool_size:
                self._pool.add(self._two_step_neighbors())
                self._drop_hopeless()
            rows = np.flatnonzero(self._pool.steps_to(self._members) <= 2)
            found = self._chances_of(chances, rows)
        order = np.lexsort((self.random_state.random(len(rows)), -found))
        n_best = min(int((found >= LEAST_CHANCE).sum()) or self.batch_size, self.batch_size)
        if nothing_near and self.batch_size > 1:
            row = chances.turn(self._pool.nodes[rows[order]])
            order = np.concatenate([order[[row]], np.delete(order, row)])
            n_best = min(n_best + 1, self.batch_size)
        return rows[order], n_best

    def _chances_of(self, chances: Chances, rows: IntArray) -> FloatArray:
        nodes, members = self._pool.nodes[rows], np.unique(self._goals, axis=0)[:, :-1]
        return chances.of(nodes, self._pool.bounds[rows], self._bounds.known(nodes), members)

    def _most_promising_first(self, rows: IntArray) -> IntArray:
        nodes, bounds = self._pool.nodes[rows], self._pool.bounds[rows]
        promise = self._promise.of(nodes, bounds, self._goals)
        return rows[np.lexsort((self.random_state.random(len(rows)), -promise))]
