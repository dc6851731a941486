"""Figures of PRAM matrices: by draws, by common random numbers and by expectation."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest

from anonopt.data import CategoricalColumns, masking_set
from anonopt.evaluation import MaskingEvaluator, PRAMScore
from anonopt.evaluation.pram.expected_counts import (
    agreement_counts,
    expected_differences,
    masked_counts,
)
from anonopt.evaluation.pram.pram_score import full_matrices
from anonopt.masking import pram_matrix
from anonopt.measures.categorical.information_loss import matrix_entropy_loss
from anonopt.measures.categorical.record_linkage import (
    agreement_shares,
    match_probabilities,
    pattern_ranks,
)
from anonopt.measures.categorical.step_distances import StepDistances
from tests.oracles import pram as oracle


@pytest.fixture(scope="module")
def small() -> CategoricalColumns:
    """An ordinal column, a nominal one, and one of a single category."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "grade": rng.choice([1, 2, 3], 9, p=[0.5, 0.3, 0.2]),
            "zone": rng.choice(["a", "b"], 9),
            "only": ["x"] * 9,
        }
    )
    return CategoricalColumns.of(frame, ordinal={"grade": [1, 2, 3]})


@pytest.fixture(scope="module")
def german() -> CategoricalColumns:
    return masking_set("german").categorical


def matrices_of(columns: CategoricalColumns, name: str = "frequency", **options: float) -> list:
    return [
        pram_matrix(name, np.bincount(columns.codes[:, j], minlength=n), **options)
        for j, n in enumerate(columns.n_categories)
    ]


def test_figures_are_means_over_the_drawn_files(german):
    score = PRAMScore(german, seed=3)
    matrices = matrices_of(german, p=0.5)
    files = score.masked(matrices)
    assert len(files) == 5
    assert len({codes.tobytes() for codes in files}) == 5
    figures = [MaskingEvaluator(german).measure(codes).figures() for codes in files]
    found = score.figures(matrices)
    for name in ("DBIL", "IL", "PRL", "DR"):
        assert getattr(found, name) == pytest.approx(
            np.mean([getattr(one, name) for one in figures])
        )
    assert found.score_max == pytest.approx(np.mean([max(one.IL, one.DR) for one in figures]))
    assert found.score_mean == pytest.approx((found.IL + found.DR) / 2)


@pytest.mark.parametrize("options", [{}, {"common": True}, {"expected": True}])
@pytest.mark.usefixtures("entropy_guard")
def test_figures_depend_on_the_matrices_and_the_seed_alone(german, options):
    score = PRAMScore(german, seed=3, **options)
    matrices, others = matrices_of(german, p=0.5), matrices_of(german, p=0.6)
    first = score.figures(matrices)
    assert score.figures(others) != first
    assert score.figures(matrices) == first
    assert pickle.loads(pickle.dumps(score)).figures(matrices) == first
    assert (PRAMScore(german, seed=4, **options).figures(matrices) == first) is (
        "expected" in options
    )


def test_identity_loses_nothing(german):
    for options in ({}, {"common": True}, {"expected": True}):
        figures = PRAMScore(german, seed=1, **options).figures([None] * 3)
        assert (figures.IL, figures.ID) == (0, 100)
        original = MaskingEvaluator(german).measure(german.codes).figures()
        assert figures.DBRL == pytest.approx(original.DBRL)
        assert figures.PRL == pytest.approx(original.PRL)


def every_file(columns: CategoricalColumns, matrices: list) -> tuple[list, np.ndarray]:
    """All files that matrices can make of the first rows, and their probabilities."""
    rows = [
        list(itertools.product(*(range(n) for n in columns.n_categories)))
        for _ in range(columns.n_rows)
    ]
    files, chances = [], []
    for file in itertools.product(*rows):
        chance = 1.0
        for original, masked in zip(columns.codes.tolist(), file, strict=True):
            for matrix, before, after in zip(matrices, original, masked, strict=True):
                chance *= matrix[before, after]
        files.append(np.array(file))
        chances.append(chance)
    return files, np.array(chances)


def test_linear_figures_are_expectations_over_all_files():
    frame = pd.DataFrame({"grade": [1, 2, 2, 3], "zone": ["a", "b", "a", "a"]})
    columns = CategoricalColumns.of(frame, ordinal={"grade": [1, 2, 3]})
    matrices = [
        np.array([[0.6, 0.4, 0.0], [0.2, 0.5, 0.3], [0.0, 0.1, 0.9]]),
        np.array([[0.7, 0.3], [0.5, 0.5]]),
    ]
    files, chances = every_file(columns, matrices)
    assert chances.sum() == pytest.approx(1)
    evaluator = MaskingEvaluator(columns)
    possible = chances > 0
    figures = np.array(
        [
            evaluator.measure(file).values(["DBIL", "ID", "DBRL"])
            for file, is_possible in zip(files, possible, strict=True)
            if is_possible
        ]
    )
    found = PRAMScore(columns, expected=True).figures(matrices)
    np.testing.assert_allclose(
        found.values(["DBIL", "ID", "DBRL"]), chances[possible] @ figures, rtol=1e-12
    )


