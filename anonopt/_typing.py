"""The types that the whole library shares, each once."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import Generator as Generator

AnyArray: TypeAlias = npt.NDArray[Any]
"""Array of whatever type, such as genomes that may be numbers or trees."""

BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

CodeArray: TypeAlias = npt.NDArray[np.int32]
"""Codes of values: small whole numbers that count nothing, kept small in memory."""

AnyIntArray: TypeAlias = npt.NDArray[np.integer[Any]]
"""Whole numbers of whatever size."""

UnsignedArray: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]
"""Codes and counts in the smallest unsigned type that holds them."""

WordArray: TypeAlias = npt.NDArray[np.uint64]
"""Packed keys and hashes of 64 bits."""

ObjectArray: TypeAlias = npt.NDArray[np.object_]
"""Array of Python objects, such as trees."""

Accelerator: TypeAlias = Literal["auto", "numpy", "numba"]
RandomState: TypeAlias = int | np.random.Generator | None
"""What methods that draw take as ``random_state``: a seed, a generator, or None."""
