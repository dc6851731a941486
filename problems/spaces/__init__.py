"""Search spaces: what a genome is, and everything that depends on it, one class a file."""

from __future__ import annotations

from anonopt.problems.spaces.base import Space
from anonopt.problems.spaces.cells import Cells
from anonopt.problems.spaces.levels import Levels, space_of
from anonopt.problems.spaces.matrices import Matrices
from anonopt.problems.spaces.trees import Trees
from anonopt.problems.spaces.visits import Visits

__all__ = ["Cells", "Levels", "Matrices", "Space", "Trees", "Visits", "space_of"]
