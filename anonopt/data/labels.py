"""Codes of a column without a hierarchy: the sensitive attribute and the class label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.column_values import ColumnValues, Key
from anonopt.data.equal_values import equal_keys
from anonopt.data.readings import read_number
from anonopt.data.values import MISSING, as_text


def encode_labels(values: pd.Series[Any]) -> tuple[CodeArray, tuple[str, ...]]:
    """Number the values present in a column.

    Parameters
    ----------
    values : Series (n_rows,)

    Returns
    -------
    codes : int32 array (n_rows,)
    labels : tuple of text
        Text of each code. Ordered categories keep their order, numbers are in order of
        value, anything else in order of text; ``<missing>`` comes last.

    Examples
    --------
    >>> codes, labels = encode_labels(pd.Series([10, None, 9, 10]))
    >>> codes.tolist(), labels
    ([1, 2, 0, 1], ('9', '10', '<missing>'))
    """
    cells = ColumnValues.of(values)
    dtype = values.dtype
    order = ColumnValues.of_list((), "no categories")
    if is_ordered := isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered):
        order = ColumnValues.of(pd.Series(dtype.categories))
    keys, declared = equal_keys(values.name, cells, order)
    texts = label_texts(cells.values, keys)
    ordered = [key for key in dict.fromkeys(declared) if key in texts]
    labels = [texts[key] for key in (ordered if is_ordered else sorted_keys(texts))]
    ranks = {label: rank for rank, label in enumerate(labels)}
    missing = len(labels)
    # The last entry is that of missing cells, whose code is -1.
    table = np.array([*(ranks[texts[key]] for key in keys), missing], dtype=np.int32)
    return table[cells.codes], (*labels, *[MISSING] * cells.has_missing)


def label_texts(values: Sequence[object], keys: Sequence[Key]) -> dict[Key, str]:
    """Text of each key, of several equal values the same whatever their order.

    Examples
    --------
    >>> label_texts(["2014-09-03 00:00:00", "2014-09-03"], [1, 1])
    {1: '2014-09-03'}
    """
    texts: dict[Key, str] = {}
    for value, key in zip(values, keys, strict=True):
        text = as_text(value)
        known = texts.setdefault(key, text)
        if (len(text), text) < (len(known), known):
            texts[key] = text
    return texts


def sorted_keys(texts: Mapping[Key, str]) -> list[Key]:
    """Keys by the numbers of their texts if all are numbers, else by their texts."""
    numbers: dict[Key, int | Decimal] = {}
    for key, text in texts.items():
        number = read_number(text)
        if number is None:
            return sorted(texts, key=lambda key: texts[key])
        numbers[key] = number
    if len(set(numbers.values())) < len(numbers):
        return sorted(texts, key=lambda key: (numbers[key], texts[key]))
    return sorted(texts, key=lambda key: numbers[key])
