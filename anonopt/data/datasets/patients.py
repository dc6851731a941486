"""Patients: twenty rows made up for teaching, whose lattice of 32 nodes fits on a slide.

Nobody is in it. Three quasi-identifiers, so that the lattice can be drawn and every search of it
followed by eye. With k = 3 and no suppression it has four k-minimal nodes of two heights; the
least generalized one is not of least height, so Samarati's search misses it, and Datafly ends
above it. In the least generalized one all women below 30 have the same diagnosis: what
k-anonymity does not promise.
"""

from __future__ import annotations

import io
from collections.abc import Hashable, Mapping, Sequence

import pandas as pd

from anonopt.data.datasets.dataset import Dataset, GeneratedFile
from anonopt.data.hierarchies.hierarchy import Hierarchy

TABLE = """age,postcode,sex,diagnosis
26,S12,female,asthma
27,S12,female,asthma
28,S21,female,asthma
30,N21,male,fracture
32,S21,female,flu
33,N11,female,diabetes
40,N21,male,asthma
41,N12,male,flu
42,N11,female,fracture
44,S12,male,hypertension
45,S12,female,diabetes
48,N11,female,flu
50,N12,male,diabetes
52,S12,male,flu
53,S21,female,hypertension
54,N11,female,asthma
55,N21,female,flu
56,N12,male,diabetes
57,S21,female,hypertension
58,N12,female,fracture
"""

POSTCODES = {
    "*": {
        "N**": {"N1*": ["N11", "N12"], "N2*": ["N21", "N22"]},
        "S**": {"S1*": ["S11", "S12"], "S2*": ["S21", "S22"]},
    }
}


def patients_table() -> pd.DataFrame:
    """The table.

    Returns
    -------
    DataFrame (20, 4)
        ``age`` in years, ``postcode``, ``sex``, ``diagnosis``.

    Examples
    --------
    >>> patients_table().head(2)
       age postcode     sex diagnosis
    0   26      S12  female    asthma
    1   27      S12  female    asthma
    """
    return pd.read_csv(io.StringIO(TABLE))


def make_hierarchies(
    frame: pd.DataFrame, columns: Sequence[Hashable], complete: bool
) -> Mapping[Hashable, Hierarchy]:
    """Age (20 to 79) in widths 10 and 30, from 0 on; postcodes by district and town; sex."""
    hierarchies = {
        "age": Hierarchy.intervals(range(20, 80), width=10, fan_outs=[3]),
        "postcode": Hierarchy.from_tree(POSTCODES),
        "sex": Hierarchy.ordered(["female", "male"]),
    }
    return {column: tree for column, tree in hierarchies.items() if column in columns}


PATIENTS = Dataset(
    name="patients",
    summary="Patients, made up for teaching: a lattice of 32 nodes",
    n_rows=20,
    n_columns=4,
    source="made up by this library, see anonopt.data.datasets.patients",
    licence="Apache-2.0 (this library's)",
    files=GeneratedFile(make=patients_table),
    columns=("age", "postcode", "sex", "diagnosis"),
    quasi_identifiers=("age", "postcode", "sex"),
    sensitive="diagnosis",
    make_hierarchies=make_hierarchies,
)
