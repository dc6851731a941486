"""German Credit (Statlog): credit applicants, with hierarchies of ours."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType

import pandas as pd

from anonopt.data.datasets.dataset import Dataset, MaskedPart
from anonopt.data.hierarchies.hierarchy import Hierarchy


def make_hierarchies(
    frame: pd.DataFrame, columns: Sequence[Hashable], complete: bool
) -> Mapping[Hashable, Hierarchy]:
    """Hierarchies over the domains of the code book; the levels are ours.

    Age (18 to 99) in widths 5, 10, 20, 40; the ordered codes of employment (unemployed, then
    by years) and of job (by skill) in pairs; marital status and sex by sex.
    """
    hierarchies = {
        "age": Hierarchy.intervals(range(18, 100), width=5, fan_outs=[2, 2, 2]),
        "personal_status_sex": Hierarchy.from_tree(
            {"*": {"male": ["A91", "A93", "A94"], "female": ["A92", "A95"]}}
        ),
        "employment": Hierarchy.ordered(["A71", "A72", "A73", "A74", "A75"], fan_outs=[2]),
        "housing": Hierarchy.ordered(["A151", "A152", "A153"]),
        "job": Hierarchy.ordered(["A171", "A172", "A173", "A174"], fan_outs=[2]),
        "foreign_worker": Hierarchy.ordered(["A201", "A202"]),
    }
    return {column: tree for column, tree in hierarchies.items() if column in columns}


QUASI_IDENTIFIERS = ("age", "personal_status_sex", "employment", "housing", "job", "foreign_worker")

MASKED = ("status", "savings", "employment")
"""EXISTACC, SAVINGS and PRESEMPLOY of Mares 2013, in the order of their codes.

The last code of status and of savings says "none".
"""

GERMAN = Dataset(
    name="german",
    summary="German Credit (Statlog)",
    n_rows=1000,
    n_columns=21,
    source="https://doi.org/10.24432/C5NC77",
    licence="CC BY 4.0",
    files=MappingProxyType({"train": ("german.csv.gz",), "all": ("german.csv.gz",)}),
    columns=(*QUASI_IDENTIFIERS, "purpose", "credit_risk"),
    quasi_identifiers=QUASI_IDENTIFIERS,
    sensitive="purpose",
    target="credit_risk",
    make_hierarchies=make_hierarchies,
    unused={"purpose": ("A47",), "personal_status_sex": ("A95",)},
    masked=MaskedPart(columns=MASKED, order=dict.fromkeys(MASKED), ordinal=MASKED),
)
