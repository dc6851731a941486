"""Items of Chapter 4, PRAM matrices: worked examples and invariance."""

from __future__ import annotations

from anonopt.experiments.items.item import Item

ITEMS: tuple[Item, ...] = ()
