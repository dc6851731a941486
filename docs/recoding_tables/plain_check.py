"""A protected file as pandas sees it: rows of equal labels, what labels cover, what is lost.

Nothing of the library is used here, so that a fault of it cannot hide: classes are counted by
``groupby``, and the loss is read from the texts of the labels and the rows of the hierarchies.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

TOP = "*"


@dataclass(frozen=True)
class Figures:
    """What a file holds.

    Attributes
    ----------
    k : int
        Rows of the smallest class.
    l : int
        Least number of distinct sensitive values in a class.
    classes, suppressed : int
    glm : float
        Sum over cells of (m - 1)/(M - 1); a suppressed row costs 1 in each column.
    """

    k: int
    l: int  # noqa: E741 # the name of the measure
    classes: int
    suppressed: int
    glm: float


class Labels:
    """The texts of a column of protected files, and the leaves that they stand for.

    Parameters
    ----------
    levels : DataFrame (n_leaves, n_levels)
        A hierarchy: a leaf a row, first its own text, then that of each level above.
    """

    def __init__(self, levels: pd.DataFrame) -> None:
        texts = levels.astype(str)
        self.leaves = texts.iloc[:, 0].tolist()
        self._under: dict[str, frozenset[str]] = {}
        for level in texts:
            for label, leaves in texts.iloc[:, 0].groupby(texts[level]):
                self._under[label] = frozenset(leaves)

    def covered(self, label: str) -> frozenset[str]:
        """Leaves under a label: a value of the hierarchy, ``[17, 24]``, or ``{B, C}``."""
        if label in self._under:
            return self._under[label]
        ends = label[1:-1].split(", ")
        if label.startswith("[") and len(ends) == 2:
            low, high = map(float, ends)
            leaves = frozenset(leaf for leaf in self.leaves if low <= float(leaf) <= high)
        else:
            leaves = frozenset(ends)
        if not leaves or not leaves <= set(self.leaves):
            raise ValueError(f"expected a label of leaves of the hierarchy, found {label!r}")
        return leaves

    def loss(self, label: str) -> float:
        """Share of the other leaves that a value cannot be told from."""
        others = len(self.leaves) - 1
        return (len(self.covered(label)) - 1) / others if others else 0.0


def checked_file(
    original: pd.DataFrame,
    protected: pd.DataFrame,
    suppressed: pd.Series,
    *,
    labels: Mapping[Hashable, Labels],
    sensitive: Hashable,
) -> Figures:
    """Read a protected file, and refuse one that says what is not so.

    Parameters
    ----------
    original, protected : DataFrame (n_rows, n_columns)
        The same rows in the same order.
    suppressed : bool Series (n_rows,)
    labels : mapping of column to Labels
        One for each quasi-identifier.
    sensitive : column

    Raises
    ------
    ValueError
        If another column was changed, a label does not cover the value of its row, or a suppressed
        row tells anything.
    """
    columns = list(labels)
    others = [name for name in original.columns if name not in columns]
    if not protected[others].equals(original[others]):
        raise ValueError("expected unchanged cells in all columns but the quasi-identifiers")
    if (protected.loc[suppressed, columns] != TOP).any(axis=None):
        raise ValueError(f"expected {TOP} in every quasi-identifier of a suppressed row")
    kept = protected[~suppressed]
    loss = float(suppressed.sum() * len(columns))
    for name, meaning in labels.items():
        _check_covered(original.loc[kept.index, name], kept[name], meaning)
        loss += float(kept[name].map({text: meaning.loss(text) for text in set(kept[name])}).sum())
    classes = kept.groupby(columns, observed=True, sort=False)[sensitive]
    return Figures(
        k=int(classes.size().min()),
        l=int(classes.nunique().min()),
        classes=int(classes.ngroups),
        suppressed=int(suppressed.sum()),
        glm=loss,
    )


def _check_covered(values: pd.Series, texts: pd.Series, meaning: Labels) -> None:
    pairs = pd.DataFrame({"value": values.astype(str), "label": texts}).drop_duplicates()
    for value, label in zip(pairs["value"], pairs["label"], strict=True):
        if value not in meaning.covered(label):
            raise ValueError(f"expected a label that covers {value!r}, found {label!r}")


def broken_promises(
    found: Figures, *, k: int, bounds: Mapping[str, float], budget: int, glm: float
) -> Sequence[str]:
    """What a file does not keep of what was asked for and reported; none if all is well."""
    promises = {
        f"k of at least {k}, found {found.k}": found.k >= k,
        f"l of at least {bounds.get('l', 1)}, found {found.l}": found.l >= bounds.get("l", 1),
        f"at most {budget} rows suppressed, found {found.suppressed}": found.suppressed <= budget,
        f"glm {glm}, found {found.glm}": abs(found.glm - glm) <= 1e-9 * max(1.0, glm),
    }
    return [text for text, kept in promises.items() if not kept]
