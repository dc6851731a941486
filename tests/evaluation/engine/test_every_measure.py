"""Every measure of nodes that memory has, by the engine: the same bits for tables of all kinds."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import Hierarchy, LatticeEvaluator, Measure, Microdata
from anonopt.problems import LatticeProblem
from anonopt.sources import DuckDBSource, LargeTable
from tests.evaluation.engine.available import measures_of
from tests.examples import examples

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

ZIP = Hierarchy([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])
ILLNESS = Hierarchy([list("uvwxyz"), ["u"] + ["v-x"] * 3 + ["y-z"] * 2, ["*"] * 6])
SUPPRESSION = [0, 1, 0.2, 0.95]
RULES = st.one_of(
    st.fixed_dictionaries({"suppression": st.sampled_from(SUPPRESSION)}),
    st.fixed_dictionaries(
        {"k": st.sampled_from([1, 2, 4, 90]), "suppression": st.sampled_from(SUPPRESSION)},
        optional={
            "class_bounds": st.sampled_from([{"l": 2}, {"t": 0.5}, {"l": 2, "entropy_l": 1.5}])
        },
    ),
)


OWN = [
    Measure("largest", False, "rows", "1..N", from_classes=lambda c: c.sizes.max()),
    Measure("each", True, "rows", "1..N", per_class=lambda c: c.sizes * c.codes[:, 0]),
    Measure("sum", True, "rows", "1..N", of_parts="sum", from_classes=lambda c: (c.sizes**3).sum()),
]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as one:
        one.execute("set threads = 1")
        yield one


@st.composite
def tables(draw):
    """Rows, few of them, with missing values in each column, and roles of one kind or another."""
    n_rows = draw(st.integers(2, 40))
    columns = {"zip": "abcd", "sex": "mf", "illness": "uvwxyz", "job": "pqr", "label": "01"}
    frame = pd.DataFrame(
        {
            name: draw(
                st.lists(
                    st.sampled_from([*values, *([None] if draw(st.booleans()) else [])]),
                    min_size=n_rows,
                    max_size=n_rows,
                )
            )
            for name, values in columns.items()
        },
        dtype=object,
    )
    frame.loc[0, ["zip", "sex"]], frame.loc[1, ["zip", "sex"]] = ["a", "m"], ["d", "f"]
    trees = {"zip": ZIP, "sex": "flat"} | ({"illness": ILLNESS} if draw(st.booleans()) else {})
    sensitive = draw(st.sampled_from([None, "illness", ["illness", "job"]]))
    if sensitive is None:
        trees.pop("illness", None)
    target = draw(st.sampled_from([None, "label"]))
    return frame, {
        "quasi_identifiers": ["zip", "sex"],
        "hierarchies": trees,
        "sensitive": sensitive,
        "target": target,
    }


def all_measures_of(evaluator):
    """Those of the library, and some of another sensitive column."""
    found = measures_of(evaluator)
    if len(evaluator.table.sensitive_columns) > 1:
        found += [f"{name}:job" for name in ("l", "l_all", "S_l", "S_l_kept", "t")]
    return found


@examples(6)
@given(table=tables(), rule=RULES, dense=st.booleans())
def test_the_engine_has_every_measure_of_memory(connection, table, rule, dense):
    frame, roles = table
    if roles["sensitive"] is None and "class_bounds" in rule:
        rule = {**rule, "class_bounds": {}}
    small = Microdata(frame, **roles)
    connection.register("people", frame)
    source = DuckDBSource("select * from people", connection=connection)
    large = LargeTable(source, **roles, max_tuples=1)
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        # So few at a time that classes come in several parts.
        patch.setattr("anonopt.sources.duckdb.duckdb_nodes.PAIRS", 7)
        patch.setattr("anonopt.evaluation.engine.parts_of_nodes.COUNTS", 40)
        if not dense:
            patch.setattr("anonopt.evaluation.lattice.tuples.is_dense", lambda *_: False)
        memory, engine = LatticeEvaluator(small, **rule), LatticeEvaluator(large, **rule)
        assert engine.backend == "engine"
        names = [*all_measures_of(memory), *OWN[1:]]
        assert all_measures_of(engine) == names[:-2]
        expected = memory.evaluate_all(names)
        pd.testing.assert_frame_equal(engine.evaluate_all(names), expected, check_exact=True)
        place = expected["classes"].argmin()
        one = engine.evaluate(expected.iloc[[place], :2].to_numpy(), names[::-1])
    pd.testing.assert_frame_equal(
        one[expected.columns], expected.iloc[[place]].reset_index(drop=True), check_exact=True
    )
    source.close()


def test_functions_of_all_classes_are_refused_at_once(connection):
    frame = pd.DataFrame({"zip": list("abcdd")})
    source = DuckDBSource("select * from frame", connection=connection.register("frame", frame))
    roles = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": ZIP}}
    large = LargeTable(source, **roles, max_tuples=2)
    message = r"measure 'largest': expected .* found .* more than 2 distinct tuples \(max_tuples\)"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match=message):
            LatticeProblem(large, ["k", OWN[0]])
        with pytest.raises(ValueError, match=message):
            LatticeProblem(large, ["k", "glm"], {OWN[0]: 1})
        # Asked for at nodes, it is told where the classes fit.
        evaluator = LatticeEvaluator(large)
        assert evaluator.evaluate([[1]], [OWN[0]])["largest"].tolist() == [3]
        with pytest.raises(ValueError, match=r"expected at most 2 classes in memory .* found 4"):
            evaluator.evaluate([[0]], [OWN[0]])
    source.close()
