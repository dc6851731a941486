"""The evaluator of masked versions of one original file."""

from __future__ import annotations

from typing import NoReturn

from anonopt._checks import check_integer
from anonopt._typing import Accelerator, AnyArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.accelerator import uses_numba
from anonopt.evaluation.categorical.combination_tables import CombinationTables
from anonopt.evaluation.categorical.masking_dense import DenseCounter
from anonopt.evaluation.categorical.masking_plan import (
    CodeError,
    MaskingPlan,
)
from anonopt.evaluation.categorical.masking_state import Counter, MaskingState
from anonopt.evaluation.categorical.masking_wide import WideCounter
from anonopt.measures.categorical.record_linkage import check_columns


class MaskingEvaluator:
    """Measures masked versions of some columns of categories.

    What the original decides alone is computed once, here; the evaluator is shared by all
    states, picklable, and may be read by several threads.

    Parameters
    ----------
    original : CategoricalColumns
        Its categories are all that a masked version may hold.
    dimension : int
        Most columns of a contingency table of CTBIL, at least 1.
    per_cell : bool
        Whether CTBIL is the difference a cell (Mares 2013, Eq. 2.11) times 100, instead of the
        difference in percent of the largest possible one. It grows with the records, may exceed
        100, and enters IL as it is.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        ``"auto"`` uses numba where it is installed. Figures agree to about 1e-14; whole-number
        tables are equal.

    Raises
    ------
    ValueError
        If an option is out of range, or there are more than 20 columns.
    TypeError
        If the dimension is no whole number.
    ModuleNotFoundError
        If numba is asked for and not installed (says how to install it).

    Examples
    --------
    >>> from anonopt.data.datasets.masking_sets import masking_set
    >>> german = masking_set("german").categorical
    >>> evaluator = MaskingEvaluator(german)
    >>> state = evaluator.measure(german.codes)
    >>> state.figures().IL, state.figures().ID
    (0.0, 100.0)
    """

    def __init__(
        self,
        original: CategoricalColumns,
        *,
        dimension: int = 2,
        per_cell: bool = False,
        accelerator: Accelerator = "auto",
    ) -> None:
        check_columns(original.n_columns)
        self.original = original
        self.compiled = uses_numba(accelerator)
        self.plan = MaskingPlan.of(
            original, dimension=check_integer("dimension", dimension, least=1), per_cell=per_cell
        )
        self._counter = _counter(self.plan, compiled=self.compiled)

    def __deepcopy__(self, memo: dict[int, object]) -> MaskingEvaluator:
        return self

    def measure(self, codes: AnyArray) -> MaskingState:
        """Measure a masked version from scratch.

        Parameters
        ----------
        codes : int array (n_rows, n_columns)
            Category codes; they are copied.

        Raises
        ------
        ValueError
            If the shape is another one, or a code is none of a category.
        """
        shape = self.original.codes.shape
        if codes.shape != shape or codes.dtype.kind not in "iu":
            raise ValueError(
                f"expected integer codes of shape {shape}, found {codes.dtype} of {codes.shape}"
            )
        try:
            return MaskingState(self._counter, *self._counter.read(codes))
        except CodeError:
            self._refuse(codes)

    def _refuse(self, codes: AnyArray) -> NoReturn:
        """Name the first column that has a code of no category."""
        columns = zip(self.original.names, self.original.n_categories, codes.T, strict=True)
        wrong = ((name, n, found[(found < 0) | (found >= n)]) for name, n, found in columns)
        name, n, codes = next(column for column in wrong if len(column[2]))
        least, most = codes.min(), codes.max()
        raise ValueError(
            f"column {name!r}: expected codes 0..{n - 1}, found {least if least < 0 else most}"
        )


def _counter(plan: MaskingPlan, *, compiled: bool) -> Counter:
    if not CombinationTables.fit(plan):
        return WideCounter(plan, compiled=compiled)
    if compiled:
        from anonopt.evaluation.categorical.masking_compiled import CompiledCounter

        return CompiledCounter(plan)
    return DenseCounter(plan)
