"""Disclosure risk (DR) of a masked file, and the score that weighs it against the loss."""

from __future__ import annotations

from anonopt._checks import check_choice


def disclosure_risk(interval: float, by_distance: float, probabilistic: float) -> float:
    """DR: mean of interval disclosure and the larger of two linkages (Mares 2013, Eq. 4.10).

    Parameters
    ----------
    interval, by_distance, probabilistic : float
        ID, DBRL and PRL, 0..100.

    Returns
    -------
    float
        ``(ID + max(DBRL, PRL)) / 2``, 0..100, less is better.

    Examples
    --------
    >>> disclosure_risk(40.0, 10.0, 20.0)
    30.0
    """
    return (interval + max(by_distance, probabilistic)) / 2


def score(loss: float, risk: float, kind: str = "max") -> float:
    """Score of a masked file, less is better (Mares 2013, Eqs. 4.11 and 4.12).

    Parameters
    ----------
    loss, risk : float
        IL and DR, 0..100.
    kind : {"max", "mean"}
        ``"max"`` asks for both to be low, ``"mean"`` lets one make up for the other.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> score(20.0, 50.0), score(20.0, 50.0, "mean")
    (50.0, 35.0)
    """
    if kind == "max":
        return larger_score(loss, risk)
    if kind != "mean":
        check_choice("score", kind, ("max", "mean"))
    return mean_score(loss, risk)


def larger_score(loss: float, risk: float) -> float:
    """The larger of both (Mares 2013, Eq. 4.11).

    Examples
    --------
    >>> larger_score(20.0, 50.0)
    50.0
    """
    return max(loss, risk)


def mean_score(loss: float, risk: float) -> float:
    """The mean of both (Mares 2013, Eq. 4.12).

    Examples
    --------
    >>> mean_score(20.0, 50.0)
    35.0
    """
    return (loss + risk) / 2
