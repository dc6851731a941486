"""The values of an original column that labels of a masked file may cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonopt._typing import IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.columns.numeric_values import holds_numbers
from anonopt.data.columns.value_scales import as_exact, is_day
from anonopt.data.equal_values import equal_keys
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.readings import has_leading_zero
from anonopt.data.values import MISSING, as_text


class ColumnDomain(NamedTuple):
    """Values of a column, missing cells left out."""

    texts: list[str]
    codes: IntArray
    """Of the original; missing cells have the code behind the last."""
    is_ordinal: bool
    is_number: bool
    """Whether the original holds numbers, not their texts."""

    @classmethod
    def of(
        cls, original: pd.Series[Any], orders: Orders, hierarchy: Hierarchy | None
    ) -> ColumnDomain:
        """Values of the original, or the leaves of the hierarchy."""
        name = original.name
        is_number = holds_numbers(original)
        ordinal = {name: orders.get(name)} if name in orders or is_number else {}
        if hierarchy is None:
            columns = CategoricalColumns.of(original.to_frame(), ordinal=ordinal)
            n_present = columns.n_categories[0] - columns.has_missing[0]
            codes = columns.codes[:, 0].astype(np.int64)
            return cls(list(columns.labels[0][:n_present]), codes, columns.ordinal[0], is_number)
        has_missing = ColumnValues.of(original).has_missing
        tree = hierarchy.with_missing() if has_missing else hierarchy
        leaves = [text for text in tree.labels[0] if text != MISSING]
        texts = _ordered([as_text(value) for value in ordinal.get(name) or leaves])
        if absent := set(leaves).difference(texts):
            raise ValueError(
                f"column {name!r}: expected all leaves of its hierarchy in its order, found no "
                f"{min(absent)!r}"
            )
        places = {text: code for code, text in enumerate(texts)}
        of_leaf = np.array([places.get(text, len(texts)) for text in tree.labels[0]])
        return cls(texts, of_leaf[tree.encode(original, str(name))], bool(ordinal), is_number)

    def with_values(self, others: Sequence[str]) -> ColumnDomain:
        """A domain that holds values of the masked file, too."""
        texts = _ordered([*self.texts, *others])
        places = {text: code for code, text in enumerate(texts)}
        moved = np.array([*(places[text] for text in self.texts), len(texts)])
        return self._replace(texts=texts, codes=moved[self.codes])


def equal_codes(
    original: pd.Series[Any], domain: ColumnDomain, values: Sequence[object]
) -> list[int | None]:
    """Code of the original value that each value equals, None where it equals none."""
    own = ColumnValues.of(original)
    try:
        known, others = equal_keys(
            original.name, own, ColumnValues.of_list(values, "values of the masked file")
        )
    except ValueError:
        return [None] * len(values)
    places = {text: code for code, text in enumerate(domain.texts)}
    codes = {key: places.get(as_text(v)) for key, v in zip(known, own.values, strict=True)}
    return [codes.get(key) for key in others]


def _ordered(texts: Sequence[str]) -> list[str]:
    """Numbers by value, each once, and dates by day; anything else, codes too, as it stands."""
    numbers = {text: None if has_leading_zero(text) else as_exact(text) for text in texts}
    if None not in numbers.values():
        first = {number: text for text, number in reversed(numbers.items())}
        return sorted(first.values(), key=lambda text: numbers[text] or 0)
    if all(is_day(text) for text in texts):
        return sorted(set(texts))
    return list(texts)
