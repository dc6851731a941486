"""The table for teaching: its lattice, and what its lessons rely on."""

from __future__ import annotations

import numpy as np

import anonopt as ao
from anonopt.algorithms import OLA, Datafly, Samarati


def problem():
    return ao.problems.LatticeProblem(ao.load_dataset("patients"), ["generalization_level"], k=3)


def test_lattice_fits_on_a_slide():
    patients = ao.load_dataset("patients")
    assert (patients.n_rows, patients.lattice.heights) == (20, (3, 3, 1))
    assert patients.lattice.size == 32
    assert np.bincount(patients.lattice.nodes().sum(axis=1)).tolist() == [1, 3, 5, 7, 7, 5, 3, 1]


def test_searches_end_where_the_lessons_say():
    ola, samarati, datafly = (ao.solve(problem(), search()) for search in (OLA, Samarati, Datafly))
    minimal = {tuple(node) for node in ola.algorithm.minimal_nodes.tolist()}
    assert minimal == {(1, 3, 1), (2, 2, 1), (2, 3, 0), (3, 0, 1)}
    assert ola.X.tolist() == [[2, 3, 0]]
    assert samarati.X.tolist() == [[3, 0, 1]]
    assert datafly.X.tolist() == [[3, 3, 0]]


def test_best_node_tells_the_diagnosis_of_a_class():
    patients = ao.load_dataset("patients")
    table = patients.apply((2, 3, 0))
    classes = table.groupby(["age", "postcode", "sex"])["diagnosis"].agg(["size", "nunique"])
    assert classes["size"].min() == 3
    (alone,) = classes.index[classes["nunique"] == 1]
    assert alone == ("[0,30)", "*", "female")
