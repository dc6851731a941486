"""What ``anonopt anonymize`` published, and the record of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.cli.outputs.run_record import record

if TYPE_CHECKING:
    from anonopt.cli.anonymizing.choice import Choice
    from anonopt.cli.configuration.config import Config
    from anonopt.cli.outputs.publication import PublishedColumns
    from anonopt.data import Microdata


@dataclass
class Published:
    """What was published, and the figures of its check; none if nothing was feasible.

    Attributes
    ----------
    columns : PublishedColumns
    record : Path, optional
    report : dict, optional
    seed : int, optional
        Of the order of the rows.
    missing : list of str
        What is not known of a table whose rows stay in files, and why.
    """

    columns: PublishedColumns
    record: Path | None
    report: dict[str, Any] | None = None
    seed: int | None = None
    missing: list[str] = field(default_factory=list)


def made_record(
    settings: Config,
    table: Microdata,
    choice: Choice,
    published: Published,
    *,
    inputs: Iterable[Mapping[str, Any]],
    outputs: Mapping[Path, bytes | Path],
    engines: Iterable[str] = (),
) -> bytes:
    """Content of the record of a release; `engines` are those that read the rows."""
    return record(
        "anonymize",
        parameters=_parameters(settings),
        inputs=inputs,
        outputs=outputs,
        engines=engines,
        columns=vars(published.columns),
        hierarchies={
            str(column): {
                "built": settings.hierarchies.get(str(column)),
                "height": hierarchy.height,
                "fingerprint": hierarchy.fingerprint,
            }
            for column, hierarchy in table.hierarchies.items()
        },
        **choice.recorded,
        found={
            "algorithm": choice.algorithm,
            "proven": choice.is_proven,
            "message": choice.message,
        },
        figures={"rows": table.n_rows, **choice.figures},
        seed=published.seed,
    )


def _parameters(settings: Config) -> dict[str, Any]:
    """Sections of the configuration, without the seed of the release."""
    output = {key: value for key, value in vars(settings.output).items() if key != "seed"}
    return {"data": vars(settings.data), "search": vars(settings.search), "output": output}
