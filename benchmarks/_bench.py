"""The anatomy of a benchmark: all ways give equal results first, only then are they timed.

A :class:`Benchmark` names sizes, how the input of a size is set up, the ways to do the same work
(the first is the one that others are compared with), the check that their results agree, and goals.
"""

from __future__ import annotations

import importlib
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks._data import find_shared_data

Call = Callable[[], object]


class ResultsDifferError(ValueError):
    """Ways that should give equal results do not, so that their times mean nothing."""


def require(is_equal: bool, message: str) -> None:
    """Stop a benchmark unless results agree."""
    if not is_equal:
        raise ResultsDifferError(message)


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to do the work of a benchmark.

    Parameters
    ----------
    start : callable
        Function of the input that returns the call to be timed. It runs before every call, and
        its own time does not count.
    units : float or callable, default=1
        How many units of work a call does, or a function of the input that says so. Times are
        those of one unit, so that a slow way may do a part of the work.
    repeats : int, default=5
        Timed calls; one more, before them, gives the result that is checked. With 0 that one is
        timed, for work that takes minutes.
    memory : bool, default=False
        Whether the largest memory that a call takes is measured too, in a call of its own.
    """

    start: Callable[[Any], Call]
    units: float | Callable[[Any], float] = 1
    repeats: int = 5
    memory: bool = False


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What a way has to reach: times as fast as another, seconds a unit, or megabytes a call."""

    way: str
    faster: float | None = None
    than: str = ""
    seconds: float | None = None
    megabytes: float | None = None
    sizes: Sequence[str] = ()
    """Sizes that it holds for; all if empty."""

    def verdict(self, typical: Mapping[str, float], megabytes: Mapping[str, float]) -> Verdict:
        """Say in words what was found, and whether it is enough."""
        if self.faster is not None:
            found = typical[self.than] / typical[self.way]
            text = f"{figure(found)} x {self.than} (at least {self.faster:g})"
            return Verdict(text, found >= self.faster)
        if self.seconds is not None:
            found = typical[self.way]
            text = f"{duration(found)} (at most {duration(self.seconds)})"
            return Verdict(text, found <= self.seconds)
        found = megabytes[self.way]
        return Verdict(f"{figure(found)} MB (at most {self.megabytes:g})", found <= self.megabytes)


