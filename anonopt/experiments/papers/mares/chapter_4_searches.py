"""Items of Chapter 4, PRAM matrices: evolutionary and genetic-programming searches."""

from __future__ import annotations

from anonopt.experiments.items.item import Item

ITEMS: tuple[Item, ...] = ()