def test_entropy_loss_is_that_of_the_matrices(small):
    matrices = matrices_of(small, p=0.4)
    expected = [
        matrix_entropy_loss(matrix, np.bincount(small.codes[:, j], minlength=len(matrix)))
        for j, matrix in enumerate(matrices)
    ]
    found = PRAMScore(small, expected=True).figures(matrices)
    assert found.EBIL == pytest.approx(np.mean(expected))


def expected_linkage(columns: CategoricalColumns, matrices: list, whole=np.rint) -> float:
    """PRL in loops: pairs that are expected of each pattern, in whole numbers; then the credit."""
    originals = columns.codes.tolist()
    records = list(itertools.product(*(range(n) for n in columns.n_categories)))
    chances = [
        [
            np.prod([P[a, b] for P, a, b in zip(matrices, row, record, strict=True)])
            for row in originals
        ]
        for record in records
    ]

    def pattern(one, other):
        return sum(1 << j for j, (a, b) in enumerate(zip(one, other, strict=True)) if a == b)

    pairs = np.zeros(1 << len(matrices))
    for record, chance in zip(records, chances, strict=True):
        for original in originals:
            pairs[pattern(original, record)] += sum(chance)
    counts = whole(pairs).astype(np.int64)
    u = agreement_shares(counts, len(matrices))
    ranks = pattern_ranks(match_probabilities(counts, u, len(originals)), u)
    credit = 0.0
    for record, chance in zip(records, chances, strict=True):
        found = [ranks[pattern(original, record)] for original in originals]
        linked = [i for i, rank in enumerate(found) if rank == max(found)]
        credit += sum(chance[i] for i in linked) / len(linked)
    return 100 * credit / len(originals)


@pytest.mark.parametrize("accelerator", ["numpy", "numba"])
@pytest.mark.parametrize("seed", [7, 17, 26, 59, 84])
def test_expected_pairs_are_rounded_to_the_nearest_whole_number(seed, accelerator):
    rng = np.random.default_rng(seed)
    n_more = int(rng.integers(4, 9)) - 3
    frame = pd.DataFrame(
        {
            "zone": [*"uvw", *rng.choice([*"uvw"], n_more)],
            "sex": [*"xyx", *rng.choice([*"xy"], n_more)],
        }
    )
    columns = CategoricalColumns.of(frame)
    matrices = [rng.dirichlet(np.ones(n), n) for n in columns.n_categories]
    score = PRAMScore(columns, expected=True, accelerator=accelerator)
    expected = expected_linkage(columns, matrices)
    assert abs(expected - expected_linkage(columns, matrices, np.floor)) > 1
    assert score.figures(matrices).PRL == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("name", "options"), [("frequency", {"p": 0.5}), ("diagonal", {})])
def test_expected_figures_are_near_the_mean_of_many_draws(german, name, options):
    matrices = matrices_of(german, name, **options)
    drawn = PRAMScore(german, seed=1, draws=300).figures(matrices)
    expected = PRAMScore(german, expected=True).figures(matrices)
    for figure, tolerance in {"DBIL": 0.2, "CTBIL": 0.2, "ID": 0.3, "DBRL": 0.1, "DR": 0.3}.items():
        assert getattr(expected, figure) == pytest.approx(getattr(drawn, figure), abs=tolerance)
    # A drawn file is one sample of its matrix, so less of it is unknown.
    assert drawn.EBIL < expected.EBIL < drawn.EBIL + 1.5
    assert expected.IL == pytest.approx(drawn.IL, abs=0.6)


def test_linkage_of_drawn_files_is_that_of_all_pairs(small):
    score = PRAMScore(small, seed=1, draws=1)
    matrices = matrices_of(small, p=0.5)
    (codes,) = score.masked(matrices)
    steps = StepDistances.of(small)
    distances = [steps.table(j) / scale for j, scale in enumerate(steps.scales)]
    slow = oracle.linked_share(small, distances, codes)
    assert score.figures(matrices).DBRL == pytest.approx(slow)


def test_common_numbers_take_the_noise_out_of_differences(german):
    one, other = matrices_of(german, p=0.50), matrices_of(german, p=0.51)
    spreads = []
    for common in (False, True):
        differences = [
            score.figures(one).IL - score.figures(other).IL
            for score in (PRAMScore(german, seed=seed, common=common) for seed in range(30))
        ]
        spreads.append(np.std(differences))
    assert spreads[1] < spreads[0] / 2


def test_missing_cells_stay_unless_their_category_is_in_the_matrix():
    frame = pd.DataFrame({"zone": ["a", "b", None, "b"] * 50})
    columns = CategoricalColumns.of(frame)
    is_missing = columns.codes[:, 0] == 2
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    (codes,) = PRAMScore(columns, draws=1).masked([swap])
    np.testing.assert_array_equal(codes[:, 0] == 2, is_missing)
    np.testing.assert_array_equal(codes[~is_missing, 0], 1 - columns.codes[~is_missing, 0])
    (codes,) = PRAMScore(columns, draws=1).masked([np.full((3, 3), 1 / 3)])
    assert (codes[is_missing, 0] != 2).any()


