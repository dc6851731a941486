"""Masked text: levels of a hierarchy that hide one more character each."""

from __future__ import annotations

from collections.abc import Iterable

from anonopt.data.values import TOP, as_text, distinct


def masked_levels(
    values: Iterable[object], *, direction: str, length: int | None, mask: str, padding: str
) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.text`."""
    if direction not in ("right_to_left", "left_to_right"):
        raise ValueError(
            f"direction: expected 'right_to_left' or 'left_to_right', found {direction!r}"
        )
    for name, character in (("mask", mask), ("padding", padding)):
        if len(character) != 1:
            raise ValueError(f"{name}: expected one character, found {character!r}")
    leaves = [as_text(value) for value in distinct(values)]
    longest = max(leaves, key=len, default="")
    height = max(len(longest), 1) if length is None else length
    if height < 1:
        raise ValueError(f"length: expected at least 1 character, found {length}")
    if len(longest) > height:
        raise ValueError(
            f"values: expected at most {height} characters, found {longest!r} of {len(longest)}"
        )
    from_right = direction == "right_to_left"
    levels = [leaves]
    for masked in range(1, height):
        levels.append(
            [
                leaf.ljust(height, padding)[: height - masked] + mask * masked
                if from_right
                else mask * masked + leaf.rjust(height, padding)[masked:]
                for leaf in leaves
            ]
        )
    return [*levels, [TOP] * len(leaves)]
