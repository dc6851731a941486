"""Known figures of Adult.

Sizes of the lattices, and counts and optima under the hierarchies that the ARX tool publishes, are
computed anew and compared with the known ones.

    python -m benchmarks.papers.adult_arx
"""

from __future__ import annotations

import sys
from pathlib import Path

import anonopt as ao
from anonopt.problems.catalogue import WITHOUT_INCOME
from benchmarks._data import SHARED_DATA

ARX_COLUMNS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "income",
)


def lattices() -> bool:
    """Print and check the sizes of the lattice with income and without."""
    sizes = [
        ao.load_dataset("adult").lattice.size,
        ao.load_dataset("adult", quasi_identifiers=list(WITHOUT_INCOME)).lattice.size,
    ]
    print(f"lattice of Adult: {sizes[0]} nodes, {sizes[1]} without income")
    return sizes == [17920, 8960]


def arx(folder: Path) -> bool:
    """Print and check feasible nodes and optima under the ARX hierarchies, k = 5, 1 %."""
    table = ao.load_dataset(
        "adult", hierarchies=folder, quasi_identifiers=list(ARX_COLUMNS), sensitive=None
    )
    evaluator = ao.LatticeEvaluator(table, k=5, suppression=0.01)
    measures = ["feasible", "glm_normalized", "precision_loss", "suppressed"]
    nodes = evaluator.evaluate_all(measures)
    feasible = nodes[nodes["feasible"] == 1]
    best = feasible.loc[feasible["glm_normalized"].idxmin()]
    levels = [int(best[column]) for column in ARX_COLUMNS]
    least = float(feasible["precision_loss"].min())
    print(f"ARX hierarchies: {len(feasible)} feasible of {len(nodes)} nodes; least glm_normalized")
    print(
        f"  {best['glm_normalized']:.6f} at {levels}, {best['suppressed']:.0f} suppressed; ", end=""
    )
    print(f"least precision_loss {least:.6f}")
    return (
        (len(feasible), len(nodes)) == (1816, 12960)
        and round(float(best["glm_normalized"]), 6) == 0.402001
        and levels == [0, 3, 1, 1, 2, 2, 1, 1, 0]
        and best["suppressed"] == 294
        and round(least, 6) == 0.485057
    )


def main() -> int:
    """Print all; returns 1 if a figure is not the known one."""
    folder = SHARED_DATA / "hierarchies" / "adult_arx"
    checks = [lattices()]
    if folder.is_dir():
        checks.append(arx(folder))
    else:
        print(f"skipped the ARX hierarchies: no folder {folder} (set ANONOPT_DATA_DIR)")
    print("goals " + ("met" if all(checks) else "missed"))
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
