"""The split of a suite: nothing stands on both sides, and every instance on one."""

import pytest
from pymoo.core.variable import Integer

from anonopt.experiments import Split, Tuning, suite, suite_split
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.references import packaged_reference
from anonopt.experiments.tuning.grounds import SplitSuite

SIZES = {"pop_size": Integer(bounds=(4, 40))}
SMALL = Split("anonopt-2026", ("german-k-glm",), ("german-k-l-glm", "adult-k-glm"))


def on(split, **changed):
    return Tuning(**({"algorithm": "nsga2", "options": SIZES, "train": split} | changed))


@pytest.mark.parametrize("name", SUITES)
def test_every_instance_stands_on_one_side_and_every_family_on_both(name):
    split = suite_split(name)
    families = {one.name: one.family for one in SUITES[name]}
    assert sorted(split.tuning + split.test) == sorted(families)
    assert not set(split.tuning) & set(split.test)
    for side in (split.tuning, split.test):
        assert {families[one] for one in side} == set(families.values())
    assert not set(split.tuning_seeds) & set(split.test_seeds)


def test_tables_of_cells_matrices_and_trees_are_not_shared():
    split = suite_split("anonopt-2026", families=["cells", "matrices", "trees"])
    tables = [{one.partition("-")[0] for one in side} for side in (split.tuning, split.test)]
    assert tables == [{"german"}, {"flare", "adult"}]


def test_smaller_instances_are_tuned_with():
    split = suite_split(families=["cells", "matrices"])
    sizes = {one: suite().problem(one).space.size for one in split.tuning + split.test}
    for kind in ("masking", "pram"):
        tuned, tested = (
            [sizes[one] for one in side if kind in one] for side in (split.tuning, split.test)
        )
        assert max(tuned) < min(tested)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"test": ("adult-k-glm", "german-k-glm")}, "test: expected instances apart.*'german-k-g"),
        ({"test_seeds": (3, 1002)}, "test_seeds: expected seeds apart from .* found 1002"),
        ({"test": ("adult-kglm",)}, "unknown instance 'adult-kglm'; did you mean adult-k-glm"),
        ({"suite": "anonopt-2025"}, "unknown suite 'anonopt-2025'"),
        ({"tuning": ()}, "tuning: expected at least one instance, found none"),
        ({"test": ("adult-k-glm",) * 2}, "test: expected each once, found 'adult-k-glm' twice"),
        ({"tuning_seeds": (-1,)}, "seeds: expected"),
    ],
)
def test_split_that_shares_something_is_refused(changed, message):
    given = {"suite": "anonopt-2026", "tuning": ("german-k-glm",), "test": ("adult-k-glm",)}
    with pytest.raises(ValueError, match=message):
        Split(**(given | changed))


def test_side_that_is_a_single_name_is_refused():
    with pytest.raises(TypeError, match="test: expected names of instances, found 'adult-k-glm'"):
        Split("anonopt-2026", ("german-k-glm",), "adult-k-glm")


def test_unknown_families_are_refused():
    with pytest.raises(ValueError, match="unknown family 'cell'; did you mean cells"):
        suite_split(families=["cell"])
    with pytest.raises(TypeError, match="families: expected a list of names, found 'cells'"):
        suite_split(families="cells")
    with pytest.raises(ValueError, match="unknown suite with a split 'anonopt-2025'"):
        suite_split("anonopt-2025")


def test_instances_that_do_not_fit_are_left_out():
    assert on(suite_split(families=["cells"])).instances == ["german-masking"]
    with pytest.raises(ValueError, match="expected one that takes an instance"):
        on(suite_split(families=["cells"]), algorithm="ola", options={"limit": SIZES["pop_size"]})


def test_runs_have_the_budgets_seeds_and_references_of_the_suite():
    tuning = on(SMALL)
    tuning.objective({})
    budget = suite().instance("german-k-glm").budget
    assert (tuning.n_runs, tuning.n_evaluations) == (5, 5 * budget)
    grounds = SplitSuite(suite_split(), None, None)
    large = next(iter(grounds.training({"pbgea": "pbgea"}).problems))
    assert grounds.reference(large).source == packaged_reference("anonopt-2026", large.name).source
    with pytest.raises(ValueError, match="budget: expected none with a split"):
        on(SMALL, budget=10)


def test_validation_is_of_the_test_instances_and_seeds():
    tuning = on(SMALL)
    grid = tuning.validation({"pop_size": 9}).grid()
    assert set(grid["problem"]) == {"german-k-l-glm", "adult-k-glm"}
    assert set(grid["algorithm"]) == {"default", "tuned"}
    assert set(grid["seed"]) == set(range(10))
    few = tuning.validation({"pop_size": 9}, problems=["adult-k-glm"], seeds=[20]).grid()
    assert few.values.tolist() == [
        ["adult-k-glm", name, 20, "500 evaluations"] for name in ("default", "tuned")
    ]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"problems": ["german-k-glm"]}, ValueError, "problems: expected instances apart"),
        ({"seeds": [1004]}, ValueError, "seeds: expected seeds apart from .* found 1004"),
        ({"problems": "adult-k-glm"}, TypeError, "problems: expected a list of names"),
        ({"problems": ["adult"]}, ValueError, "unknown instance 'adult'"),
    ],
)
def test_validation_refuses_what_was_tuned_with(given, error, message):
    with pytest.raises(error, match=message):
        on(SMALL).validation({"pop_size": 9}, **given)


def test_study_is_of_the_references_it_was_measured_against(tmp_path, monkeypatch):
    distributions = pytest.importorskip("optuna.distributions")
    sizes = {"pop_size": distributions.IntDistribution(4, 40)}
    on(SMALL, options=sizes).run_optuna(n_trials=1, seed=1, storage=tmp_path / "study.sqlite")
    other = packaged_reference("anonopt-2026", "adult-k-glm")
    monkeypatch.setattr("anonopt.experiments.tuning.grounds.packaged_reference", lambda *_: other)
    with pytest.raises(ValueError, match=r"found that train.german-k-glm.reference was .*, now"):
        on(SMALL, options=sizes).run_optuna(n_trials=1, seed=1, storage=tmp_path / "study.sqlite")


def test_seeds_of_the_test_are_no_seeds_of_the_tuning():
    with pytest.raises(ValueError, match=r"test_seeds: expected seeds apart from .* found 9"):
        on(SMALL, seeds=[9])