@dataclass(frozen=True)
class Verdict:
    """A goal in words, and whether it is met."""

    text: str
    met: bool

    def __str__(self) -> str:
        return f"{self.text}: {'met' if self.met else 'MISSED'}"


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Ways to do the same work, on inputs of several sizes.

    Parameters
    ----------
    name : str
        What is done.
    unit : str
        What one time is the time of, such as "node".
    sizes, quick : mapping
        Label of a size to what ``setup`` makes the input from; ``quick`` has small ones.
    setup : callable
        Makes the input of a size. If it needs a file that is not there, or cannot be downloaded,
        the size is left out with this reason.
    ways : mapping
        Ways by their names; the first is the one that others are compared with.
    check : callable
        Function of the input and the results of all ways by name; calls :func:`require`.
    goals : sequence
        What is to be reached; not looked at with the quick sizes.
    compare : {"minimum", "median"}
        Which of the repeated times is compared with others and with goals.
    close : callable, optional
        Function of the input that takes away what ``setup`` left on disk.
    """

    name: str
    unit: str
    sizes: Mapping[str, Any]
    quick: Mapping[str, Any]
    setup: Callable[[Any], Any]
    ways: Mapping[str, Way]
    check: Callable[[Any, Mapping[str, Any]], None]
    goals: Sequence[Goal] = ()
    compare: str = "minimum"
    close: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class Row:
    """One line of the table; without times, the reason for it stands in ``note``."""

    benchmark: str
    size: str
    way: str = ""
    minimum: float | None = None
    median: float | None = None
    unit: str = ""
    ratio: float | None = None
    megabytes: float | None = None
    verdicts: tuple[Verdict, ...] = ()
    note: str = ""
    failed: bool = False

    def misses(self) -> list[str]:
        """Name the goals that are missed, and a check that failed."""
        where = ", ".join(part for part in (self.benchmark, self.size, self.way) if part)
        missed = [f"{where}: {verdict.text}" for verdict in self.verdicts if not verdict.met]
        return [*missed, f"{where}: {self.note}"] if self.failed else missed

    def cells(self) -> list[str]:
        """Return the line as texts, in the order of :data:`HEAD`."""
        figures = [duration(self.minimum), duration(self.median), self.unit]
        numbers = [figure(self.ratio), figure(self.megabytes)]
        goal = "; ".join(map(str, self.verdicts)) or self.note
        return [self.benchmark, self.size, self.way, *figures, *numbers, goal]


HEAD = ("benchmark", "size", "way", "minimum", "median", "of one", "times as fast", "MB", "goal")


def duration(seconds: float | None) -> str:
    """Seconds in the unit that reads best."""
    if seconds is None:
        return ""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def figure(number: float | None) -> str:
    """Three digits, or all before the point."""
    if number is None:
        return ""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def measure_file(name: str, *, quick: bool = False, quick_repeats: int = 3) -> list[Row]:
    """Measure all benchmarks of a file, named without its ending."""
    find_shared_data()
    module = importlib.import_module(f"benchmarks.{name}")
    return [
        row
        for one in module.BENCHMARKS
        for row in measure(one, quick=quick, quick_repeats=quick_repeats)
    ]


def measure(benchmark: Benchmark, *, quick: bool = False, quick_repeats: int = 3) -> Iterator[Row]:
    """Check and time a benchmark: one row for each size and way.

    With the quick sizes, calls are timed ``quick_repeats`` times at most.
    """
    for size, argument in (benchmark.quick if quick else benchmark.sizes).items():
        try:
            case = benchmark.setup(argument)
        except (FileNotFoundError, ConnectionError) as error:
            yield Row(benchmark.name, size, note=f"left out: {error}")
            continue
        try:
            yield from _measured(benchmark, size, case, most=quick_repeats if quick else None)
        finally:
            if benchmark.close is not None:
                benchmark.close(case)


def _measured(benchmark: Benchmark, size: str, case: Any, *, most: int | None) -> Iterator[Row]:
    try:
        results, first = {}, {}
        for name, way in benchmark.ways.items():
            results[name], first[name] = _timed_call(way, case)
        benchmark.check(case, results)
    except (FileNotFoundError, ConnectionError) as error:
        yield Row(benchmark.name, size, note=f"left out: {error}")
    except ResultsDifferError as error:
        yield Row(benchmark.name, size, note=f"no times: {error}", failed=True)
    else:
        del results
        yield from _timed(benchmark, size, case, first, most=most)


def _timed(
    benchmark: Benchmark, size: str, case: Any, first: Mapping[str, float], *, most: int | None
) -> Iterator[Row]:
    times = {
        name: _times(way, case, most=most) if way.repeats else [first[name]]
        for name, way in benchmark.ways.items()
    }
    peaks = {name: _peak(way, case) for name, way in benchmark.ways.items() if way.memory}
    reduce = {"minimum": min, "median": median}[benchmark.compare]
    typical = {name: float(reduce(seconds)) for name, seconds in times.items()}
    base = next(iter(typical.values()))
    for name, seconds in times.items():
        goals = [] if most is not None else [g for g in benchmark.goals if g.way == name]
        yield Row(
            benchmark.name,
            size,
            name,
            min(seconds),
            median(seconds),
            benchmark.unit,
            base / typical[name],
            peaks.get(name),
            tuple(g.verdict(typical, peaks) for g in goals if not g.sizes or size in g.sizes),
        )


def _times(way: Way, case: Any, *, most: int | None) -> list[float]:
    n = way.repeats if most is None else min(way.repeats, most)
    return [_timed_call(way, case)[1] for _ in range(n)]


def _timed_call(way: Way, case: Any) -> tuple[object, float]:
    """Return what a call gives, and the seconds of one unit of its work."""
    units = way.units(case) if callable(way.units) else way.units
    call = way.start(case)
    started = time.perf_counter()
    result = call()
    return result, (time.perf_counter() - started) / units


def _peak(way: Way, case: Any) -> float:
    call = way.start(case)
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6
