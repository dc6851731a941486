"""The instances of the suite of local recodings, which random keys stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt.experiments.suites.instance import Instance

PINNED = {"cuts": "balanced"}
"""What an instance must not take from the defaults of its problem."""


def _local(name: str, source: str, budget: int, **options: Any) -> Instance:
    return Instance(name, "keys", source, {**PINNED, **options}, budget=budget)


LOCAL_2026 = (
    _local("patients-local-glm", "patients-local-glm", 100),
    _local("german-local-glm", "german-local-glm", 500),
    _local("german-local-l-glm", "german-local-l-glm", 500),
    _local("german-local-k-glm", "german-local-k-glm", 500),
    _local("german-local-glm-cm", "german-local-glm", 500, objectives=["glm", "cm"]),
    _local("adult-local-glm", "adult-local-glm", 500),
    _local("adult-local-glm-k25", "adult-local-glm", 500, k=25),
    _local("adult-local-l-glm", "adult-local-l-glm", 300),
    _local("adult-local-k-glm", "adult-local-k-glm", 500),
)
"""Nine instances, small to large, of what comes with the library."""

LOCAL_FINGERPRINTS: Mapping[str, str] = {
    "patients-local-glm": "70dbdca57a260b44515a74a9534a60ba438dde9d9dc03d8dad9f0b3765fe5879",
    "german-local-glm": "4fd09911a0e1715a75f6af8666cf20a7a74e56d74f644bdbbe992e1106fcd3ce",
    "german-local-l-glm": "0c44382a52c76696a58bbade322e96ce3f302f8408738d9671d68ef5ea2d48f2",
    "german-local-k-glm": "8b08842284fa26903ebcd616493f95f47664da02c95b86cdfaf6883b00245638",
    "german-local-glm-cm": "6192b8b4e0e5ac5184f9a465d3cb18f99307c3b6171e11b080449e3babcb7102",
    "adult-local-glm": "79a1086486049e71bd68724174768a2100c3379c9f3cdf3e048d3169aa7dd325",
    "adult-local-glm-k25": "08c356f2db0095aac74557db2eee9ae9f5191c44f5d89afa9cb2284d3a349203",
    "adult-local-l-glm": "1efb21e16f09c7a34ab8540cf4e199ed06eecd857ed2c4719ed1e252fca24d40",
    "adult-local-k-glm": "d10bdbad7ad8aecd12dec8be760954d7c06a04ac44c95d440cb5bbe04de05526",
}
"""``problem.lasting_fingerprint`` of each: results are comparable while it stays."""
