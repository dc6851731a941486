"""The instances of the suite of local recodings, which random keys stand for."""

from __future__ import annotations

from collections.abc import Mapping

from anonopt.experiments.suites.instance import Instance

LOCAL_2026 = (
    Instance("patients-local-glm", "keys", "patients-local-glm", budget=100),
    Instance("german-local-glm", "keys", "german-local-glm", budget=500),
    Instance("german-local-l-glm", "keys", "german-local-l-glm", budget=500),
    Instance("german-local-k-glm", "keys", "german-local-k-glm", budget=500),
    Instance(
        name="german-local-glm-cm",
        family="keys",
        source="german-local-glm",
        options={"objectives": ["glm", "cm"]},
        budget=500,
    ),
    Instance("adult-local-glm", "keys", "adult-local-glm", budget=500),
    Instance("adult-local-glm-k25", "keys", "adult-local-glm", {"k": 25}, budget=500),
    Instance("adult-local-l-glm", "keys", "adult-local-l-glm", budget=300),
    Instance("adult-local-k-glm", "keys", "adult-local-k-glm", budget=500),
)
"""Nine instances, small to large, of what comes with the library."""

LOCAL_FINGERPRINTS: Mapping[str, str] = {}
"""``problem.lasting_fingerprint`` of each: results are comparable while it stays."""
