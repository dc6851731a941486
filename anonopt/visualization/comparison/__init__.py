"""Pictures of experiments: algorithms beside each other, each in one call from their file."""

from anonopt.visualization.comparison.attainment import plot_attainment as plot_attainment
from anonopt.visualization.comparison.attainment import (
    plot_attainment_difference as plot_attainment_difference,
)
from anonopt.visualization.comparison.curves import plot_curves as plot_curves
from anonopt.visualization.comparison.differences import (
    plot_critical_differences as plot_critical_differences,
)
from anonopt.visualization.comparison.distributions import plot_boxes as plot_boxes
from anonopt.visualization.comparison.distributions import plot_rainclouds as plot_rainclouds
from anonopt.visualization.comparison.parallel import (
    plot_parallel_coordinates as plot_parallel_coordinates,
)
from anonopt.visualization.comparison.runtimes import plot_ecdf as plot_ecdf
from anonopt.visualization.comparison.runtimes import (
    plot_performance_profiles as plot_performance_profiles,
)
