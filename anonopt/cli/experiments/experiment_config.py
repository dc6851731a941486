"""The configuration file of ``anonopt experiment``: TOML, read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt._checks import check_distinct, check_integer
from anonopt.cli.configuration.config import read_toml
from anonopt.cli.configuration.kinds import COUNT, NUMBER, TEXT, check_keys, check_value
from anonopt.cli.inputs import STANDARD

if TYPE_CHECKING:
    from anonopt.experiments import Experiment

KEYS = ("name", "output", "seeds", "budget", "problems", "algorithms", "limits")
SUFFIX = ".sqlite"

MOST_SEEDS = 10**6
"""More than anybody waits for; each run is a row of the grid."""


@dataclass(frozen=True)
class ExperimentConfig:
    """An experiment, and the file that keeps it.

    Attributes
    ----------
    experiment : Experiment
    output : Path
    """

    experiment: Experiment
    output: Path


def read_experiment(path: Path) -> ExperimentConfig:
    """Read the configuration of an experiment, and make all of it.

    Parameters
    ----------
    path : Path
        ``-`` is standard input, which has to name its output.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not TOML, a key is absent or unknown, a value is not of the kind that its key
        takes, or the experiment cannot be: a name or an option is unknown, a budget is 0, an
        algorithm does not take a problem.
    """
    from anonopt.experiments import Experiment

    document = read_toml(path)
    try:
        check_keys("", document, KEYS)
        for key in ("problems", "algorithms", "seeds", "budget"):
            if key not in document:
                raise ValueError(f"{key}: expected one, found none")
        for key in ("name", "output"):
            if key in document:
                check_value(key, document[key], TEXT)
        if path == STANDARD and "output" not in document:
            raise ValueError("output: expected one, as standard input has no name, found none")
        experiment = Experiment(
            problems=_named("problems", "problem", document["problems"]),
            algorithms=_named("algorithms", "algorithm", document["algorithms"]),
            seeds=_seeds(document["seeds"]),
            budget=document["budget"],
            name=document.get("name", "experiment" if path == STANDARD else path.stem),
            **_limits(document.get("limits", {})),
        )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path}: {error}") from error
    return ExperimentConfig(
        experiment, path.parent / document.get("output", path.with_suffix(SUFFIX).name)
    )


def _named(section: str, key: str, given: object) -> dict[str, Any]:
    """Problems or algorithms by their names in the experiment.

    A list of names, or a table of a name each, which is that of the library or a table of it, as
    `key`, and of options.
    """
    if isinstance(given, list):
        for one in given:
            check_value(section, one, TEXT)
        check_distinct(section, given, hint=f" (a table [{section}] gives names)")
        return {one: one for one in given}
    if not isinstance(given, dict):
        raise ValueError(f"{section}: expected a list of names or a table, found {given!r}")
    found: dict[str, Any] = {}
    for name, source in given.items():
        where = f"{section}.{name}"
        if not isinstance(source, dict):
            check_value(where, source, TEXT)
            found[name] = source
            continue
        options = dict(source)
        chosen = options.pop(key, name)
        check_value(f"{where}.{key}", chosen, TEXT)
        found[name] = (chosen, options) if options else chosen
    return found


def _seeds(given: object) -> Any:
    """A number of seeds, from 0 on, or a list of them."""
    if isinstance(given, list):
        return given
    return range(check_integer("seeds", given, least=1, most=MOST_SEEDS))


def _limits(given: object) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"limits: expected a section [limits], found {given!r}")
    check_keys("limits", given, ("seconds", "megabytes"))
    limits: dict[str, Any] = {}
    if "seconds" in given:
        check_value("limits.seconds", given["seconds"], NUMBER)
        limits["time_limit"] = given["seconds"]
    if "megabytes" in given:
        check_value("limits.megabytes", given["megabytes"], COUNT)
        limits["memory_limit"] = given["megabytes"] * 10**6
    return limits