def test_wrong_matrices_are_refused(german):
    score = PRAMScore(german)
    with pytest.raises(ValueError, match=r"one for each of \['status', .*\], found 2"):
        score.figures([None, None])
    with pytest.raises(ValueError, match=r"column 'savings': expected shape \(5, 5\)"):
        score.figures([None, np.eye(4), None])
    wrong = np.eye(5) * 1.1
    with pytest.raises(ValueError, match=r"'employment': .* sum to 1, found sum 1\.1 in row 'A71'"):
        score.figures([None, None, wrong])


def test_wrong_options_are_refused(german):
    with pytest.raises(ValueError, match="draws: expected a whole number of at least 1, found 0"):
        PRAMScore(german, draws=0)
    with pytest.raises(ValueError, match="seed: expected a whole number of at least 0, found -1"):
        PRAMScore(german, seed=-1)
    with pytest.raises(ValueError, match="unknown figure 'RSRL'; known ones: CTBIL"):
        PRAMScore(german, draws=1).figures([None] * 3).values(["IL", "RSRL"])


def test_too_many_combinations_have_no_expected_figures():
    frame = pd.DataFrame({f"c{i}": np.arange(60) for i in range(4)})
    with pytest.raises(ValueError, match=r"found 12960000 combinations .*\(use draws\)"):
        PRAMScore(CategoricalColumns.of(frame), expected=True)


def test_full_matrices_are_checked_ones(german):
    full = full_matrices(german, [None, np.eye(5), None])
    assert [matrix.shape for matrix in full] == [(4, 4), (5, 5), (5, 5)]


def test_expected_counts_in_loops():
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 9, (2, 3)).astype(float)
    P, Q = rng.dirichlet(np.ones(2), 2), rng.dirichlet(np.ones(3), 3)
    masked = np.zeros((2, 3))
    agreement = np.zeros((6, 4))
    for a, b, c, d in itertools.product(range(2), range(3), range(2), range(3)):
        chance = counts[a, b] * P[a, c] * Q[b, d]
        masked[c, d] += chance
        agreement[c * 3 + d, (a == c) + 2 * (b == d)] += chance
    np.testing.assert_allclose(masked_counts(counts, [P, Q]), masked)
    np.testing.assert_allclose(agreement_counts(counts, [P, Q]), agreement)


def test_expected_differences_are_those_of_many_draws():
    rng = np.random.default_rng(2)
    counts = np.array([300.0, 150.0, 50.0])
    P = pram_matrix("frequency", counts, p=0.7)
    drawn = sum(rng.multinomial(int(n), row, size=4000) for n, row in zip(counts, P, strict=True))
    simulated = np.abs(drawn - counts).sum(axis=1)
    error = simulated.std() / np.sqrt(4000)
    assert abs(expected_differences(counts, [P]) - simulated.mean()) < 4 * error + 0.1


def test_accelerator_does_not_matter(german):
    pytest.importorskip("numba")
    matrices = matrices_of(german, p=0.4)
    for options in ({}, {"expected": True}):
        slow, fast = (
            PRAMScore(german, seed=1, accelerator=accelerator, **options).figures(matrices)
            for accelerator in ("numpy", "numba")
        )
        np.testing.assert_allclose(slow, fast, rtol=1e-12)


def test_scores_of_another_loss(german):
    score = PRAMScore(german, seed=3, loss="EBIL")
    matrices = [np.full((n, n), 1 / n) for n in german.n_categories]
    figures, usual = score.figures(matrices), PRAMScore(german, seed=3).figures(matrices)
    assert figures[:8] == usual[:8]
    assert figures.score_mean == pytest.approx((usual.EBIL + usual.DR) / 2)
    assert figures.score_max == pytest.approx(usual.EBIL)
    expected = PRAMScore(german, expected=True, loss="EBIL").figures(matrices)
    assert expected.score_mean == pytest.approx((expected.EBIL + expected.DR) / 2)
    assert score.describe() != PRAMScore(german, seed=3).describe()
    with pytest.raises(ValueError, match="loss: expected one of"):
        PRAMScore(german, loss="ebil")


def test_redrawn_for_an_occasion(german):
    score = PRAMScore(german, seed=3)
    matrices = [np.full((n, n), 1 / n) for n in german.n_categories]
    before = score.figures(matrices)
    again = score.redrawn(7)
    assert again.figures(matrices) == score.redrawn(7).figures(matrices)
    assert len({before, again.figures(matrices), score.redrawn(8).figures(matrices)}) == 3
    assert score.figures(matrices) == before
    assert again.describe() != score.describe()
    for options in ({"common": True}, {"expected": True}):
        with pytest.raises(ValueError, match="each candidate's own, found"):
            PRAMScore(german, **options).redrawn(1)
