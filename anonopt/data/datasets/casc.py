"""Reference microdata of the CASC project: numeric files that masking methods are compared on."""

from __future__ import annotations

from anonopt.data.datasets.dataset import Dataset, MaskedPart
from anonopt.data.datasets.download import UserFile

SOURCE = "https://cran.r-project.org/package=sdcMicro"

EIA_COLUMNS = (
    "RESREVENUE",
    "RESSALES",
    "COMREVENUE",
    "COMSALES",
    "INDREVENUE",
    "INDSALES",
    "OTHREVENUE",
    "OTHRSALES",
    "TOTREVENUE",
    "TOTSALES",
)
"""Revenues and sales of EIA: its ten continuous columns."""

EIA_ROWS = 2000
"""Rows of EIA that Mares 2013 uses, without saying which; here the first ones."""


def _dataset(
    name: str,
    summary: str,
    r_name: str,
    shape: tuple[int, int],
    columns: tuple[str, ...],
    n_masked_rows: int | None = None,
) -> Dataset:
    return Dataset(
        name=name,
        summary=summary,
        n_rows=shape[0],
        n_columns=shape[1],
        source=SOURCE,
        licence="public test data; the R package is GPL-2",
        files=UserFile(
            folder="casc",
            name=f"{name}.csv",
            origin=(
                f"the R package sdcMicro has it: library(sdcMicro); data({r_name}); "
                f'write.csv({r_name}, "{name}.csv", row.names=FALSE)'
            ),
        ),
        columns=columns,
        masked=MaskedPart(columns=columns, n_rows=n_masked_rows),
    )


CENSUS = _dataset(
    "census",
    "Census (CASC)",
    "CASCrefmicrodata",
    (1080, 13),
    (
        "AFNLWGT",
        "AGI",
        "EMCONTRB",
        "FEDTAX",
        "PTOTVAL",
        "STATETAX",
        "TAXINC",
        "POTHVAL",
        "INTVAL",
        "PEARNVAL",
        "FICA",
        "WSALVAL",
        "ERNVAL",
    ),
)
TARRAGONA = _dataset(
    "tarragona",
    "Tarragona (CASC)",
    "Tarragona",
    (834, 13),
    (
        "FIXED.ASSETS",
        "CURRENT.ASSETS",
        "TREASURY",
        "UNCOMMITTED.FUNDS",
        "PAID.UP.CAPITAL",
        "SHORT.TERM.DEBT",
        "SALES",
        "LABOR.COSTS",
        "DEPRECIATION",
        "OPERATING.PROFIT",
        "FINANCIAL.OUTCOME",
        "GROSS.PROFIT",
        "NET.PROFIT",
    ),
)
EIA = _dataset("eia", "EIA (CASC)", "EIA", (4092, 15), EIA_COLUMNS, n_masked_rows=EIA_ROWS)
