"""Names that were looked up in vain: what may have been meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """Tell the nearest names, or all of them if none is near.

    Examples
    --------
    >>> suggestion("gml", ["k", "glm"])
    'did you mean glm?'
    >>> suggestion("zzz", ["k", "glm"])
    'known ones: glm, k'
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3)
    return f"did you mean {' or '.join(near)}?" if near else f"known ones: {', '.join(names)}"
