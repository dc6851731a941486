"""Kernels: the lowest label that covers two labels, column by column, and what it costs a row."""

from __future__ import annotations

from anonopt.local_recoding.regions.plain_kernel import compiled_or_plain


@compiled_or_plain
def joined(tree, label, codes, wider):  # type: ignore[no-untyped-def]
    """Write the lowest label that covers a label and a tuple; returns what it costs.

    `label` and `wider` are arrays (2, n_quasi_identifiers), see `LabelTree`; `codes` is the tuple.
    """
    cost = 0.0
    for a in range(len(tree.starts)):
        low, code = label[0, a], codes[a]
        if tree.is_range[a]:
            high = max(low + label[1, a], code)
            low = min(low, code)
            wider[0, a], wider[1, a] = low, high - low
            cost += tree.losses[tree.starts[a] + high - low]
            continue
        level = label[1, a]
        step = tree.leaves[a]
        at = tree.starts[a] + level * step
        while tree.codes[at + low] != tree.codes[at + code]:
            at += step
            level += 1
        wider[0, a], wider[1, a] = low, level
        cost += tree.losses[at + low]
    return cost


@compiled_or_plain
def joined_cost(tree, label, other, limit):  # type: ignore[no-untyped-def]
    """What the lowest label that covers two labels costs; a sum beyond `limit` may end early."""
    cost = 0.0
    for a in range(len(tree.starts)):
        low, low_other = label[0, a], other[0, a]
        if tree.is_range[a]:
            high = max(low + label[1, a], low_other + other[1, a])
            cost += tree.losses[tree.starts[a] + high - min(low, low_other)]
        else:
            step = tree.leaves[a]
            at = tree.starts[a] + max(label[1, a], other[1, a]) * step
            while tree.codes[at + low] != tree.codes[at + low_other]:
                at += step
            cost += tree.losses[at + low]
        if cost > limit:
            break
    return cost
