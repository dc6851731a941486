"""Reference directions: evenly spread ways to weigh the objectives."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt


def reference_directions(n_obj: int, pop_size: int) -> npt.NDArray[np.float64]:
    """Evenly spread directions in objective space, at most one for each individual.

    I. Das, J. E. Dennis, *Normal-Boundary Intersection*, SIAM Journal on Optimization 8 (1998):
    all points of the unit simplex on a grid of p steps; p is the largest that fits.

    Parameters
    ----------
    n_obj : int
        Number of objectives, at least 2.
    pop_size : int
        Most directions, at least ``n_obj``.

    Returns
    -------
    float array (n_directions, n_obj)
        Rows sum to 1.

    Raises
    ------
    ValueError
        If the population is smaller than the number of objectives.

    Examples
    --------
    >>> [len(reference_directions(n_obj, 100)) for n_obj in (2, 3, 4)]
    [100, 91, 84]
    """
    from pymoo.util.ref_dirs import get_reference_directions

    if pop_size < n_obj:
        raise ValueError(
            f"expected a population of at least one individual for each of {n_obj} objectives; "
            f"found pop_size = {pop_size}"
        )
    n_steps = 1
    while math.comb(n_steps + n_obj, n_obj - 1) <= pop_size:
        n_steps += 1
    directions = get_reference_directions("das-dennis", n_obj, n_partitions=n_steps)
    return np.asarray(directions)
