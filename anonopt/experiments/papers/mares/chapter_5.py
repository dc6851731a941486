"""Items of Chapter 5, pre-clustering."""

from __future__ import annotations

from anonopt.experiments.items.item import Item

ITEMS: tuple[Item, ...] = ()
