"""What is measured: privacy, loss, property vectors, and the quality of fronts."""

from anonopt.measures import indicators
from anonopt.measures.accuracy import mean_accuracy, node_accuracy
from anonopt.measures.bivariate import (
    bivariate_difference,
    chi_square,
    chi_square_difference,
)
from anonopt.measures.boxes import box_bound, box_dominates, boxes
from anonopt.measures.check import check
from anonopt.measures.class_table import ClassTable, RowClasses, SuppressionRule, TableFacts
from anonopt.measures.continuous_risk import interval_risk
from anonopt.measures.disclosure_risk import score
from anonopt.measures.loss import glm_measure
from anonopt.measures.measure import Measure
from anonopt.measures.partitions import (
    clustering_loss,
    jaccard_index,
    rand_index,
    wallace_index,
)
from anonopt.measures.properties import PROPERTIES, class_size, sensitive_count, spread
from anonopt.measures.registry import MEASURES, get_measure, list_measures
from anonopt.measures.statistics import NodeStatistics

__all__ = [
    "MEASURES",
    "PROPERTIES",
    "ClassTable",
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
    "node_accuracy",
    "rand_index",
    "score",
    "sensitive_count",
    "spread",
    "wallace_index",
]
