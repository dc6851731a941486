"""Compiled kernel (extra ``fast``): the nearest of many centroids of numbers."""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def nearest_centroids(values, centers, order, starts, ranges, nearest, labels):  # type: ignore[no-untyped-def]
    """Distance and number of the nearest centroid of each point, of equals the first.

    Distances are added up over the columns in their order, as in
    `anonopt.masking.groups.clustering`, so that the bits are the same. Centroids are tried outward
    from the point by their first column, until that alone is farther than the nearest: `order` is
    theirs in it, and `starts` where points stand in that.
    """
    n_columns, n_points = values.shape
    for point in range(n_points):
        best, label = np.inf, len(order)
        x = values[0, point]
        for step in (-1, 1):
            place = starts[point] - 1 if step < 0 else starts[point]
            while 0 <= place < len(order):
                number = order[place]
                distance = abs(x - centers[0, number]) / ranges[0]
                if distance > best:
                    break
                for column in range(1, n_columns):
                    apart = abs(values[column, point] - centers[column, number])
                    distance += apart / ranges[column]
                if distance < best or (distance == best and number < label):
                    best, label = distance, number
                place += step
        nearest[point], labels[point] = best, label
