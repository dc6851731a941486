"""Search spaces: what a genome is, and everything that depends on it, one class a file."""

from anonopt.problems.spaces.base import Space as Space
from anonopt.problems.spaces.cells import Cells as Cells
from anonopt.problems.spaces.groups import Groups as Groups
from anonopt.problems.spaces.keys import Keys as Keys
from anonopt.problems.spaces.levels import Levels as Levels
from anonopt.problems.spaces.levels import space_of as space_of
from anonopt.problems.spaces.matrices import Matrices as Matrices
from anonopt.problems.spaces.trees import Trees as Trees
from anonopt.problems.spaces.visits import Visits as Visits
