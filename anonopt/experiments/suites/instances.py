"""The instances of a suite: which problem, how many evaluations, how large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anonopt.data import cargo_columns, load_dataset
from anonopt.problems import get_problem
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.lattice import LatticeProblem


@dataclass(frozen=True)
class Instance:
    """One instance.

    Attributes
    ----------
    name : str
        Never given to another problem; a changed one makes another suite.
    family : str
        Kind of the problem's space: ``levels``, ``cells``, ``matrices``, ``trees`` or ``visits``.
    source : str
        Name of a problem of the catalogue, or of a data set whose nodes are searched.
    options : mapping
        Of the problem.
    columns : tuple of str
        Quasi-identifiers; then `source` is a data set.
    budget : int
        Distinct evaluations of a run.
    """

    name: str
    family: str
    source: str
    options: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    budget: int = 1000

    def make(self) -> AnonymizationProblem:
        """Make the problem; all its data come with the library."""
        if not self.columns:
            return get_problem(self.source, **self.options)
        table = load_dataset(self.source, quasi_identifiers=list(self.columns))
        return LatticeProblem(table, **self.options)


def _freight(n_columns: int, budget: int) -> Instance:
    """Class size against general loss, over the first columns of the freight table."""
    return Instance(
        name=f"freight-{n_columns}-k-glm",
        family="levels",
        source="freight",
        options={"objectives": ["k", "glm"], "suppression": 0.005},
        columns=tuple(cargo_columns(n_columns)),
        budget=budget,
    )


def _fixed_k(n_columns: int, budget: int) -> Instance:
    return Instance(f"freight-{n_columns}", "levels", f"freight-{n_columns}", budget=budget)


ANONOPT_2026 = (
    Instance(
        name="german-small-k-glm",
        family="levels",
        source="german",
        options={"objectives": ["k", "glm"], "suppression": 0.01},
        columns=("age", "personal_status_sex", "employment", "housing"),
        budget=60,
    ),
    Instance("german-k-glm", "levels", "german-k-glm", budget=300),
    Instance("adult-k-glm", "levels", "adult-k-glm"),
    Instance("adult-k-l-glm", "levels", "adult-k-l-glm"),
    Instance("adult-sk-glm", "levels", "adult-sk-glm"),
    Instance("adult-sk-sl-glm", "levels", "adult-sk-sl-glm"),
    Instance("adult-k-glm-cm", "levels", "adult-k-glm-cm"),
    _freight(6, 1000),
    _freight(10, 2000),
    _freight(20, 5000),
    _fixed_k(10, 1000),
    _fixed_k(25, 5000),
    _fixed_k(50, 5000),
    Instance("german-masking", "cells", "german-masking", budget=2000),
    Instance("flare-masking", "cells", "flare-masking", budget=2000),
    Instance(
        name="flare-masking-max",
        family="cells",
        source="flare-masking",
        options={"objectives": ["score_max"]},
        budget=2000,
    ),
    Instance(
        name="german-masking-max",
        family="cells",
        source="german-masking",
        options={"objectives": ["score_max"]},
        budget=2000,
    ),
    Instance("german-pram", "matrices", "german-pram"),
    Instance("flare-pram", "matrices", "flare-pram"),
    Instance("adult-pram", "matrices", "adult-pram", budget=200),
    Instance("german-pram-equations", "trees", "german-pram-equations"),
    Instance("flare-pram-equations", "trees", "flare-pram-equations"),
    Instance("graph-small", "visits", "graph-small", budget=300),
    Instance("graph-small-k5", "visits", "graph-small", {"k": 5}, budget=300),
)
"""Twenty-four instances, small to large, of what comes with the library."""

SUITES: Mapping[str, tuple[Instance, ...]] = {"anonopt-2026": ANONOPT_2026}
"""By the name that results are told with."""

FINGERPRINTS: Mapping[str, Mapping[str, str]] = {
    "anonopt-2026": {
        "german-small-k-glm": "eeefea60885673dd48f6a9feca97f187b0ca22de3026a6c57746f5c98d6a1553",
        "german-k-glm": "fc8df8651d52891e68fd343d9e8ad8c664c8261304b2a983cfc11b14f0b31b4d",
        "adult-k-glm": "a81b25eba3bbbb4417e283b2035204d19b26d49a001e1090869834401223399d",
        "adult-k-l-glm": "c3adffa1d4f087f97bf7916f3791e8e26f147c61c4e922c42942d9e43d82f4a2",
        "adult-sk-glm": "0b32bb796852e9e52c62aadadd0c2dd0164dbd0ec3c222d89b75db2dbe24b95e",
        "adult-sk-sl-glm": "07e607130428ad5bdcbb6b6d03c4a8ede3c81dcd70f3650d0a9dc73e0e9908ca",
        "adult-k-glm-cm": "ecc6111754415872d12cd08e59ef05f9f79a34b789495659ab1615c9e59b017e",
        "freight-6-k-glm": "4180fb23afa91c5acf5f77fed72aa993bcafa532ecf4060cd3d91b7a83bb2d8f",
        "freight-10-k-glm": "166d5c629dac3aca573f8cc68d17a670be02d2bc3971049b8dcdd989e5ad845e",
        "freight-20-k-glm": "195578534ce0bb7e1a3714814d317beca982d1d913e69f71bf15f31e40de53ed",
        "freight-10": "909d65c48c2593915cc1794dd963fd0b79dae688b0e1a777e9963a7daef806ac",
        "freight-25": "b2815d3fe3efe9dbc9241488d88d09bf79ff601714a2d852c02d85ca8dfdc79d",
        "freight-50": "e90b841a68f90e0cb56f3ef136b28f3fdd989088513f6fad76a9e345fefea34b",
        "german-masking": "28f0261397955ceab7313c02e6201130b1fadca64bfae6261af7d33581704de3",
        "flare-masking": "ec590a3b15e42e72a1c36f2e25de10cf854be914be9359afea506d990878ff08",
        "flare-masking-max": "5d73032adbabec368e451a2e59f790d4965d6eac0ae8154e331132ea43df6363",
        "german-masking-max": "bc415e5174d959a5890961ca32ae91c11aa09895671bbed840913266ef8b6e54",
        "german-pram": "12083d2e92091dd62e679c2e97707e460ed92979923d4d34382a92126316226a",
        "flare-pram": "782e70c256478c98ae7b63aaeb0ebfecb37693db074b084eba8323507dad0165",
        "adult-pram": "baf65d653d9a36f9330d2c8c778c460dfcd39cca465c32139e851103936b4408",
        "german-pram-equations": "1fc0e342152eafcfc89e9ef794902ba6daeb4da1fffbc5e37b9348f63656e527",
        "flare-pram-equations": "ea90eab14a2722aae24d3832621693167b747a5f01198b8ced7d7279cc03225b",
        "graph-small": "234b44d872dee9a0f59048af2b29f8e14f7360a23877221fcb10abfef3190891",
        "graph-small-k5": "899f9bcd8f51e72b993d3f68dbcd6de794a045142c36cf32e76654614ad54b2a",
    },
}
"""``problem.portable_fingerprint`` of each instance: results are comparable while it stays."""
