"""Pictures of results; matplotlib is loaded when the first one is drawn."""

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
from anonopt.visualization.equations import plot_equation as plot_equation
from anonopt.visualization.equations import plot_equation_front as plot_equation_front
from anonopt.visualization.fronts import plot_front as plot_front
from anonopt.visualization.graphs import Panel as Panel
from anonopt.visualization.graphs import mean_curves as mean_curves
from anonopt.visualization.graphs import plot_levels as plot_levels
from anonopt.visualization.history import plot_history as plot_history
from anonopt.visualization.lattice.animation import animate as animate
from anonopt.visualization.lattice.hasse import plot_lattice as plot_lattice
from anonopt.visualization.lattice.steps.examples import example_search as example_search
from anonopt.visualization.lattice.steps.frames import LatticeFrame as LatticeFrame
from anonopt.visualization.lattice.steps.recorder import Generation as Generation
from anonopt.visualization.lattice.steps.recorder import Mating as Mating
from anonopt.visualization.lattice.steps.recorder import Recorder as Recorder
from anonopt.visualization.lattice.steps.searches import lattice_frames as lattice_frames
from anonopt.visualization.masking.flows import plot_masked_flow as plot_masked_flow
from anonopt.visualization.masking.flows import plot_pram_flow as plot_pram_flow
from anonopt.visualization.masking.label_levels import label_levels as label_levels
from anonopt.visualization.masking.label_levels import plot_recoding as plot_recoding
from anonopt.visualization.masking.plotted_cuts import (
    mondrian_step_by_step as mondrian_step_by_step,
)
from anonopt.visualization.masking.plotted_cuts import plot_mondrian as plot_mondrian
from anonopt.visualization.masking.plotted_groups import (
    groups_step_by_step as groups_step_by_step,
)
from anonopt.visualization.masking.plotted_groups import plot_groups as plot_groups
from anonopt.visualization.matrices import plot_matrices as plot_matrices
from anonopt.visualization.moving.moving_figures import animate_figures as animate_figures
from anonopt.visualization.objectives.box_archive import plot_box_archive as plot_box_archive
from anonopt.visualization.objectives.dominance import plot_dominance as plot_dominance
from anonopt.visualization.report.writing import write_report as write_report
from anonopt.visualization.reproduced import plot_paper_figure as plot_paper_figure
from anonopt.visualization.reproduced import plot_reproduced as plot_reproduced
from anonopt.visualization.risk_utility import plot_risk_utility as plot_risk_utility
