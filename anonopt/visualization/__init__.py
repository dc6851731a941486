"""Pictures of results; matplotlib is loaded when the first one is drawn."""

from anonopt.visualization.equations import plot_equation, plot_equation_front
from anonopt.visualization.fronts import plot_front
from anonopt.visualization.graphs import Panel, mean_curves, plot_levels
from anonopt.visualization.history import plot_history
from anonopt.visualization.matrices import plot_matrices
from anonopt.visualization.risk_utility import plot_risk_utility

__all__ = [
    "Panel",
    "mean_curves",
    "plot_equation",
    "plot_equation_front",
    "plot_front",
    "plot_history",
    "plot_levels",
    "plot_matrices",
    "plot_risk_utility",
]
