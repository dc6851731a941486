"""Data anonymization as optimization, for pymoo and DEAP.

The way through the library, one step a line:

1. a table and its hierarchies become a :class:`Microdata` (or :func:`load_dataset` brings one);
2. a problem from :mod:`anonopt.problems`, or :func:`get_problem`, says what is traded off;
3. :func:`solve` runs an algorithm of :mod:`anonopt.algorithms` under a budget;
4. ``result.front`` is the set of best trade-offs, in natural units;
5. :meth:`Microdata.apply` gives the protected table of one of them.

:class:`LatticeEvaluator` measures nodes of the generalization lattice without any search,
:func:`check` tells how anonymous a table already is, and :mod:`anonopt.indicators` compares fronts.
:class:`~anonopt.experiments.Experiment` compares algorithms over problems and seeds.

Names are loaded when they are first used, so ``import anonopt`` itself is immediate.

Examples
--------
>>> import anonopt
>>> "solve" in dir(anonopt)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anonopt import algorithms as algorithms
    from anonopt import data as data
    from anonopt import evaluation as evaluation
    from anonopt import experiments as experiments
    from anonopt import graphs as graphs
    from anonopt import masking as masking
    from anonopt import measures as measures
    from anonopt import operators as operators
    from anonopt import problems as problems
    from anonopt import runs as runs
    from anonopt import sources as sources
    from anonopt import teaching as teaching
    from anonopt import visualization as visualization
    from anonopt._registry import register as register
    from anonopt._version import __version__ as __version__
    from anonopt.algorithms import get_algorithm as get_algorithm
    from anonopt.algorithms import list_algorithms as list_algorithms
    from anonopt.algorithms.toolbox import deap_toolbox as deap_toolbox
    from anonopt.data import Hierarchy as Hierarchy
    from anonopt.data import Lattice as Lattice
    from anonopt.data import Microdata as Microdata
    from anonopt.data import get_dataset as get_dataset
    from anonopt.data import list_datasets as list_datasets
    from anonopt.data import load_dataset as load_dataset
    from anonopt.evaluation import LatticeEvaluator as LatticeEvaluator
    from anonopt.evaluation import MaskingEvaluator as MaskingEvaluator
    from anonopt.evaluation.comparison.compare import compare as compare
    from anonopt.evaluation.comparison.compare_files import compare_files as compare_files
    from anonopt.masking import get_method as get_method
    from anonopt.masking import list_methods as list_methods
    from anonopt.masking.attack import attack as attack
    from anonopt.measures import Measure as Measure
    from anonopt.measures import get_measure as get_measure
    from anonopt.measures import indicators as indicators
    from anonopt.measures import list_measures as list_measures
    from anonopt.measures.lattice.check import check as check
    from anonopt.operators import get_operator as get_operator
    from anonopt.operators import list_operators as list_operators
    from anonopt.problems import get_problem as get_problem
    from anonopt.problems import list_problems as list_problems
    from anonopt.runs import Result as Result
    from anonopt.runs import resume_run as resume_run
    from anonopt.runs import save_run as save_run
    from anonopt.runs import solve as solve
else:
    # Hidden from type checkers: a visible __getattr__ would turn every misspelt name into Any.
    from anonopt._lazy import load_late

    _PLACES, __getattr__, __dir__ = load_late(
        "anonopt",
        {
            "": "algorithms data evaluation experiments graphs masking measures operators "
            "problems runs sources teaching visualization",
            "_registry": "register",
            "_version": "__version__",
            "algorithms": "get_algorithm list_algorithms",
            "algorithms.toolbox": "deap_toolbox",
            "data": "Hierarchy Lattice Microdata get_dataset list_datasets load_dataset",
            "evaluation": "LatticeEvaluator MaskingEvaluator",
            "evaluation.comparison.compare": "compare",
            "evaluation.comparison.compare_files": "compare_files",
            "masking": "get_method list_methods",
            "masking.attack": "attack",
            "measures": "Measure get_measure indicators list_measures",
            "measures.lattice.check": "check",
            "operators": "get_operator list_operators",
            "problems": "get_problem list_problems",
            "runs": "Result resume_run save_run solve",
        },
    )
    __all__ = sorted(_PLACES)
