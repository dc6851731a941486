"""Equations of PRAM matrices: sums, products and powers of terminals, and damaged ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from anonopt.masking.equations.parser import parse_tree
from anonopt.masking.equations.primitives import TERMINALS
from tests.fuzz.mutations import mutated

WORDS = (
    b"freq_i",
    b"**",
    b"** 3",
    b"(",
    b")",
    b"(" * 300,
    b"-" * 300,
    b"1e999",
    b"lambda: 0",
    b"__import__",
    b"'a'",
    b"[0]",
    b".real",
    b"#",
    b"\\\n",
    b"\n",
    b";",
    b":=",
    b"\x00",
    b"\xe2\x88\x92",
    b"9" * 5000,
    b"0x1F",
    b"1_000",
    b"1j",
    b"True",
    b"if",
    b"%",
    b"//",
)


def equation(generator: np.random.Generator) -> bytes:
    """Text of an equation."""
    text = _formula(generator, depth=int(generator.integers(1, 7))).encode()
    return text if generator.random() < 0.4 else mutated(text, generator, words=WORDS)


def read(path: Path) -> Any:
    """Read the equation as a user would."""
    return parse_tree(path.read_bytes().decode(errors="replace"))


def _formula(generator: np.random.Generator, *, depth: int) -> str:
    if depth == 1:
        number = f"{generator.normal():.3g}".lstrip("-")
        return str(generator.choice([*TERMINALS, number, str(generator.integers(10))]))
    left, right = (_formula(generator, depth=depth - 1) for _ in range(2))
    match int(generator.integers(6)):
        case 0:
            return f"-{left}"
        case 1:
            return f"({left}) ** {int(generator.integers(1, 4))}"
        case _:
            return f"({left} {generator.choice(list('+-*/'))} {right})"
