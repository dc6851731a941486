"""Items of Chapter 6, social graphs."""

from __future__ import annotations

from anonopt.experiments.items.item import Item

ITEMS: tuple[Item, ...] = ()
