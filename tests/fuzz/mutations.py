"""Small damages of bytes: what a slip of an editor, a disk or an attacker makes of a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def mutated(content: bytes, generator: np.random.Generator, *, words: Sequence[bytes]) -> bytes:
    """Content with one to four damages: bytes changed, cut, doubled, swapped, or words put in.

    Parameters
    ----------
    words : sequence of bytes
        What the format gives a meaning to.
    """
    damaged = bytearray(content)
    for _ in range(int(generator.integers(1, 5))):
        place = int(generator.integers(len(damaged) + 1))
        end = place + int(generator.integers(1, 12))
        match int(generator.integers(5)):
            case 0:
                damaged[place : place + 1] = bytes([int(generator.integers(256))])
            case 1:
                del damaged[place:end]
            case 2:
                damaged[place:place] = damaged[place:end]
            case 3:
                damaged[place:end] = words[int(generator.integers(len(words)))]
            case _:
                damaged[place:place] = words[int(generator.integers(len(words)))]
    return bytes(damaged)
