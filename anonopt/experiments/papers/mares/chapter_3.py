"""Items of Chapter 3, evolutionary masking of whole files."""

from __future__ import annotations

from anonopt.experiments.items.item import Item

ITEMS: tuple[Item, ...] = ()
