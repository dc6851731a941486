"""Pictures of results; matplotlib is loaded when the first one is drawn."""

from anonopt.visualization.equations import plot_equation, plot_equation_front
from anonopt.visualization.fronts import plot_front
from anonopt.visualization.graphs import Panel, mean_curves, plot_levels
from anonopt.visualization.masking import plot_course, plot_risk_utility
from anonopt.visualization.pram import plot_matrices, plot_matrix_course

__all__ = [
    "Panel",
    "mean_curves",
    "plot_course",
    "plot_equation",
    "plot_equation_front",
    "plot_front",
    "plot_levels",
    "plot_matrices",
    "plot_matrix_course",
    "plot_risk_utility",
]
