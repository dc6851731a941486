"""Local recodings of Adult from random keys: decodings a second, and where the time goes.

Both ways of cutting give the same recodings to the bit; the least class and the general loss metric
are found once more from the protected file, in plain pandas. Times are those of one decoding under
k = 5, alone or with its measures, from the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import anonopt as ao
from anonopt._typing import FloatArray
from anonopt.data.hierarchies.leaf_ranges import label_texts
from benchmarks._bench import Benchmark, Call, Goal, Way, require

K = 5
MEASURES = ["glm", "k"]
N_DECODINGS, N_SLOW = 20, 2


@dataclass(frozen=True)
class Case:
    """A problem solved compiled and in numpy alone, and keys to be decoded."""

    compiled: ao.problems.LocalRecodingProblem
    plain: ao.problems.LocalRecodingProblem
    keys: FloatArray

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Case:
        """Adult with some or all of its quasi-identifiers, under some options."""
        options = dict(options)
        table = ao.load_dataset("adult", quasi_identifiers=options.pop("quasi_identifiers", None))
        compiled, plain = (
            ao.problems.LocalRecodingProblem(
                table, MEASURES, k=K, accelerator=accelerator, **options
            )
            for accelerator in ("numba", "numpy")
        )
        keys = np.random.default_rng(0).normal(0.5, 0.1, (N_DECODINGS, compiled.n_var))
        return cls(compiled, plain, np.clip(keys, 0.0, 1.0))


def decoding(problem: ao.problems.LocalRecodingProblem, keys: FloatArray) -> Call:
    """Cuts alone."""
    return lambda: [problem.decoder.decode(one) for one in keys]


def evaluation(problem: ao.problems.LocalRecodingProblem, keys: FloatArray) -> Call:
    """Cuts and measures."""
    return lambda: problem.evaluate(keys)


def measuring(problem: ao.problems.LocalRecodingProblem, keys: FloatArray) -> Call:
    """Measures alone."""
    recodings = [problem.decoder.decode(one) for one in keys]
    return lambda: problem.evaluator.values(recodings, MEASURES)


def check(case: Case, results: Mapping[str, Any]) -> None:
    """The ways agree to the bit, and with the protected file."""
    fast, slow = results["cuts, numba"], results["cuts, numpy"]
    require(fast[: len(slow)] == slow, "numba and numpy cut in different ways")
    losses, least = from_the_file(case.compiled, case.keys[0])
    measured = results["measures"]
    require(np.isclose(measured["glm"][0], losses), "the loss is not that of the file")
    require(measured["k"][0] == least >= K, "the least class is not that of the file")


def from_the_file(problem: ao.problems.LocalRecodingProblem, keys: FloatArray) -> tuple[float, int]:
    """General loss metric and rows of the smallest class of a protected file."""
    names = list(problem.table.quasi_identifiers)
    protected = problem.protect(keys)
    loss = 0.0
    for name in names:
        tree = problem.table.hierarchies[name]
        widths = {text: high - low for (low, high), text in label_texts(tree, name).items()}
        loss += protected[name].map(widths).sum() / max(tree.n_leaves - 1, 1)
    return loss, int(protected.groupby(names).size().min())


def way(what: Any, problem: str, n: int = N_DECODINGS) -> Way:
    def start(case: Case) -> Call:
        call: Call = what(getattr(case, problem), case.keys[:n])
        return call

    return Way(start=start, units=n, repeats=5 if n == N_DECODINGS else 1)


BENCHMARKS = [
    Benchmark(
        name="local recodings of Adult",
        unit="decoding",
        sizes={
            "balanced": {},
            "relaxed": {"cuts": "relaxed"},
            "balanced, l = 3": {"class_bounds": {"l": 3}},
        },
        quick={"balanced, 3 columns": {"quasi_identifiers": ["age", "race", "sex"]}},
        setup=Case.of,
        ways={
            "cuts, numpy": way(decoding, "plain", N_SLOW),
            "cuts, numba": way(decoding, "compiled"),
            "measures": way(measuring, "compiled"),
            "cuts and measures": way(evaluation, "compiled"),
        },
        check=check,
        goals=[Goal(way="cuts and measures", seconds=1 / 150, sizes=["balanced", "relaxed"])],
    )
]
