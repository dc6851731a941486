"""Named problems of masked files, PRAM matrices and the equations that build them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from anonopt.data import continuous_set, masking_set
from anonopt.data.datasets.diabetes import DECIMALS
from anonopt.problems.files.continuous_masking import ContinuousMaskingProblem
from anonopt.problems.files.masking import MaskingProblem
from anonopt.problems.named.entry import ProblemEntry, named_problem
from anonopt.problems.pram.pram import PRAMProblem
from anonopt.problems.pram.pram_equations import PRAMEquationProblem
from anonopt.problems.spaces import Cells, Matrices, Trees

MASKING_SETS = (
    ("german", "German credit"),
    ("flare", "Solar flare"),
    ("adult", "Adult, 48842 rows"),
)
"""Sets of `masking_set`, with their titles."""

BEST_KNOWN_SCORES = ((24.39, 26.30), (30.96, 25.92), (27.45, 25.53))
"""Least ``score_max`` and ``score_mean`` of masked files that was ever found, a pair a set."""

CONTINUOUS_SETS = (
    ("census", "Census, 1080 rows", 50),
    ("tarragona", "Tarragona, 834 rows", 16),
    ("eia", "EIA, 2000 rows", 16),
    ("diabetes", "Diabetes, 768 rows", 16),
)
"""Sets of `continuous_set`, with their titles and the masked files the thesis starts from."""

OTHER_OPTIONS = {"diabetes": {"decimals": DECIMALS}}
"""Options of problems on sets that are no whole numbers."""

DOMAIN = ("empty_categories",)
"""Options of `masking_set`, which problems on its sets take too."""

LOSS_AND_RISK = ("IL", "DR")
"""Objectives of the searches of Mares 2013."""


MASKED_FILES: Mapping[str, ProblemEntry] = {
    **{
        f"{name}-masking": named_problem(
            MaskingProblem,
            Cells,
            partial(masking_set, name),
            LOSS_AND_RISK,
            data_options=DOMAIN,
            summary=f"{title}: information loss against disclosure risk of masked files",
            paper="Mares 2013, Section 3.5",
            optimum=f"not known; best known: score_max {least_max:.2f}, score_mean "
            f"{least_mean:.2f}, by MaskingEA in 10,000 generations or more",
        )
        for (name, title), (least_max, least_mean) in zip(
            MASKING_SETS, BEST_KNOWN_SCORES, strict=True
        )
    },
    **{
        f"{name}-masking": named_problem(
            ContinuousMaskingProblem,
            Cells,
            partial(continuous_set, name),
            LOSS_AND_RISK,
            options={"n_files": n_files, **OTHER_OPTIONS.get(name, {})},
            summary=f"{title}: information loss against disclosure risk of masked numeric files",
            paper="Mares 2013, Section 3.5",
        )
        for name, title, n_files in CONTINUOUS_SETS
    },
    **{
        f"{name}-pram": named_problem(
            PRAMProblem,
            Matrices,
            partial(masking_set, name),
            LOSS_AND_RISK,
            data_options=DOMAIN,
            summary=f"{title}: information loss against disclosure risk of PRAM matrices",
            paper="Mares 2013, Section 4.1.5",
        )
        for name, title in MASKING_SETS
    },
    **{
        f"{name}-pram-equations": named_problem(
            PRAMEquationProblem,
            Trees,
            partial(masking_set, name),
            [*LOSS_AND_RISK, "size"],
            data_options=DOMAIN,
            summary=f"{title}: loss, risk and size of equations that build PRAM matrices",
            paper="Mares 2013, Section 4.2",
        )
        for name, title in MASKING_SETS
    },
}
"""By name."""
