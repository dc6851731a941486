"""What the lecture and the tour show: computed here, so that both say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.algorithms import PBGEA, ExhaustiveSearch, get_algorithm
from anonopt.data import Microdata, load_dataset
from anonopt.evaluation import LatticeEvaluator
from anonopt.evaluation.comparison.compare import compare
from anonopt.masking import MDAV, PRAM, Mondrian, invariant_matrix
from anonopt.masking.attack import attack
from anonopt.measures import indicators
from anonopt.operators.archives import BoxArchive
from anonopt.problems import LatticeProblem, get_problem
from anonopt.runs import Result, solve
from anonopt.teaching.disclosure import exposure, rows_together

FONT_SIZE = 17
"""Of pictures that are shown to a room: their smallest text has 14 points."""

K = 3
BOXES = (3, 12)
"""Sides of boxes for k (rows) and loss (cells)."""
TRACED = ("exhaustive", "incognito", "samarati", "ola", "branch-and-bound", "datafly")
BUDGETS = (100, 300, 900)
RELEASES = ((1, 3, 1), (3, 0, 1))
"""Levels of two releases of the patients: by age in tens, and by exact postcode."""
ADULT_RELEASES = ((6, 0, 3, 3, 1, 0, 4, 0), (6, 3, 1, 1, 1, 0, 4, 1))
"""Levels of two 5-anonymous releases of Adult."""
CREDIT_ROWS = 200
"""Of German credit, that masking is shown on."""
SEED = 1


@dataclass(frozen=True)
class Lesson:
    """The numbers of the course, each computed when it is first asked for.

    Attributes
    ----------
    k : int
        What is asked of the patients.

    Examples
    --------
    >>> Lesson().minimal
       age  postcode  sex        glm
    0    2         3    0  28.813559
    1    2         2    1  37.384988
    2    3         0    1  40.000000
    3    1         3    1  43.050847
    """

    k: int = K

    @cached_property
    def patients(self) -> Microdata:
        """Twenty made-up patients with three quasi-identifiers."""
        return load_dataset("patients")

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """All 32 nodes of the patients' lattice with ``k``, ``glm`` and ``enough``: k or more."""
        nodes = LatticeEvaluator(self.patients).evaluate_all(measures=["k", "glm"])
        return nodes.assign(enough=nodes["k"] >= self.k)

    @cached_property
    def problem(self) -> LatticeProblem:
        """Least loss of the patients at k."""
        return LatticeProblem(self.patients, ["glm"], k=self.k)

    @cached_property
    def searches(self) -> dict[str, Result]:
        """Results of exact searches and of Datafly, by name, with their traces."""
        found = {}
        for name in TRACED:
            options: dict[str, Any] = {} if name == "exhaustive" else {"trace": True}
            algorithm = get_algorithm(name, self.problem, **options)
            found[name] = solve(self.problem, algorithm, seed=SEED)
        return found

    @cached_property
    def minimal(self) -> pd.DataFrame:
        """The k-minimal nodes, as Incognito finds them, and their loss, the least first."""
        nodes = self.searches["incognito"].algorithm.minimal_nodes
        names = list(self.patients.quasi_identifiers)
        found = pd.DataFrame(nodes, columns=names).merge(self.nodes, on=names)
        return found.sort_values("glm", ignore_index=True)[[*names, "glm"]]

    @cached_property
    def efforts(self) -> pd.DataFrame:
        """A row a search: nodes that it tested, the node it ends with, its loss, and ``proven``."""
        names = list(map(str, self.patients.quasi_identifiers))
        rows = []
        for name, result in self.searches.items():
            best = result.front.iloc[0]
            node = ", ".join(str(int(best[column])) for column in names)
            tests = result.n_tests or result.n_unique
            rows.append((name, tests, node, float(best["glm"]), result.proven))
        return pd.DataFrame(rows, columns=["search", "tested", "node", "glm", "proven"])

    @cached_property
    def both(self) -> LatticeProblem:
        """Privacy and loss of the patients together."""
        return LatticeProblem(self.patients, ["k", "glm"])

    @cached_property
    def everything(self) -> Result:
        """All nodes, with the archive of boxes that they were offered to."""
        archive = BoxArchive(BOXES, self.both.maximize)
        return solve(self.both, ExhaustiveSearch(), seed=SEED, archive=archive)

    @cached_property
    def adult(self) -> LatticeProblem:
        """Privacy and loss of Adult: eight quasi-identifiers."""
        problem = get_problem("adult-k-glm")
        if not isinstance(problem, LatticeProblem):
            raise TypeError(f"problem: expected a lattice, found {type(problem).__name__}")
        return problem

    @cached_property
    def adult_front(self) -> pd.DataFrame:
        """The exact front of Adult."""
        return self.adult.frame(*self.adult.pareto_set_and_front())

    @cached_property
    def adult_runs(self) -> dict[int, Result]:
        """Runs of PBG-EA on Adult by budget of nodes."""
        return {budget: solve(self.adult, PBGEA(), budget=budget, seed=SEED) for budget in BUDGETS}

    @cached_property
    def adult_efforts(self) -> pd.DataFrame:
        """A row a search of Adult: nodes, points, and the share of the front's boxes it holds."""
        names = list(self.adult.objective_names)
        rows: list[tuple[str, int, int, float]] = []
        fronts = {
            f"PBG-EA, {n} nodes": (run.n_unique, run.front) for n, run in self.adult_runs.items()
        }
        fronts["all nodes"] = (self.adult.lattice.size, self.adult_front)
        for label, (n_nodes, front) in fronts.items():
            held = indicators.representation_ratio(
                front[names], self.adult_front[names], eps=1, maximize=self.adult.maximize
            )
            rows.append((label, n_nodes, len(front), held))
        return pd.DataFrame(rows, columns=["search", "nodes", "points", "share of the front"])

    @cached_property
    def credit(self) -> pd.DataFrame:
        """Age and amount of some credits, two columns of numbers to mask."""
        frame = load_dataset("german").frame[["age", "credit_amount"]]
        return frame.head(CREDIT_ROWS).reset_index(drop=True)

    @cached_property
    def masked(self) -> pd.DataFrame:
        """A row a masking of the credits: loss and risk, in percent, by ``compare``."""
        methods = [MDAV(k=3), MDAV(k=10), MDAV(k=30), Mondrian(k=3), Mondrian(k=10)]
        rows = []
        for method in methods:
            found = compare(self.credit, method.fit_transform(self.credit))
            rows.append((repr(method), found["IL"], found["DR"]))
        return pd.DataFrame(rows, columns=["method", "IL", "DR"])

    @cached_property
    def frequencies(self) -> pd.Series[Any]:
        """How many patients have which diagnosis."""
        return self.patients.frame["diagnosis"].value_counts().sort_index()

    @cached_property
    def matrix(self) -> FloatArray:
        """A PRAM matrix of the diagnoses: each stays with probability 0.7."""
        n = len(self.frequencies)
        return np.full((n, n), 0.3 / (n - 1)) + np.eye(n) * (0.7 - 0.3 / (n - 1))

    @cached_property
    def invariant(self) -> FloatArray:
        """The invariant matrix that is made of it."""
        return invariant_matrix(self.matrix, self.frequencies)

    @cached_property
    def expected(self) -> pd.DataFrame:
        """Frequencies of the diagnoses, and those expected after either matrix."""
        counts = self.frequencies.to_numpy(dtype=np.float64)
        return pd.DataFrame(
            {
                "original": counts,
                "masked": counts @ self.matrix,
                "masked, invariant": counts @ self.invariant,
            },
            index=self.frequencies.index,
        )

    @cached_property
    def homogeneity(self) -> pd.DataFrame:
        """What the k-minimal release of least loss tells about each patient."""
        return exposure(self.patients, [self._best()])

    @cached_property
    def compositions(self) -> pd.DataFrame:
        """Two releases of the patients, each alone and both together, by what they disclose."""
        rows = []
        for label, nodes in self._releases().items():
            told = exposure(self.patients, nodes)
            certain = int((told["n_values"] == 1).sum())
            rows.append((label, int(told["rows"].min()), int((told["rows"] == 1).sum()), certain))
        columns = ["release", "k", "alone in their row", "diagnosis certain"]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def adult_composition(self) -> pd.DataFrame:
        """Two releases of Adult, each alone and both together: least class, and who is alone."""
        table = self.adult.table
        rows = []
        for label, nodes in {
            "first": ADULT_RELEASES[:1],
            "second": ADULT_RELEASES[1:],
            "both": ADULT_RELEASES,
        }.items():
            together = rows_together(table, nodes)
            rows.append((label, together.min(), (together == 1).sum(), (together < 5).sum()))
        return pd.DataFrame(rows, columns=["release", "k", "alone", "with fewer than 5"])

    @cached_property
    def known_method(self) -> pd.DataFrame:
        """How much of a file masked by PRAM an attacker finds out, by what is known."""
        frame = load_dataset("german").frame[["purpose", "savings", "employment", "housing"]]
        method = PRAM("diagonal", theta=0.5, random_state=SEED)
        masked = method.fit_transform(frame)
        unknown = compare(frame, masked)
        rows = [("nothing of the method", float(unknown["DBRL"]), 0.0)]
        for label, known in {
            "the matrices": PRAM("diagonal", theta=0.5),
            "matrices and seed": method,
        }.items():
            found = attack(frame, masked, known)
            rows.append((label, float(found["linked"]), float(np.nan_to_num(found["undone"]))))
        return pd.DataFrame(rows, columns=["attacker knows", "linked (%)", "undone (%)"])

    def _best(self) -> Sequence[int]:
        levels = self.minimal[list(self.patients.quasi_identifiers)].to_numpy()
        return [int(level) for level in levels[0]]

    def _releases(self) -> dict[str, Sequence[Sequence[int]]]:
        first, second = RELEASES
        return {"first": [first], "second": [second], "both": [first, second]}
