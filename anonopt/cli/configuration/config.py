"""The configuration file of ``anonopt anonymize``: TOML, read strictly."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from anonopt._checks import check_integer
from anonopt.cli.configuration.kinds import (
    BOUNDS,
    COUNT,
    ENGINE,
    FLAG,
    FORMATS,
    KEPT,
    LEVELS,
    METHOD,
    NUMBER,
    POSITIVE,
    ROWS_OR_SHARE,
    SEED,
    SHARE,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    check_keys,
    check_value,
)
from anonopt.cli.inputs import STANDARD, standard
from anonopt.sources.file_kinds import files_of, is_of_engine

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Section = TypeVar("Section")

MOST_DEPTH = 200
"""Tables and lists within each other, of a file."""

_TOO_DEEP = f"tables or lists nested more than {MOST_DEPTH} deep"

OF_METHOD = {"node": "lattice", "test_budget": "lattice", "cuts": "local", "seconds": "local"}
"""Keys of the search that only one method has."""


@dataclass(frozen=True, kw_only=True)
class DataSection:
    """``[data]``: the input file and the roles of its columns; see ``anonopt.Microdata``."""

    file: str = field(metadata={"kind": TEXT})
    quasi_identifiers: list[str] = field(metadata={"kind": TEXTS})
    sensitive: str | list[str] | None = field(default=None, metadata={"kind": TEXT_OR_TEXTS})
    target: str | None = field(default=None, metadata={"kind": TEXT})
    identifiers: tuple[str, ...] = field(default=(), metadata={"kind": TEXTS})
    population: str | None = field(default=None, metadata={"kind": TEXT})
    keep: list[str] | Literal["all"] = field(default_factory=list, metadata={"kind": KEPT})
    separator: str | None = field(default=None, metadata={"kind": TEXT})
    encoding: str | None = field(default=None, metadata={"kind": TEXT})
    decimal: str | None = field(default=None, metadata={"kind": TEXT})
    missing: list[str] | None = field(default=None, metadata={"kind": TEXTS})
    dates: dict[str, str | list[str]] = field(default_factory=dict, metadata={"kind": FORMATS})
    engine: Literal["duckdb", "arrow", "dask"] | None = field(
        default=None, metadata={"kind": ENGINE}
    )
    query: str | None = field(default=None, metadata={"kind": TEXT})
    memory_limit: str | None = field(default=None, metadata={"kind": TEXT})
    threads: int | None = field(default=None, metadata={"kind": COUNT})
    temp_directory: str | None = field(default=None, metadata={"kind": TEXT})
    max_tuples: int | None = field(default=None, metadata={"kind": COUNT})


@dataclass(frozen=True, kw_only=True)
class SearchSection:
    """``[search]``: what the protected table must meet, and what is made best."""

    k: int = field(metadata={"kind": COUNT})
    method: Literal["lattice", "local"] = field(default="lattice", metadata={"kind": METHOD})
    objective: str = field(default="glm", metadata={"kind": TEXT})
    suppression: float = field(default=0, metadata={"kind": ROWS_OR_SHARE})
    l: int | None = field(default=None, metadata={"kind": COUNT})  # noqa: E741
    t: float | None = field(default=None, metadata={"kind": SHARE})
    t_ordered: float | None = field(default=None, metadata={"kind": SHARE})
    entropy_l: float | None = field(default=None, metadata={"kind": NUMBER})
    recursive_cl: float | None = field(default=None, metadata={"kind": NUMBER})
    constraints: dict[str, float] = field(default_factory=dict, metadata={"kind": BOUNDS})
    class_bounds: dict[str, float] = field(default_factory=dict, metadata={"kind": BOUNDS})
    objectives: list[str] = field(default_factory=list, metadata={"kind": TEXTS})
    node: list[int] = field(default_factory=list, metadata={"kind": LEVELS})
    algorithm: str | None = field(default=None, metadata={"kind": TEXT})
    seed: int = field(default=1, metadata={"kind": SEED})
    budget: int | None = field(default=None, metadata={"kind": COUNT})
    test_budget: int | None = field(default=None, metadata={"kind": COUNT})
    cuts: str | None = field(default=None, metadata={"kind": TEXT})
    seconds: float | None = field(default=None, metadata={"kind": POSITIVE})

    @property
    def bounds(self) -> dict[str, float]:
        """Constraints besides k, by the names of their measures."""
        found = {name: bound for name in ("l", "t") if (bound := getattr(self, name)) is not None}
        return found | self.further_bounds

    @property
    def further_bounds(self) -> dict[str, float]:
        """Constraints besides k, l and t."""
        names = ("t_ordered", "entropy_l", "recursive_cl")
        found = {name: bound for name in names if (bound := getattr(self, name)) is not None}
        return found | self.constraints


@dataclass(frozen=True, kw_only=True)
class OutputSection:
    """``[output]``: where the protected table goes, how, and with what beside it."""

    file: str = field(metadata={"kind": TEXT})
    shuffle: bool = field(default=False, metadata={"kind": FLAG})
    seed: int | None = field(default=None, metadata={"kind": SEED})
    record: bool = field(default=True, metadata={"kind": FLAG})
    record_seed: bool = field(default=False, metadata={"kind": FLAG})


@dataclass(frozen=True, kw_only=True)
class Config:
    """A whole configuration file.

    Attributes
    ----------
    path : Path
        The file; paths in it are relative to its folder.
    data, search, output
        Sections of the same names.
    hierarchies : dict
        For each column the path of a CSV file, ``"flat"`` or the table of a builder.
    """

    path: Path
    data: DataSection
    hierarchies: dict[str, Any]
    search: SearchSection
    output: OutputSection

    def resolve(self, file: str) -> Path:
        """Path of a file that the configuration names; ``-``, standard input, is none."""
        if "\0" in file:
            raise ValueError(f"expected the path of a file, found a NUL character in {file!r}")
        return Path(file) if file == "-" else self.path.parent / file

    @property
    def is_streamed(self) -> bool:
        """Whether the rows stay where they are: where an engine is told, or alone can read them."""
        data = self.data
        if data.engine is not None or data.query is not None:
            return True
        path = self.resolve(data.file)
        return path != STANDARD and is_of_engine(path)

    @property
    def input_paths(self) -> list[Path]:
        """Files that the configuration has read: tables and hierarchies."""
        table = [self.resolve(self.data.file)]
        if self.is_streamed and not table[0].is_file():
            table = sorted(files_of(table[0]))
        files = [self.data.population] if self.data.population else []
        for source in self.hierarchies.values():
            described = source.get("path") if isinstance(source, dict) else source
            if isinstance(described, str) and described not in ("", "flat"):
                files.append(described)
        return [*table, *(self.resolve(file) for file in files)]

    @property
    def output_path(self) -> Path:
        """Where the protected table is written."""
        return self.resolve(self.output.file)


def with_node(config: Config, levels: str | None) -> Config:
    """A configuration with a node in place of its search, given as text such as ``1,0,2``.

    Raises
    ------
    ValueError
        If the text is nothing of the kind.
    """
    if levels is None:
        return config
    if config.search.method != "lattice":
        raise ValueError(
            f"--node: expected search.method 'lattice', found {config.search.method!r}"
        )
    try:
        node = [
            check_integer("", int(level), least=0) for level in levels.replace(",", " ").split()
        ]
    except ValueError as error:
        raise ValueError(f"--node: expected levels such as 1,0,2, found {levels!r}") from error
    if not node:
        raise ValueError(f"--node: expected levels such as 1,0,2, found {levels!r}")
    return replace(config, search=replace(config.search, node=node))


def read_config(path: Path) -> Config:
    """Read a configuration file.

    Parameters
    ----------
    path : Path

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not TOML, a key is absent or unknown (names the nearest known one), or a
        value is not of the kind that its key takes.
    """
    document = read_toml(path)
    try:
        check_keys("", document, ("data", "hierarchies", "search", "output"))
        return Config(
            path=path,
            data=_of_engine(_section("data", document, DataSection)),
            hierarchies=_table("hierarchies", document),
            search=_of_method(_section("search", document, SearchSection)),
            output=_section("output", document, OutputSection),
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _of_method(search: SearchSection) -> SearchSection:
    """The section, if its keys are those of its method."""
    for key, method in OF_METHOD.items():
        if getattr(search, key) not in (None, []) and search.method != method:
            raise ValueError(
                f"search.{key}: expected search.method {method!r}, found {search.method!r}"
            )
    return search


def _of_engine(data: DataSection) -> DataSection:
    """The section, if keys of engines come with one."""
    is_parquet = not data.file.lower().endswith(".csv")
    for key in ("memory_limit", "threads", "temp_directory", "max_tuples"):
        if getattr(data, key) is not None and not (data.engine or data.query or is_parquet):
            raise ValueError(f"data.{key}: expected with data.engine, found it alone")
    return data


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; ``-`` is standard input.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not TOML.
    """
    from anonopt.data.tables.decoding import read_bytes

    source = standard(sys.stdin) if path == STANDARD else path
    try:
        document = tomllib.loads(read_bytes(source)[1].decode("utf-8-sig"))
        _check_depth(document)
    except ValueError as error:
        hint = f" (anonopt init {path} drafts one)" if str(path).lower().endswith(".csv") else ""
        raise ValueError(f"{path}: expected TOML in UTF-8, found {error}{hint}") from error
    except RecursionError as error:
        raise ValueError(f"{path}: expected TOML, found {_TOO_DEEP}") from error
    return document


def _check_depth(document: object) -> None:
    """Raise ValueError for tables deeper than messages and readers of trees can go."""
    level = [document]
    for _ in range(MOST_DEPTH + 1):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
    if level:
        raise ValueError(_TOO_DEEP)


def _table(name: str, document: Mapping[str, Any]) -> dict[str, Any]:
    if name not in document:
        raise ValueError(f"{name}: expected a section [{name}], found none")
    table = document[name]
    if not isinstance(table, dict):
        raise ValueError(f"{name}: expected a section [{name}], found {table!r}")
    return table


def _section(name: str, document: Mapping[str, Any], kind: type[Section]) -> Section:
    table = _table(name, document)
    keys = fields(kind)  # type: ignore[arg-type]
    check_keys(name, table, [key.name for key in keys])
    for key in keys:
        if key.name in table:
            check_value(f"{name}.{key.name}", table[key.name], key.metadata["kind"])
        elif key.default is MISSING and key.default_factory is MISSING:
            raise ValueError(
                f"{name}.{key.name}: expected {key.metadata['kind'].wanted}, found none"
            )
    return kind(**table)
