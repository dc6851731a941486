"""Lattices as Hasse diagrams, and searches of them step by step."""

from anonopt.visualization.lattice.animation import animate as animate
from anonopt.visualization.lattice.hasse import plot_lattice as plot_lattice
from anonopt.visualization.lattice.steps.examples import example_search as example_search
from anonopt.visualization.lattice.steps.frames import LatticeFrame as LatticeFrame
from anonopt.visualization.lattice.steps.recorder import Generation as Generation
from anonopt.visualization.lattice.steps.recorder import Mating as Mating
from anonopt.visualization.lattice.steps.recorder import Recorder as Recorder
from anonopt.visualization.lattice.steps.searches import lattice_frames as lattice_frames
