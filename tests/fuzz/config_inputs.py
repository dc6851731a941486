"""Configurations of ``anonopt anonymize``: sections, builders and values of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from anonopt.cli.configuration.config import read_config
from anonopt.cli.configuration.hierarchies import build_hierarchies
from anonopt.data import Microdata
from anonopt.data.tables.table_files import TableFile
from tests.fuzz.mutations import mutated

PEOPLE = """age,zip,born,job,illness
21,81667,2001-03-04,nurse,flu
34,81675,1988-11-30,cook,cold
34,80331,1988-01-02,nurse,flu
55,80335,1967-07-08,judge,
"""
HIERARCHIES: dict[str, tuple[str, ...]] = {
    "age": (
        '{ builder = "intervals", width = 10 }',
        '{ builder = "intervals", width = 0.1, fan_outs = [2, 5], anchor = 3 }',
        '{ builder = "intervals", width = 5, low = 25, high = 50, bottom_code = true, '
        "top_code = true }",
        '{ builder = "ordered", values = [21, 34, 55], fan_outs = [2] }',
        '"flat"',
    ),
    "zip": (
        '{ builder = "text" }',
        '{ builder = "text", direction = "left_to_right", mask = "#", length = 7 }',
        '"flat"',
    ),
    "born": (
        '{ builder = "dates" }',
        '{ builder = "dates", levels = ["day", "year"] }',
        '{ builder = "dates", format = "%Y-%m-%d" }',
    ),
    "job": (
        '{ builder = "tree", tree = { "*" = { health = ["nurse"], other = ["cook", "judge"] } } }',
        '"flat"',
        '{ builder = "csv", path = "job.csv" }',
    ),
}
VALUES = (
    "0",
    "-1",
    "1e308",
    "1e-308",
    "inf",
    "nan",
    "true",
    '""',
    "[]",
    "{}",
    "[1, [2]]",
    "1979-05-27",
    "07:32:00",
    "0x1F",
    "9" * 400,
    '"flat"',
    '"*"',
    '["age"]',
    "100000000000",
    '"\\u0000"',
)
WORDS = (
    b"[",
    b"]",
    b"[[",
    b"{",
    b"}",
    b'"',
    b"'''",
    b"=",
    b"\n",
    b"#",
    b"[data]\n",
    b"[data.file]\n",
    b"[search.class_bounds]\nl = 2\n",
    b"k = 2\n",
    b"l = 2\n",
    b'"*"',
    b"inf",
    b"1e999",
    b"9" * 5000,
    b"[" * 3000,
    b"a = {" * 1000,
    b"." + b"a." * 3000 + b"a = 1\n",
    b"\x00",
    b"\xef\xbb\xbf",
    b"\xff",
    b"keep = 'all'\n",
    b"sensitive = ['illness', 'job']\n",
    b"\\ud800",
    b"values = [1, 1.0, '1']",
)


def config(generator: np.random.Generator) -> bytes:
    """Text of a configuration."""
    columns = [name for name in HIERARCHIES if generator.random() < 0.7] or ["age"]
    lines = {
        "file": '"people.csv"',
        "quasi_identifiers": json.dumps(columns),
    }
    if generator.random() < 0.5:
        lines["sensitive"] = str(generator.choice(['"illness"', '["illness"]']))
    if generator.random() < 0.2:
        lines["keep"] = '"all"'
    search = {"k": str(generator.integers(1, 4)), "suppression": "0.3"}
    if generator.random() < 0.3:
        search["algorithm"] = '"exhaustive"'
    hierarchies = {name: str(generator.choice(HIERARCHIES[name])) for name in columns}
    sections = {
        "data": lines,
        "hierarchies": hierarchies,
        "search": search,
        "output": {"file": '"out.csv"'},
    }
    if generator.random() < 0.3:
        _put_value(sections, generator)
    text = "\n".join(
        f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in section.items())
        for name, section in sections.items()
    )
    content = text.encode()
    return content if generator.random() < 0.4 else mutated(content, generator, words=WORDS)


def read(path: Path) -> Any:
    """Read the configuration and all that it names, as ``anonymize`` does before its search."""
    (path.parent / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (path.parent / "job.csv").write_text("nurse,*\ncook,*\njudge,*\n", encoding="utf-8")
    settings = read_config(path)
    data = settings.data
    table = TableFile.read(
        settings.resolve(data.file),
        separator=data.separator,
        encoding=data.encoding,
        decimal=data.decimal,
        missing=data.missing,
        dates=data.dates,
    )
    return Microdata(
        table.frame,
        quasi_identifiers=data.quasi_identifiers,
        hierarchies=build_hierarchies(settings, table.frame),
        sensitive=data.sensitive,
        target=data.target,
        identifiers=data.identifiers,
    )


def _put_value(sections: dict[str, dict[str, str]], generator: np.random.Generator) -> None:
    """Another value at a key, or in the table of a builder."""
    section = sections[str(generator.choice(list(sections)))]
    key = str(generator.choice(list(section)))
    value = str(generator.choice(VALUES))
    inner = section[key]
    if inner.startswith("{") and generator.random() < 0.7:
        start, _, _ = inner.rpartition("= ")
        section[key] = f"{start}= {value} }}"
    else:
        section[key] = value
