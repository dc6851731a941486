"""Problems of local recodings: the rule, k by a key, twins of other genomes, refusals."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding import lattice_groups
from anonopt.problems import LatticeProblem, LocalRecodingProblem
from anonopt.problems.keyed_recodings import K_KEY
from anonopt.problems.spaces import Groups
from tests.contracts.problem_kinds import small_table, some_genomes

NAMES = ["age", "zip", "sex"]


def problem(**options) -> LocalRecodingProblem:
    return LocalRecodingProblem(small_table(), ["glm"], **{"k": 3, **options})


def class_sizes(frame: pd.DataFrame) -> pd.Series:
    return frame.groupby(NAMES).size()


@pytest.mark.parametrize("cuts", ["strict", "relaxed", "balanced"])
def test_files_hold_k_and_lose_what_is_measured(cuts):
    table, own = small_table(), problem(cuts=cuts, k=4, suppression=3)
    X = some_genomes(own, 6)
    F, G = own.evaluate(X, return_values_of=["F", "G"])
    assert (G <= 0).all()
    for x, (glm,) in zip(X, F, strict=True):
        frame, mask = own.protect(x), own.suppressed_rows(x)
        assert class_sizes(frame[~mask]).min() >= 4
        assert mask.sum() <= 3
        assert (frame.loc[mask, NAMES] == "*").all(axis=None)
        losses = own.evaluator.attribute_loss(own.groups(x))["glm"]
        assert losses.sum() == pytest.approx(glm)
        pd.testing.assert_series_equal(frame["illness"], table.frame["illness"])


def test_class_bounds_hold_in_every_class():
    own = problem(class_bounds={"l": 2}, suppression=0.1)
    x = np.full(own.n_var, 0.5)
    frame, mask = own.protect(x), own.suppressed_rows(x)
    assert frame[~mask].groupby(NAMES)["illness"].nunique().min() >= 2


def test_a_key_chooses_k_on_a_logarithmic_scale():
    own = LocalRecodingProblem(small_table(), ["k", "glm"], k=(2, 32))
    assert own.space.names[-1] == K_KEY
    X = np.full((5, own.n_var), 0.5)
    X[:, -1] = [0, 0.25, 0.5, 0.75, 1]
    assert [own.k_of(x) for x in X] == [2, 4, 8, 16, 32]
    F, G = own.evaluate(X, return_values_of=["F", "G"])
    assert (G <= 0).all()
    assert (own.natural(F)[:, 0] >= [2, 4, 8, 16, 32]).all()
    assert own.protect(X[2]).groupby(NAMES).size().min() >= 8
    assert own.with_genome("groups").k_of(own.with_genome("groups").space.genomes(
        [own.groups(X[2])])[0]) == 2  # fmt: skip


def test_twins_measure_a_recoding_alike():
    keys = LocalRecodingProblem(
        small_table(), ["glm", "l"], {"l": 2}, k=4, suppression=0.05, weights={"age": 3.0}
    ).recording(["discernibility"])
    groups = keys.with_genome("groups")
    assert groups.with_genome("groups") is groups
    X = some_genomes(keys, 8)
    twins = groups.space.genomes([keys.groups(x) for x in X])
    first, second = (
        one.evaluate(found, return_as_dictionary=True)
        for one, found in ((keys, X), (groups, twins))
    )
    for name in ("F", "G", "anon_discernibility"):
        np.testing.assert_array_equal(first[name], second[name])
    assert groups.constraint_names == keys.constraint_names == ("l", "suppression")
    assert groups.fingerprint != keys.fingerprint
    back = groups.with_genome("keys")
    assert back.fingerprint == keys.fingerprint
    np.testing.assert_array_equal(back.evaluate(X, return_values_of=["F"]), first["F"])


def test_nodes_stand_in_the_same_comparison():
    rule = {"k": 4, "suppression": 0.1}
    lattice = LatticeProblem(small_table(), ["glm", "precision_loss"], **rule)
    local = LocalRecodingProblem(small_table(), ["glm", "precision_loss"], genome="groups", **rule)
    X, F = lattice.pareto_set_and_front()
    x = local.space.genomes([lattice_groups(small_table(), node, **rule) for node in X])
    np.testing.assert_array_equal(local.evaluate(x, return_values_of=["F"]), F)
    pd.testing.assert_frame_equal(local.protect(x[0]), lattice.protect(X[0]))


def test_what_misses_the_rule_is_suppressed_and_may_be_infeasible():
    own = problem(genome="groups", k=61)
    x = own.space.genomes([own.space.top()])[0]
    F, G = own.evaluate(x[np.newaxis], return_values_of=["F", "G"])
    assert (F.item(), G.item()) == (3 * 60, 1.0)
    assert own.suppressed_rows(x).all()
    with pytest.raises(ValueError, match="misses suppression"):
        own.protect(x)
    keys = own.with_genome("keys")
    assert keys.evaluate(np.full(keys.n_var, 0.5), return_values_of=["G"])[0] == 1.0


def test_recodings_of_equal_files_are_one_genome():
    own = problem(genome="groups")
    halves = np.arange(60) % 2
    top = own.space.top()
    for groups in (halves, 1 - halves):
        two = RecodedGroups(groups, lows=top.lows.repeat(2, 0), highs=top.highs.repeat(2, 0))
        assert own.space.key(own.space.genomes([two])[0]) == top.digest
        assert str(two) == str(top) and two != top
    assert pickle.loads(pickle.dumps(top)).digest == top.digest
    apart = top.suppressing([True])
    assert apart.digest != top.digest


def test_genomes_that_are_no_recodings_of_the_table_are_refused():
    space = problem(genome="groups").space
    assert isinstance(space, Groups)
    genome = space.genomes([space.top()])[0]
    assert space.checked_one(genome)[0] is genome[0]
    strange = np.array(["a recoding"], dtype=object)
    with pytest.raises(TypeError, match="expected a genome that is a RecodedGroups, found 'a rec"):
        space.checked_one(strange)
    with pytest.raises(ValueError, match="expected an object array"):
        space.checked(np.zeros((1, 1)))
    short = RecodedGroups([0], lows=[[0, 0, 0]], highs=[[0, 0, 0]])
    with pytest.raises(ValueError, match="expected those of 60 rows"):
        space.checked(space.genomes([short]))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 0}, ValueError, "k: expected"),
        ({"k": 2.5}, TypeError, "k: expected"),
        ({"k": "3"}, TypeError, "k: expected"),
        ({"k": (2, 3, 4)}, ValueError, r"k: expected a number or a pair"),
        ({"k": (9, 3)}, ValueError, r"k: expected lowest <= highest, found \(9, 3\)"),
        ({"cuts": "sideways"}, ValueError, "cuts: expected"),
        ({"genome": "levels"}, ValueError, "genome: expected"),
        ({"weights": {"height": 1}}, ValueError, "weights: 'height' is not a quasi-identifier"),
        ({"class_bounds": {"glm": 1}}, ValueError, "expected measures of single classes"),
        ({"constraints": {"cm": 1}}, ValueError, "needs a target column"),
        ({"suppression": 1.5}, ValueError, "suppression: expected"),
    ],
)
def test_wrong_options_are_refused_when_the_problem_is_made(options, error, message):
    with pytest.raises(error, match=message):
        problem(**options)
    with pytest.raises(ValueError, match="genome: expected"):
        problem().with_genome("trees")


def test_labels_that_stand_for_different_values_are_refused_when_the_problem_is_made():
    zone = ao.Hierarchy([["A", "B", "C", "D"], ["A", "A", "C", "C"], ["*"] * 4])
    table = ao.Microdata(
        pd.DataFrame({"zone": list("ABCD")}), quasi_identifiers=["zone"], hierarchies={"zone": zone}
    )
    with pytest.raises(ValueError, match=r"column 'zone': expected labels .* found 'A' on levels"):
        LocalRecodingProblem(table, ["glm"], k=2)


def test_whatever_decides_objectives_is_part_of_the_fingerprint():
    options = [
        {}, {"k": 4}, {"k": (3, 4)}, {"suppression": 1}, {"cuts": "strict"},
        {"genome": "groups"}, {"weights": {"age": 2}}, {"class_bounds": {"l": 2}},
    ]  # fmt: skip
    assert len({problem(**one).fingerprint for one in options}) == len(options)
    assert problem().fingerprint == problem(accelerator="numpy").fingerprint


def test_notebooks_and_text_tell_the_rule():
    shown = problem(k=(3, 9), suppression=2, class_bounds={"l": 2})._repr_html_()
    for text in ("3..9", "rows that may be suppressed", "balanced", "l &gt;= 2"):
        assert text in shown
    assert "k=(3, 9)" in repr(problem(k=(3, 9)))
    assert "k=3," in repr(problem())
    groups = problem(genome="groups")
    text = groups.space.text(groups.space.genomes([groups.space.top()])[0])
    assert text.startswith("recoding=1 class ")
