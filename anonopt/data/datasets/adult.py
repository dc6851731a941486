"""Adult (Census Income): the benchmark of Dewri 2010, Table 1(a)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from importlib import resources

import pandas as pd

from anonopt.data.datasets.dataset import Dataset, MaskedPart
from anonopt.data.hierarchies.hierarchy import Hierarchy

QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
    "income",
)
"""In the order of Dewri 2010, Table 1(a)."""

EDUCATION = (
    "Preschool",
    "1st-4th",
    "5th-6th",
    "7th-8th",
    "9th",
    "10th",
    "11th",
    "12th",
    "HS-grad",
    "Some-college",
    "Assoc-voc",
    "Assoc-acdm",
    "Bachelors",
    "Masters",
    "Prof-school",
    "Doctorate",
)
"""In the order of the column education-num."""

FILES = ("adult_train.csv.gz", "adult_test.csv.gz")

NEVER_WORKED = ("Never-worked", "Unpaid", "Unpaid", "*")
"""Path of the one value that occurs in incomplete rows only."""


def make_hierarchies(
    frame: pd.DataFrame, columns: Sequence[Hashable], complete: bool
) -> Mapping[Hashable, Hierarchy]:
    """Packaged hierarchies, with the DGH lengths of Dewri 2010, Table 1(a).

    They cover the complete rows. ``Never-worked`` occurs in incomplete rows only; it is
    added to ``workclass`` when these are kept, so the table of complete rows has the domain
    sizes of the paper.
    """
    folder = resources.files("anonopt.data.files") / "hierarchies" / "adult_dewri"
    hierarchies: dict[Hashable, Hierarchy] = {}
    for column in QUASI_IDENTIFIERS:
        if column not in columns:
            continue
        with resources.as_file(folder / f"{column}.csv") as path:
            hierarchies[column] = Hierarchy.from_csv(path)
    if "workclass" in hierarchies and not complete:
        paths = hierarchies["workclass"].to_frame()
        paths.loc[len(paths)] = list(NEVER_WORKED)
        hierarchies["workclass"] = Hierarchy.from_frame(paths)
    return hierarchies


ADULT = Dataset(
    name="adult",
    summary="Adult (Census Income)",
    n_rows=32561,
    n_columns=15,
    source="https://doi.org/10.24432/C5XW20",
    licence="CC BY 4.0",
    files={"train": FILES[:1], "test": FILES[1:], "all": FILES},
    columns=(*QUASI_IDENTIFIERS, "occupation"),
    quasi_identifiers=QUASI_IDENTIFIERS,
    sensitive="occupation",
    make_hierarchies=make_hierarchies,
    aliases={"income": "salary-class"},
    drops_incomplete=True,
    masked=MaskedPart(
        columns=("education", "marital-status", "occupation"),
        order={"education": EDUCATION, "marital-status": None, "occupation": None},
        ordinal=("education",),
        split="all",
    ),
)
