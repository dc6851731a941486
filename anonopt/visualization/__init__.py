"""Pictures of results; matplotlib is loaded when the first one is drawn."""

from anonopt.visualization.fronts import plot_front

__all__ = ["plot_front"]
