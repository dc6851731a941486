"""Codes of a column without a hierarchy: the sensitive attribute and the class label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.values import MISSING, as_number, as_text


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
    codes, uniques = pd.factorize(values)
    texts = [as_text(value) for value in uniques] + [MISSING]
    if isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered:
        known = [as_text(category) for category in values.dtype.categories]
    else:
        known = _sorted_texts(texts)
    present = set(texts if (codes == -1).any() else texts[:-1])
    labels = [text for text in known if text in present and text != MISSING]
    labels += [MISSING] * (MISSING in present)
    ranks = {label: rank for rank, label in enumerate(labels)}
    # factorize marks missing values with -1, which picks the last entry.
    table = np.array([ranks.get(text, -1) for text in texts], dtype=np.int32)
    return table[codes], tuple(labels)


def _sorted_texts(texts: list[str]) -> list[str]:
    """Order distinct texts by value if all are numbers, else by text."""
    distinct = sorted(set(texts) - {MISSING})
    numbers = {text: as_number(text) for text in distinct}
    if None in numbers.values():
        return distinct
    return sorted(distinct, key=lambda text: numbers[text] or 0)
