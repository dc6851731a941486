"""How a problem looks in a notebook: its goals, and what is searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

from anonopt._notebook import count_text, notebook_html

if TYPE_CHECKING:
    from anonopt._typing import BoolArray
    from anonopt.problems.spaces.base import Space


class NotebookView:
    """What `AnonymizationProblem` inherits for notebooks.

    Attributes
    ----------
    space, objective_names, constraint_names, maximize
        As in `AnonymizationProblem`.
    """

    space: Space
    objective_names: tuple[str, ...]
    constraint_names: tuple[str, ...]
    maximize: BoolArray

    def _repr_html_(self) -> str:
        """Goals and search space for notebooks."""
        facts = {
            "genome": f"{self.space.kind}, {self.space.n_var} gene{'s' * (self.space.n_var != 1)}",
            "search space": count_text(self.space.size),
            **self._facts(),
        }
        return notebook_html(type(self).__name__, facts, [("", pd.DataFrame(self._goals()))])

    def _facts(self) -> Mapping[str, object]:
        """What else a reader wants to know of the problem, by name; subclasses add theirs."""
        return {}

    def _goals(self) -> list[dict[str, object]]:
        """Objectives and constraints, a row each; subclasses add to the rows."""
        goals: list[dict[str, object]] = []
        for name, is_maximized in zip(self.objective_names, self.maximize, strict=True):
            better = "more" if is_maximized else "less"
            goals.append({"goal": "objective", "name": name, "better": better})
        for name in self.constraint_names:
            goals.append({"goal": "constraint", "name": name, "better": "as bounded"})
        return goals
