"""What is measured: privacy, loss, property vectors, and the quality of fronts."""

from anonopt.measures.categorical.bivariate import (
    bivariate_difference,
    chi_square,
    chi_square_difference,
)
from anonopt.measures.categorical.disclosure_risk import score
from anonopt.measures.categorical.partition_agreement import (
    clustering_loss,
    jaccard_index,
    rand_index,
    wallace_index,
)
from anonopt.measures.continuous.continuous_risk import interval_risk
from anonopt.measures.fronts import indicators
from anonopt.measures.fronts.accuracy import mean_accuracy, node_accuracy
from anonopt.measures.fronts.boxes import box_bound, box_dominates, boxes
from anonopt.measures.lattice.check import check
from anonopt.measures.lattice.class_table import (
    Classes,
    ClassTable,
    RowClasses,
    SuppressionRule,
    TableFacts,
)
from anonopt.measures.lattice.loss import glm_measure
from anonopt.measures.lattice.properties import PROPERTIES, class_size, sensitive_count, spread
from anonopt.measures.lattice.statistics import NodeStatistics
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES, get_measure, list_measures, measure_names

__all__ = [
    "MEASURES",
    "PROPERTIES",
    "ClassTable",
    "Classes",
    "Measure",
    "NodeStatistics",
    "RowClasses",
    "SuppressionRule",
    "TableFacts",
    "bivariate_difference",
    "box_bound",
    "box_dominates",
    "boxes",
    "check",
    "chi_square",
    "chi_square_difference",
    "class_size",
    "clustering_loss",
    "get_measure",
    "glm_measure",
    "indicators",
    "interval_risk",
    "jaccard_index",
    "list_measures",
    "mean_accuracy",
    "measure_names",
    "node_accuracy",
    "rand_index",
    "score",
    "sensitive_count",
    "spread",
    "wallace_index",
]
