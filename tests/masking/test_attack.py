"""What is found out by an attacker who knows the method, with and without its seed."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.masking import MDAV, PRAM, AdditiveNoise, CorrelatedNoise, RankSwapping
from anonopt.masking.attack import attack
from tests.oracles import known_methods as oracle


@pytest.fixture
def incomes():
    return pd.DataFrame({"income": np.random.default_rng(3).permutation(5999) * 10})


def test_known_seed_undoes_rank_swapping(incomes):
    masked = RankSwapping(p=10, random_state=42).fit_transform(incomes)
    assert (masked != incomes).any(axis=None)
    assert attack(incomes, masked, RankSwapping(p=10, random_state=42))["undone"] == 100
    assert attack(incomes, masked, RankSwapping(p=10, random_state=43))["undone"] < 1
    found = attack(incomes, masked, RankSwapping(p=10))
    assert np.isnan(found["undone"])
    assert found["assumed"] == "the method RankSwapping(p=10), not the seed"
    assert found["linked"] == ao.compare(incomes, masked, p=10)["RSRL"]


def test_linkage_of_ordered_categories_is_that_of_compare():
    frame = pd.DataFrame({"x": np.random.default_rng(1).choice(list("abcde"), 60)})
    method = RankSwapping(p=20, ordinal={"x": None}, random_state=1)
    masked = method.fit_transform(frame)
    wanted = ao.compare(frame, masked, ordinal={"x": None}, p=20)["RSRL"]
    assert attack(frame, masked, method)["linked"] == wanted


@pytest.fixture
def people():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"zone": rng.choice(list("abcd"), 80), "job": rng.choice(list("xyz"), 80)})
    frame.loc[[3, 7], "zone"] = None
    return frame


def test_known_matrices_link_by_posterior(people):
    method = PRAM("diagonal", theta=0.4, random_state=9)
    masked = method.fit_transform(people)
    matrices = [method.matrices_[name][0].probabilities for name in people]
    whole = np.eye(5)
    whole[:4, :4] = matrices[0]
    columns = ao.data.CategoricalColumns.of(people)
    wanted = oracle.matrix_linkage(
        columns.codes.tolist(), columns.encode(masked).tolist(), [whole, matrices[1]]
    )
    found = attack(people, masked, PRAM("diagonal", theta=0.4))
    assert found["linked"] == pytest.approx(wanted)
    assert found["linked"] > 0
    assert np.isnan(found["undone"])


def test_known_draws_tell_the_originals_that_they_allow(people):
    method = PRAM("uniform", random_state=9)
    # Every category becomes the drawn one: the draws tell nothing; missing cells stay.
    found = attack(people, method.fit_transform(people), method)
    assert found["undone"] == pytest.approx(100 * 2 / 160)
    same = PRAM("identity", random_state=9)
    assert attack(people, people, same)["undone"] == 100
    half = PRAM("maximum_entropy", p=0.5, random_state=9)
    assert 20 < attack(people, half.fit_transform(people), half)["undone"] < 100


def test_faults(people):
    with pytest.raises(TypeError, match=r"protects by chance.*MDAV"):
        attack(people, people, MDAV(k=3))
    with pytest.raises(ValueError, match="random_state: expected the seed that is known"):
        attack(people, people, PRAM("uniform", random_state=np.random.default_rng(1)))
    with pytest.raises(ValueError, match="strata: expected none"):
        attack(people, people, PRAM("uniform", columns=["zone"], strata=["job"]))


@pytest.fixture
def numbers():
    rng = np.random.default_rng(8)
    x = rng.gamma(2, 10, 90)
    frame = pd.DataFrame({"x": x, "y": x + rng.normal(0, 4, 90), "n": rng.integers(0, 500, 90)})
    frame.loc[[2, 5], "y"] = np.nan
    return frame


METHODS = [
    AdditiveNoise(share=0.3),
    CorrelatedNoise(share=0.3),
    CorrelatedNoise(share=0.3, keep_moments=True),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_known_noise_is_subtracted_by_who_knows_the_seed(numbers, method):
    if getattr(method, "keep_moments", False):
        # Stretched back, a rounded number may be next to the original.
        numbers = numbers.drop(columns="n")
    known = copy.copy(method).set_params(random_state=3)
    masked = known.fit_transform(numbers)
    found = attack(numbers, masked, known)
    assert found["undone"] > 99
    assert attack(numbers, masked, known.set_params(random_state=4))["undone"] < 10
    alone = attack(numbers, masked, method)
    assert np.isnan(alone["undone"])
    assert found["linked"] == alone["linked"] > 20


def test_known_noise_links_by_its_covariance(numbers):
    frame = numbers[["x", "n"]]
    masked = AdditiveNoise(share=0.4, random_state=1).fit_transform(frame)
    x, y = (file.to_numpy(float) for file in (frame, masked))
    wanted = oracle.noise_linkage(x, y, np.diag(x.var(axis=0, ddof=1)))
    assert attack(frame, masked, AdditiveNoise(share=0.4))["linked"] == pytest.approx(wanted)
    method = CorrelatedNoise(share=0.4, random_state=1)
    frame = numbers[["x", "y"]].dropna()
    masked = method.fit_transform(frame)
    x, y = (file.to_numpy(float) for file in (frame, masked))
    wanted = oracle.noise_linkage(x, y, np.cov(x.T))
    assert attack(frame, masked, method)["linked"] == pytest.approx(wanted)


def test_noise_leaves_missing_cells_where_they_are(numbers):
    masked = AdditiveNoise(share=0.4, random_state=1).fit_transform(numbers)
    masked.loc[7, "y"] = np.nan
    with pytest.raises(ValueError, match=r"'y': expected the same cells missing.*row 7"):
        attack(numbers, masked, AdditiveNoise(share=0.4))
