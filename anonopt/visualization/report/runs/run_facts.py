"""Facts of a run in words: what was searched, by what, how long, and what that proves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from anonopt._notebook import count_text
from anonopt.algorithms.registry import name_of
from anonopt.data.roles import names_of_sensitive
from anonopt.problems import (
    AnonymizationProblem,
    ContinuousMaskingProblem,
    GraphProblem,
    MaskingProblem,
    PRAMEquationProblem,
    PRAMProblem,
)
from anonopt.problems.rule_problem import RuleProblem
from anonopt.runs import Result
from anonopt.visualization.figures import axis_label
from anonopt.visualization.report.solutions.detail import counted, shortened
from anonopt.visualization.report.solutions.measured_values import number_text
from anonopt.visualization.report.solutions.solution_details import unwrapped

PROVEN = "proven: no feasible solution is better than these (others may be as good)"
NOT_PROVEN = "not proven: a longer search may find better ones"
NOTHING = "nothing feasible was found"

OF_FILES = (MaskingProblem, ContinuousMaskingProblem, PRAMProblem, PRAMEquationProblem)
"""Problems of an original file, some columns of which are masked."""


def title_of(result: Result) -> str:
    """Name of the problem and of the algorithm."""
    return f"{problem_name(result.problem)} by {algorithm_name(result)}"


def problem_name(problem: AnonymizationProblem) -> str:
    """Name it was made by, else its class."""
    return problem.recipe.name if problem.recipe is not None else type(problem).__name__


def algorithm_name(result: Result) -> str:
    """Name in the registry, else the class."""
    recipe = getattr(result.algorithm, "recipe", None)
    found = None if recipe is None else name_of(recipe.name)
    return found or type(result.algorithm).__name__


def run_facts(result: Result) -> pd.DataFrame:
    """What is known of a run: columns ``what`` and ``value``."""
    problem, algorithm = result.problem, result.algorithm
    size = problem.space.size
    budget = _budget(result)
    rows: list[tuple[str, str]] = [
        ("problem", _with_options(problem_name(problem), problem.recipe)),
        ("data", _data_text(unwrapped(problem))),
        (
            "solutions",
            f"{counted(problem.n_var, 'gene')} of {problem.space.kind}"
            + ("" if size is None else f", {count_text(size)} in all"),
        ),
        *(
            (f"objective {number}", axis_label(name, bool(maximize)))
            for number, (name, maximize) in enumerate(
                zip(problem.objective_names, problem.maximize, strict=True), start=1
            )
        ),
        *((("constraints", ", ".join(problem.constraint_names)),) * bool(problem.constraint_names)),
        ("algorithm", _with_options(algorithm_name(result), getattr(algorithm, "recipe", None))),
        ("seed", str(result.seed)),
        ("budget", "none" if budget is None else f"{budget:,} distinct evaluations"),
        ("distinct evaluations", f"{result.n_unique:,}"),
        ("evaluations asked for", f"{result.n_evaluations:,}"),
        *((("nodes tested", f"{result.n_tests:,}"),) * bool(result.n_tests)),
        ("seconds", number_text(round(result.seconds, 2))),
        ("ended by", result.message),
        ("points found", f"{len(result.front):,}" if result.success else NOTHING),
    ]
    if result.success:
        rows.append(("optimality", PROVEN if result.proven else NOT_PROVEN))
    return pd.DataFrame(rows, columns=["what", "value"])


def again(result: Result) -> str:
    """Commands that run the same again; empty where it was not made by names."""
    problem, recipe = result.problem.recipe, getattr(result.algorithm, "recipe", None)
    name = None if recipe is None else name_of(recipe.name)
    if problem is None or recipe is None or name is None:
        return ""
    budget = _budget(result)
    limits = "" if budget is None else f"budget={budget}, "
    is_drawn = isinstance(unwrapped(result.problem), PRAMProblem | PRAMEquationProblem)
    chance = ", random_state=1" if is_drawn else ""
    lines = [
        "import anonopt as ao",
        "",
        f"problem = ao.get_problem({_call(problem.name, problem.options)})",
        f"algorithm = ao.get_algorithm({_call(name, recipe.options, 'problem')})",
        f"result = ao.solve(problem, algorithm, {limits}seed={result.seed})",
        f"protected = result.protect(0{chance})  # of solution 0",
    ]
    text = "\n".join(lines)
    # Objects of one's own cannot be written as text.
    return "" if " at 0x" in text or "=<" in text else text


def _budget(result: Result) -> int | None:
    """Most distinct evaluations of the run; a loaded one may have no evaluator any more."""
    evaluator = getattr(result.algorithm, "run_evaluator", None)
    return None if evaluator is None else evaluator.budget


def _call(name: str, options: Mapping[str, Any], *arguments: str) -> str:
    given = [f"{option}={value!r}" for option, value in options.items()]
    return ", ".join([repr(name), *arguments, *given])


def _with_options(name: str, recipe: Any) -> str:
    options = {} if recipe is None else dict(recipe.options)
    if not options:
        return name
    texts = (f"{option}={shortened(repr(value), 80)}" for option, value in options.items())
    return f"{name} ({', '.join(texts)})"


def _data_text(problem: AnonymizationProblem) -> str:
    """What is protected, in words."""
    if isinstance(problem, RuleProblem):
        table = problem.table
        names = shortened(", ".join(map(str, table.quasi_identifiers)), 200)
        text = f"{counted(table.n_rows, 'row')}; quasi-identifiers {names}"
        sensitive = ", ".join(map(str, names_of_sensitive(table.sensitive)))
        return f"{text}; sensitive {sensitive}" if sensitive else text
    if isinstance(problem, GraphProblem):
        nodes, ties = problem.graph.n_nodes, problem.graph.n_edges
        return f"graph of {counted(nodes, 'node')} and {counted(ties, 'tie')}, k = {problem.k}"
    if isinstance(problem, OF_FILES):
        columns = shortened(", ".join(map(str, problem.columns.names)), 200)
        return f"{counted(len(problem.original_file), 'row')}; masked columns {columns}"
    return f"as {type(problem).__name__} has them"


def front_table(result: Result) -> pd.DataFrame:
    """Objectives of the front as text, one row a solution: its number, then the objectives."""
    names = list(result.problem.objective_names)
    values = result.front[names].to_numpy(dtype=np.float64)
    columns = {name: list(map(number_text, values[:, i])) for i, name in enumerate(names)}
    return pd.DataFrame({"solution": range(len(values)), **columns})
