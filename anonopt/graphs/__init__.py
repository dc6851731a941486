"""Social graphs: protecting what the nodes say (Mares 2013, Chapter 6)."""

from anonopt.graphs.attributes.gazetteer import gazetteer_locations
from anonopt.graphs.attributes.keyword_classifier import KeywordClassifier
from anonopt.graphs.attributes.location_tables import location_table, packaged_locations
from anonopt.graphs.attributes.locations import LOCATION_LEVELS, LocationHierarchy
from anonopt.graphs.attributes.topics import TOPIC_NAMES, TopicClassifier, most_frequent_topics
from anonopt.graphs.clustering import cluster_by_visits, cluster_nodes
from anonopt.graphs.degree_anonymity import anonymize_degrees, anonymous_degrees, edge_loss
from anonopt.graphs.files.networkx_conversion import from_networkx, karate_club, to_networkx
from anonopt.graphs.files.reading import read_graph
from anonopt.graphs.files.writing import write_graph
from anonopt.graphs.generator import PUBLISHED, generate_graph, social_network
from anonopt.graphs.measures.comparison import aligned, compare_graphs
from anonopt.graphs.measures.distances import NodeDistances
from anonopt.graphs.measures.loss import (
    aamil,
    adjacency_loss,
    cdil,
    dbil,
    distance_loss,
    distribution_loss,
)
from anonopt.graphs.measures.risk import disclosure_risk, matched_nodes
from anonopt.graphs.measures.statistics import graph_statistics
from anonopt.graphs.microdata import extract_microdata
from anonopt.graphs.protection import protect_graph, substitute_values
from anonopt.graphs.social_graph import SocialGraph

__all__ = [
    "LOCATION_LEVELS",
    "PUBLISHED",
    "TOPIC_NAMES",
    "KeywordClassifier",
    "LocationHierarchy",
    "NodeDistances",
    "SocialGraph",
    "TopicClassifier",
    "aamil",
    "adjacency_loss",
    "aligned",
    "anonymize_degrees",
    "anonymous_degrees",
    "cdil",
    "cluster_by_visits",
    "cluster_nodes",
    "compare_graphs",
    "dbil",
    "disclosure_risk",
    "distance_loss",
    "distribution_loss",
    "edge_loss",
    "extract_microdata",
    "from_networkx",
    "gazetteer_locations",
    "generate_graph",
    "graph_statistics",
    "karate_club",
    "location_table",
    "matched_nodes",
    "most_frequent_topics",
    "packaged_locations",
    "protect_graph",
    "read_graph",
    "social_network",
    "substitute_values",
    "to_networkx",
    "write_graph",
]
