"""What releases tell, against plain loops over the rows."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import anonopt as ao
from anonopt.teaching import class_sizes, exposure, patients_register, rows_together

PATIENTS = ao.load_dataset("patients")
NAMES = list(PATIENTS.quasi_identifiers)
NODES = PATIENTS.lattice.nodes().tolist()


def labels_of(node):
    return [tuple(row) for row in PATIENTS.apply(node)[NAMES].to_numpy().tolist()]


@pytest.mark.parametrize("nodes", [[NODES[0]], [NODES[-1]], [[1, 3, 1], [3, 0, 1]], NODES[5::9]])
def test_exposure_is_what_a_reader_can_conclude(nodes):
    told = exposure(PATIENTS, nodes)
    every = [labels_of(node) for node in nodes]
    diagnoses = PATIENTS.frame["diagnosis"].tolist()
    for row in range(PATIENTS.n_rows):
        with_it = [
            other
            for other in range(PATIENTS.n_rows)
            if all(labels[other] == labels[row] for labels in every)
        ]
        possible = set(diagnoses)
        for labels in every:
            possible &= {
                d for d, label in zip(diagnoses, labels, strict=True) if label == labels[row]
            }
        assert told.loc[row, "rows"] == len(with_it)
        assert told.loc[row, "values"] == ", ".join(sorted(possible))
        assert told.loc[row, "n_values"] == len(possible) >= 1
    np.testing.assert_array_equal(rows_together(PATIENTS, nodes), told["rows"])


def test_more_releases_never_tell_less():
    for first, second in itertools.combinations(NODES[::7], 2):
        both = exposure(PATIENTS, [first, second])
        for alone in (exposure(PATIENTS, [first]), exposure(PATIENTS, [second])):
            assert (both["rows"] <= alone["rows"]).all()
            assert (both["n_values"] <= alone["n_values"]).all()


def test_class_sizes_are_those_of_the_table():
    for node in NODES[::5]:
        found = class_sizes(PATIENTS, node)
        labels = labels_of(node)
        assert sorted(found["rows"]) == sorted(labels.count(label) for label in set(labels))
        assert found["rows"].is_monotonic_decreasing


def test_the_register_is_that_of_the_patients():
    register = patients_register(PATIENTS)
    assert register["name"].is_unique
    assert register["name"].is_monotonic_increasing
    assert register[NAMES].equals(PATIENTS.frame[NAMES])


def test_wrong_input_is_named():
    with pytest.raises(ValueError, match="expected at least one release"):
        exposure(PATIENTS, [])
    with pytest.raises(ValueError, match="expected at least one release"):
        rows_together(PATIENTS, [])
    plain = ao.Microdata(
        PATIENTS.frame, quasi_identifiers=["age"], hierarchies={"age": PATIENTS.hierarchies["age"]}
    )
    with pytest.raises(ValueError, match="sensitive column, found none"):
        exposure(plain, [[1]])
    with pytest.raises(ValueError, match="expected 20 rows, found 1000"):
        patients_register(ao.load_dataset("german"))
