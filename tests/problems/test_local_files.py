"""From a table to a problem, its protected file, the check of the file and its comparison."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.problems import LocalRecodingProblem


def table_named(name):
    """A table of the library; of Adult its first rows, as it is large."""
    table = ao.load_dataset(name)
    if name != "adult":
        return table
    return ao.Microdata(
        table.frame.head(1500),
        quasi_identifiers=table.quasi_identifiers,
        hierarchies=table.hierarchies,
        sensitive=table.sensitive,
    )


@pytest.mark.parametrize(
    ("name", "k", "bounds", "suppression"),
    [
        ("patients", 3, {"l": 2, "t": 0.5}, 2),
        ("german", 5, {"l": 3}, 0),
        ("adult", 5, {}, 0.01),
    ],
)
def test_protected_file_holds_what_the_problem_says(name, k, bounds, suppression):
    table = table_named(name)
    columns, sensitive = list(table.quasi_identifiers), table.sensitive
    problem = LocalRecodingProblem(
        table, ["glm", "k"], k=k, class_bounds=bounds, suppression=suppression
    )
    X = problem.space.sampling()(problem, 2, random_state=np.random.default_rng(1)).get("X")
    twin = problem.with_genome("groups")
    for x in X:
        F, G = problem.evaluate(x[np.newaxis], return_values_of=["F", "G"])
        (loss, smallest) = F[0]
        assert (G <= 0).all()
        frame, mask = problem.protect(x), problem.suppressed_rows(x)
        (recoding,) = twin.space.genomes([problem.groups(x)])
        pd.testing.assert_frame_equal(twin.protect(recoding), frame)
        assert mask.sum() <= problem.evaluator.rule.budget
        report = ao.check(
            frame,
            quasi_identifiers=columns,
            sensitive=sensitive,
            k=k,
            class_bounds=bounds,
            suppressed=mask,
        )
        assert report["anonymous"]
        assert report["k"] == -smallest
        # By plain pandas.
        kept = frame[~mask]
        groups = kept.groupby(columns, observed=True)
        assert groups.size().min() == -smallest >= k
        if "l" in bounds:
            assert groups[sensitive].nunique(dropna=False).min() >= bounds["l"]
        if "t" in bounds:
            whole = table.frame[sensitive].value_counts(normalize=True)
            apart = [
                part[sensitive].value_counts(normalize=True).sub(whole, fill_value=0).abs().sum()
                for _, part in groups
            ]
            assert max(apart) / 2 <= bounds["t"] + 1e-9
        assert (frame.loc[mask, columns] == "*").all(axis=None)
        others = [column for column in frame if column not in columns]
        pd.testing.assert_frame_equal(frame[others], table.frame[others])
        found = ao.compare(table.frame, frame, columns=columns, hierarchies=table.hierarchies)
        assert found["DBIL"] == pytest.approx(100 * loss / (table.n_rows * len(columns)))
