"""Ways through the hierarchies from the top to a leaf as bits: what compiled cuts read.

The digit of a leaf at a level is which child of its label there it is below. Those of all columns
and levels fit into few words, so that one look at a unit tells its children in all columns, and
the bits in which units differ tell the lowest labels that cover them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonopt._typing import CodeArray, WordArray
from anonopt.evaluation.local.cut_units import WORD
from anonopt.evaluation.local.label_tables import LabelTables


@dataclass(frozen=True, eq=False)
class LabelPaths:
    """Digits of units, packed into words.

    Attributes
    ----------
    digits : uint64 array (n_levels, 3)
        Word, shift and mask of the digit at level 1, 2, ... of each column, one column after the
        other. Where every label has one child the mask is 0.
    words : uint64 array (n_words, n_units)
    """

    digits: WordArray
    words: WordArray

    @classmethod
    def of(cls, codes: CodeArray, tables: LabelTables) -> LabelPaths:
        """Paths of some units.

        Parameters
        ----------
        codes : int32 array (n_units, n_quasi_identifiers)
            Leaves of each unit.
        tables : LabelTables
        """
        words, digits, used = [np.zeros(len(codes), dtype=np.uint64)], [], 0
        for column, height in enumerate(tables.heights.tolist()):
            for level in range(1, height + 1):
                by_leaf = _digits(tables, column, level)
                width = int(by_leaf.max(initial=0)).bit_length()
                if used + width > WORD:
                    words.append(np.zeros(len(codes), dtype=np.uint64))
                    used = 0
                # A shift by all bits of a word is not defined.
                shift = used if width else 0
                words[-1] |= by_leaf[codes[:, column]].astype(np.uint64) << np.uint64(shift)
                digits.append((len(words) - 1, shift, (1 << width) - 1))
                used += width
        return cls(np.array(digits, dtype=np.uint64).reshape(-1, 3), np.stack(words))


def _digits(tables: LabelTables, column: int, level: int) -> CodeArray:
    """Digit of each leaf of a column at a level, (n_leaves,)."""
    leaves = int(tables.leaves[column])
    above = int(tables.at[column]) + level * leaves
    children = tables.values[above - leaves : above]
    return children - children[tables.lows[above : above + leaves]]
