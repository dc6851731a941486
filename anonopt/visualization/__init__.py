"""Pictures of results; matplotlib is loaded when the first one is drawn."""

from anonopt.visualization.equations import plot_equation as plot_equation
from anonopt.visualization.equations import plot_equation_front as plot_equation_front
from anonopt.visualization.fronts import plot_front as plot_front
from anonopt.visualization.graphs import Panel as Panel
from anonopt.visualization.graphs import mean_curves as mean_curves
from anonopt.visualization.graphs import plot_levels as plot_levels
from anonopt.visualization.history import plot_history as plot_history
from anonopt.visualization.matrices import plot_matrices as plot_matrices
from anonopt.visualization.reproduced import plot_paper_figure as plot_paper_figure
from anonopt.visualization.reproduced import plot_reproduced as plot_reproduced
from anonopt.visualization.risk_utility import plot_risk_utility as plot_risk_utility
