"""The instances of the suites: which problems, how many evaluations, how large."""

from __future__ import annotations

from collections.abc import Mapping

from anonopt.data import cargo_columns
from anonopt.experiments.suites.instance import Instance
from anonopt.experiments.suites.local_instances import LOCAL_2026, LOCAL_FINGERPRINTS


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
    Instance("german-k-glm", "levels", "german-k-glm", budget=150),
    Instance(
        name="german-k-l-glm",
        family="levels",
        source="german-k-glm",
        options={"objectives": ["k", "l", "glm"]},
        budget=150,
    ),
    Instance("adult-k-glm", "levels", "adult-k-glm", budget=500),
    Instance("adult-k-l-glm", "levels", "adult-k-l-glm", budget=500),
    Instance("adult-sk-glm", "levels", "adult-sk-glm"),
    Instance("adult-sk-sl-glm", "levels", "adult-sk-sl-glm"),
    Instance("adult-k-glm-cm", "levels", "adult-k-glm-cm", budget=500),
    _freight(6, 500),
    _freight(10, 1000),
    _freight(20, 2000),
    _fixed_k(6, 150),
    _fixed_k(10, 300),
    _fixed_k(25, 2000),
    _fixed_k(50, 2000),
    Instance("german-masking", "cells", "german-masking"),
    Instance("flare-masking", "cells", "flare-masking"),
    Instance(
        name="flare-masking-max",
        family="cells",
        source="flare-masking",
        options={"objectives": ["score_max"]},
    ),
    Instance(
        name="german-masking-max",
        family="cells",
        source="german-masking",
        options={"objectives": ["score_max"]},
    ),
    Instance("german-pram", "matrices", "german-pram", budget=600),
    Instance("flare-pram", "matrices", "flare-pram", budget=600),
    Instance("adult-pram", "matrices", "adult-pram", budget=200),
    Instance(
        name="german-pram-max",
        family="matrices",
        source="german-pram",
        options={"objectives": ["score_max"]},
        budget=600,
    ),
    Instance("german-pram-equations", "trees", "german-pram-equations", budget=600),
    Instance("flare-pram-equations", "trees", "flare-pram-equations", budget=600),
    Instance(
        name="german-equations-max",
        family="trees",
        source="german-pram-equations",
        options={"objectives": ["score_max"]},
        budget=600,
    ),
    Instance("graph-small", "visits", "graph-small", budget=300),
    Instance("graph-small-k5", "visits", "graph-small", {"k": 5}, budget=300),
)
"""Twenty-seven instances, small to large, of what comes with the library."""

SUITES: Mapping[str, tuple[Instance, ...]] = {
    "anonopt-2026": ANONOPT_2026,
    "local-2026": LOCAL_2026,
}
"""By the name that results are told with."""

FINGERPRINTS: Mapping[str, Mapping[str, str]] = {
    "anonopt-2026": {
        "german-k-glm": "53ebbbca459c283d56611ae509b172924cba257911e13fd07af405435ccbfcb0",
        "german-k-l-glm": "b58f7167f0990e3f2f6cbf78cec968bd85f34e2dec19eefd5aa90e8ea05529de",
        "adult-k-glm": "6884392d318829260cc1a6406be8d1c77eba69096ee65808417eff5519eb7a1a",
        "adult-k-l-glm": "ae5a2e327873094e200bce3213666111a480c8dc88814cec4571f6ef5744a460",
        "adult-sk-glm": "de0bd2cd6ae9370ede1691a823b92d7ec9e293509848e906a7cee323b7a3b055",
        "adult-sk-sl-glm": "69d545e6218746ab118e6051792eec5eb22e1c88f6018ead837257faa873ec55",
        "adult-k-glm-cm": "a8dfc214b2fb25db643ef74ec1d7fbadfdedcfb1c67bc26fd2b20dbeb530229a",
        "freight-6-k-glm": "77612c5032037127c55b0da72313aeab1ce55f16ad994d3de772ebb0dc305d8e",
        "freight-10-k-glm": "c6153655921108ebd1488002fc6b517f7ed1ec89d0f3b9f2e31677093b31f09d",
        "freight-20-k-glm": "87215013362b5205eaea0913f4ce3f655eca2f821aeb2b140b99590b584ead5c",
        "freight-6": "fef580bf500a540f8d813333c5d3b445f8540c9428c7673a5b328a6f4f7113e2",
        "freight-10": "e8d8983ff58c31152713b8bd42c53983b3ba63df2008e74c5b5c50ed3f87299d",
        "freight-25": "b0b37e57e343eb98b4112709856ccc45183e0fb54144c6c67b432414c28a13de",
        "freight-50": "eb3c07612facf5fe75f8e9f603c7bbf4f8eb375439f17976e2dae404fefaedad",
        "german-masking": "f8d68cb75e6ec7422ba5b6e9c1649ff0896cc8233455d88376a32a0f2cc702be",
        "flare-masking": "efc0ef2042d10032e09b6df6f627ad70a063635752398cfbe178e4c7b987347c",
        "flare-masking-max": "62522f4f6e2c7e5a55979a2f865cb50ec48013e18e027a5a569c0d334508057c",
        "german-masking-max": "5a3814f89ad0b0f1240c4740293a5f0276aff9ffcb3eb7c01e6100a3c5cc15e6",
        "german-pram": "d4c09abcb7d3afa21485dacac5615934cefec80e63409fc821ba871f1f7f7d06",
        "flare-pram": "093a29628ace0b51747ba171b052e2754d3d9d492d7d6a764bcd1650be651dec",
        "adult-pram": "dc90d6f2214b789469a07ed6c4a4cf40f38e9ab417edbad707f27a81cd4d6cbe",
        "german-pram-max": "8c51b21728dd741b5837ec1e1e3dcddcf7129368bae200bc851a69d1be8df77c",
        "german-pram-equations": "532254467ef83fd5f8aecdfee5f7c1f177e278e8817aed76c2f2bcb7ab793edd",
        "flare-pram-equations": "be5c06cfd44075d2af379f65d57dd4d431b19b9104fd6722fa97bfd6a07fe5ee",
        "german-equations-max": "3e96a1f604dcea1a8889ca49bd0dbc415ad5f893414a49d9ba5d4bc90c110204",
        "graph-small": "ce91b4bf08c4f752416b7eac7469d360e0826e2623508b2fb7df3f7b67818324",
        "graph-small-k5": "c44e8b8357409ee476325e33a4c8b80a987468a3d482ecf9e4a2094650c3606b",
    },
    "local-2026": LOCAL_FINGERPRINTS,
}
"""``problem.lasting_fingerprint`` of each instance: results are comparable while it stays."""
