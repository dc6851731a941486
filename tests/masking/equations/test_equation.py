"""Equations as people use them: printed, read back, compared, simplified."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from fractions import Fraction
from operator import add, mul, sub, truediv
from types import SimpleNamespace

import numpy as np
import pytest
from deap import gp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from anonopt.masking.equations import PRIMITIVES, TERMINALS, Equation
from anonopt.masking.equations.primitives import constant
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_sampling import full_tree, grown_tree

NUMBERS = tuple(constant(number) for number in (0, 1, 3, 0.25, 1e-7, 1e22))


def nodes(terminals):
    """What random trees are made of."""
    return SimpleNamespace(
        terminals=tuple(terminals), functions=tuple(PRIMITIVES.primitives[object])
    )


FEW = nodes(PRIMITIVES.terminals[object][3:])
ALL = nodes([*PRIMITIVES.terminals[object], *NUMBERS])

equations = st.builds(
    lambda draw, space, depth, seed: Equation(draw(space, depth, np.random.default_rng(seed))),
    st.sampled_from([full_tree, grown_tree]),
    st.sampled_from([FEW, ALL]),
    st.integers(1, 6),
    st.integers(0, 2**32),
)

EXACT = nodes([*PRIMITIVES.terminals[object], *NUMBERS[:4]])
small_equations = st.builds(
    lambda depth, seed: Equation(grown_tree(EXACT, depth, np.random.default_rng(seed))),
    st.integers(1, 5),
    st.integers(0, 2**32),
)


@given(equation=equations)
def test_text_is_read_back_as_the_same_equation(equation):
    assert Equation.parse(equation.text) == equation
    assert Equation.parse(f"  ( {equation.text} )\n") == equation


@given(equation=equations)
def test_no_pair_of_parentheses_can_be_left_out(equation):
    text = equation.text
    opened = []
    for place, sign in enumerate(text):
        if sign == "(":
            opened.append(place)
        elif sign == ")":
            start = opened.pop()
            without = text[:start] + text[start + 1 : place] + text[place + 1 :]
            assert Equation.parse(without) != equation


@pytest.mark.parametrize(
    ("text", "printed", "latex"),
    [
        ("N-(freq_i-freq_j)", "N - (freq_i - freq_j)", r"N - \left(f_i - f_j\right)"),
        ("(N-freq_i)-freq_j", "N - freq_i - freq_j", "N - f_i - f_j"),
        ("N+(freq_i+freq_j)", "N + (freq_i + freq_j)", "N + f_i + f_j"),
        ("N/(freq_i*freq_j)", "N / (freq_i * freq_j)", r"\frac{N}{f_i \cdot f_j}"),
        ("N/freq_i*freq_j", "N / freq_i * freq_j", r"\frac{N}{f_i} \cdot f_j"),
        (
            "(freq_max+N)*(freq_min-N)",
            "(freq_max + N) * (freq_min - N)",
            r"\left(f_{\max} + N\right) \cdot \left(f_{\min} - N\right)",
        ),
        ("N*N*N", "N**3", "N^{3}"),
        ("(N+1)*(N+1)", "(N + 1)**2", r"\left(N + 1\right)^{2}"),
        ("N/freq_i*(N/freq_i)", "(N / freq_i)**2", r"\left(\frac{N}{f_i}\right)^{2}"),
        ("N*(freq_i*freq_i)", "N * freq_i**2", r"N \cdot f_i^{2}"),
        ("(N**2)**2", "N**2 * N**2", r"N^{2} \cdot N^{2}"),
        ("-freq_i", "0 - freq_i", "0 - f_i"),
        ("0.5*N", "0.5 * N", r"0.5 \cdot N"),
        ("1e-20*1e-20", "1e-20**2", r"\left(1 \cdot 10^{-20}\right)^{2}"),
        ("N-1e300", "N - 1e+300", r"N - 1 \cdot 10^{300}"),
    ],
)
def test_printed_as_mathematics(text, printed, latex):
    equation = Equation.parse(text)
    assert str(equation) == equation.text == printed
    assert equation.latex() == latex
    assert repr(equation) == f"Equation.parse({printed!r})"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "N +",
        "freq_k",
        "N ** freq_i",
        "N ** 0.5",
        "N ** -1",
        "N ** True",
        "N // 2",
        "N % 2",
        "N if N else 1",
        "True",
        "'N'",
        "1j",
        "1e999",
        "f(N)",
        "__import__('os').system('true')",
        "N.__class__",
        "[N for N in ()]",
        "(lambda: N)()",
        "N; N",
        "N = 1",
        "N\x00",
        "+N",
        "~N",
        "N # and more",
        "N \\\n + 1",
        "\uff2e",
        "\ud800",
        "0x" + "f" * 5000,
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="equation: expected"):
        Equation.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(" * 50000 + "N" + ")" * 50000, "at most 100000 characters, found 100001"),
        ("-" * 90_000 + "N", "expected"),
        ("N+" * 40_000 + "N", "expected"),
        ("+".join(["N**4000"] * 500), "at most 10000 nodes"),
        ("(" * 1000 + "N" + ")" * 1000, "expected a formula"),
        ("-" * 9000 + "N", "expected"),
        ("N**9999**9", "expected"),
        ("(N**99)**99", "the power 99 of 197 nodes"),
        ("N**10001", "expected"),
    ],
)
def test_texts_that_would_take_too_much_are_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        Equation.parse(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("  N + freq_x * 3", "found 'freq_x' at character 7"),
        ("(N\n + f(N))", "found 'f(N)' at character 7"),
        ("N + 'x'", 'found "\'" at character 5'),
        (" N * * 2", "invalid syntax at character 6"),
        ("N +", "invalid syntax at character 4"),
        ("N + " + "9" * 1000, f"found '{'9' * 40}...' at character 5"),
    ],
)
def test_errors_name_what_was_found_and_where(text, found):
    with pytest.raises(ValueError, match=re.escape(found)):
        Equation.parse(text)


def test_only_texts_are_read():
    with pytest.raises(TypeError, match="equation: expected a text, found None"):
        Equation.parse(None)


def test_text_of_a_deep_equation_is_read_back():
    equation = Equation(full_tree(ALL, 12, np.random.default_rng(1)))
    assert len(equation.text) > 10_000
    assert Equation.parse(equation.text) == equation


def test_simplifying_does_not_need_numbers_beyond_floats():
    pytest.importorskip("sympy")
    equation = Equation.parse("1e-300 * 1e-300 * N")
    assert equation.simplified() == equation


def test_parsing_runs_nothing(monkeypatch):
    def refuse(*args: object) -> None:
        raise RuntimeError("code was run")

    monkeypatch.setattr("builtins.eval", refuse)
    monkeypatch.setattr("builtins.exec", refuse)
    assert Equation.parse("N * (freq_i - 2)").size == 5


@given(equation=equations)
def test_sizes_and_depths_are_those_of_deap(equation):
    tree = equation.tree
    assert equation.size == len(tree)
    assert equation.depth == tree.height + 1
    shape = tree_shape(tree)
    for place in range(len(tree)):
        part = gp.PrimitiveTree(tree[tree.searchSubtree(place)])
        assert shape.sizes[place] == len(part)
        assert shape.depths[place] == part.height + 1
    assert max(shape.levels) + 1 == equation.depth


@given(one=equations, other=equations)
def test_equal_trees_are_equal_equations(one, other):
    assert (one == other) is (one.tree == other.tree)
    for twin in (copy.deepcopy(one), pickle.loads(pickle.dumps(one)), Equation(one.tree)):
        assert twin == one
        assert hash(twin) == hash(one)
        assert twin.text == one.text


def test_equation_does_not_change_with_the_tree():
    tree = Equation.parse("N * freq_i").tree
    equation = Equation(tree)
    tree[1] = PRIMITIVES.mapping["freq_j"]
    equation.tree.clear()
    assert equation.text == "N * freq_i"
    assert equation != "N * freq_i"


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([], "found those of 0"),
        (["N", "N"], "found those of 2"),
        (["add", "N"], "expected 2 operands of node 0, 'add', found 1"),
    ],
)
def test_nodes_that_are_no_tree_are_refused(nodes, reason):
    with pytest.raises(ValueError, match=reason):
        Equation([PRIMITIVES.mapping[name] for name in nodes])


def test_strange_nodes_are_refused():
    with pytest.raises(ValueError, match=r"expected the primitives .* found 'x'"):
        Equation([gp.Terminal("x", True, object)])
    with pytest.raises(ValueError, match=r"expected the primitives .* found 'log'"):
        Equation([gp.Primitive("log", [object], object), PRIMITIVES.mapping["N"]])
    with pytest.raises(ValueError, match="value: expected a number of at least 0"):
        constant(-1.0)


def test_applied_to_another_data_set():
    equation = Equation.parse("freq_max - freq_min + freq_j")
    assert equation.matrix([3, 1]).shape == (2, 2)
    assert equation.matrix([3, 1, 4, 1]).shape == (4, 4)


@example(equation=Equation.parse("freq_i / (N - N)"))
@example(equation=Equation.parse("(freq_i - freq_j) * (freq_i - freq_j) / (freq_j - freq_i)"))
@given(equation=small_equations)
@settings(max_examples=60)
def test_simplified_has_the_same_absolute_values(equation):
    pytest.importorskip("sympy")
    simplified = equation.simplified()
    assert Equation.parse(simplified.text) == simplified
    for freq_i, freq_j in ((1009, 31), (31, 97), (97, 97)):
        values = {"N": 1137, "freq_max": 1009, "freq_min": 31, "freq_i": freq_i, "freq_j": freq_j}
        before, after = (exact_value(one, values) for one in (equation, simplified))
        if before is not None and after is not None:
            assert abs(before) == abs(after)


def exact_value(equation: Equation, terminals: dict[str, int]) -> Fraction | None:
    """Value by rational arithmetic; None if something is divided by zero."""
    stack: list[Fraction] = []
    for node in reversed(equation.tree):
        if node.arity == 0:
            stack.append(Fraction(terminals.get(node.name) or Fraction(node.name)))
            continue
        one, other = stack.pop(), stack.pop()
        if node.name == "div" and other == 0:
            return None
        function = {"add": add, "sub": sub, "mul": mul, "div": truediv}[node.name]
        stack.append(function(one, other))
    return stack.pop()


def test_simplified_reads_well():
    pytest.importorskip("sympy")
    for text, expected in (
        ("freq_i / freq_i + N - N", "1"),
        ("(N - freq_i) / (freq_j * freq_j) * (N + N)", "2 * N * (N - freq_i) / freq_j**2"),
        ("freq_i / (freq_j - freq_j)", "1"),
        ("freq_max - N", "N - freq_max"),
        ("N / (freq_i / freq_j)", "N * freq_j / freq_i"),
        ("0.5 * N + 0.25 * N", "3 * N / 4"),
    ):
        assert Equation.parse(text).simplified().text == expected


def test_without_sympy_the_command_to_install_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(ImportError, match=r"pip install 'anonopt\[math\]'"):
        Equation.parse("N").simplified()


def test_terminals_are_those_of_the_thesis():
    assert TERMINALS == ("N", "freq_max", "freq_min", "freq_i", "freq_j")
    assert [node.name for node in ALL.functions] == ["add", "sub", "mul", "div"]
