"""Diabetes of the Pima Indians, the fourth numeric file of Mares 2013, Section 3.5."""

from __future__ import annotations

from anonopt.data.datasets.dataset import Dataset, MaskedPart
from anonopt.data.datasets.download import UserFile

COLUMNS = ("pregnant", "glucose", "pressure", "triceps", "insulin", "mass", "pedigree", "age")
"""Its eight continuous columns, as the R package mlbench names them."""

DECIMALS = {"mass": 1, "pedigree": 3}
"""Decimals of the columns that are no whole numbers."""

DIABETES = Dataset(
    name="diabetes",
    summary="Diabetes (Pima Indians)",
    n_rows=768,
    n_columns=9,
    source="https://cran.r-project.org/package=mlbench",
    licence="none on record; once at the UCI Machine Learning Repository",
    files=UserFile(
        folder="diabetes",
        name="diabetes.csv",
        origin=(
            "the R package mlbench has it: library(mlbench); data(PimaIndiansDiabetes); "
            'write.csv(PimaIndiansDiabetes, "diabetes.csv", row.names=FALSE); expected are 768 '
            f"rows and the columns {', '.join(COLUMNS)}"
        ),
    ),
    columns=COLUMNS,
    masked=MaskedPart(columns=COLUMNS),
)
