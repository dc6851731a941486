"""Trees as mathematics: text that can be read back, and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from anonopt.masking.equations.primitives import is_constant

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a term holds together."""

LARGE = 1e16
"""Whole numbers from here on are printed with an exponent."""

LATEX_NAMES = {
    "N": "N",
    "freq_max": r"f_{\max}",
    "freq_min": r"f_{\min}",
    "freq_i": "f_i",
    "freq_j": "f_j",
}


class _Term(NamedTuple):
    """A printed subtree; a power also knows its base and exponent, any other is its own base."""

    text: str
    binding: int
    base: str
    base_binding: int
    exponent: int


def tree_text(tree: Sequence[Any]) -> str:
    """Infix text with no more parentheses than it takes to read the same tree back.

    Operators of one rank are read from the left, so ``a - (b - c)`` and ``a * (b * c)`` keep
    theirs. A product of equal factors is printed as a power.

    Parameters
    ----------
    tree : sequence of nodes in prefix order

    Examples
    --------
    >>> from anonopt.masking.equations import Equation
    >>> tree_text(Equation.parse("((N - freq_i) / (freq_j * freq_j)) + N").tree)
    '(N - freq_i) / freq_j**2 + N'
    """
    return _printed(tree, _terminal_text, _infix, "{}**{}", "({})")


def tree_latex(tree: Sequence[Any]) -> str:
    r"""LaTeX of a tree, for math mode.

    Parameters
    ----------
    tree : sequence of nodes in prefix order

    Examples
    --------
    >>> from anonopt.masking.equations import Equation
    >>> print(tree_latex(Equation.parse("(N - freq_i) / freq_max * freq_j").tree))
    \frac{N - f_i}{f_{\max}} \cdot f_j
    """
    return _printed(tree, _terminal_latex, _latex, "{}^{{{}}}", r"\left({}\right)")


def tree_mathml(tree: Sequence[Any]) -> str:
    """MathML of a tree, which browsers show without any script.

    Parameters
    ----------
    tree : sequence of nodes in prefix order

    Examples
    --------
    >>> from anonopt.masking.equations import Equation
    >>> print(tree_mathml(Equation.parse("1 / N").tree))
    <math display="block"><mfrac><mrow><mn>1</mn></mrow><mrow><mi>N</mi></mrow></mfrac></math>
    """
    body = _printed(
        tree,
        _terminal_mathml,
        _mathml,
        "<msup><mrow>{}</mrow><mn>{}</mn></msup>",
        "<mrow><mo>(</mo>{}<mo>)</mo></mrow>",
    )
    return f'<math display="block">{body}</math>'


def _printed(
    tree: Sequence[Any], terminal: Any, function: Any, power: str, parentheses: str
) -> str:
    stack: list[_Term] = []
    for node in reversed(tree):
        if node.arity == 0:
            text, binding = terminal(node)
            stack.append(_Term(text, binding, text, binding, 1))
            continue
        left, right = stack.pop(), stack.pop()
        if node.name == "mul" and left.base == right.text:
            base = left.base if left.base_binding == ATOM else parentheses.format(left.base)
            text = power.format(base, left.exponent + 1)
            stack.append(_Term(text, POWER, left.base, left.base_binding, left.exponent + 1))
            continue
        text, binding = function(node.name, left, right, parentheses)
        stack.append(_Term(text, binding, text, binding, 1))
    return stack.pop().text


def _terminal_text(node: Any) -> tuple[str, int]:
    if not is_constant(node):
        return str(node.name), ATOM
    if node.value.is_integer() and node.value < LARGE:
        return str(int(node.value)), ATOM
    return repr(node.value), ATOM


def _terminal_latex(node: Any) -> tuple[str, int]:
    text, binding = _terminal_text(node)
    digits, _, exponent = text.partition("e")
    if is_constant(node) and exponent:
        return rf"{digits} \cdot 10^{{{int(exponent)}}}", PRODUCT
    return LATEX_NAMES.get(node.name, text), binding


def _terminal_mathml(node: Any) -> tuple[str, int]:
    if not is_constant(node):
        sign, _, index = node.name.replace("freq", "f").partition("_")
        shown = f"<mi>{sign}</mi>"
        return f"<msub>{shown}<mi>{index}</mi></msub>" if index else shown, ATOM
    text, binding = _terminal_text(node)
    digits, _, exponent = text.partition("e")
    if not exponent:
        return f"<mn>{digits}</mn>", binding
    power = f"<msup><mn>10</mn><mn>{int(exponent)}</mn></msup>"
    return f"<mrow><mn>{digits}</mn><mo>·</mo>{power}</mrow>", PRODUCT


def _infix(name: str, left: _Term, right: _Term, parentheses: str) -> tuple[str, int]:
    sign, binding = {
        "add": ("+", SUM),
        "sub": ("-", SUM),
        "mul": ("*", PRODUCT),
        "div": ("/", PRODUCT),
    }[name]
    first = left.text if left.binding >= binding else parentheses.format(left.text)
    second = right.text if right.binding > binding else parentheses.format(right.text)
    return f"{first} {sign} {second}", binding


def _latex(name: str, left: _Term, right: _Term, parentheses: str) -> tuple[str, int]:
    if name == "div":
        # A fraction brackets its parts by its line, but a power of it needs parentheses.
        return rf"\frac{{{left.text}}}{{{right.text}}}", PRODUCT
    if name == "mul":
        factors = [
            term.text if term.binding >= PRODUCT else parentheses.format(term.text)
            for term in (left, right)
        ]
        return rf"{factors[0]} \cdot {factors[1]}", PRODUCT
    # Only what is subtracted needs parentheses; sums may be added in any order.
    second = right.text
    if name == "sub" and right.binding == SUM:
        second = parentheses.format(second)
    return f"{left.text} {'+' if name == 'add' else '-'} {second}", SUM


def _mathml(name: str, left: _Term, right: _Term, parentheses: str) -> tuple[str, int]:
    if name == "div":
        return f"<mfrac><mrow>{left.text}</mrow><mrow>{right.text}</mrow></mfrac>", PRODUCT
    # Where LaTeX has its signs, MathML has elements.
    text, binding = _latex(name, left, right, parentheses)
    for sign, shown in ((r" \cdot ", "<mo>·</mo>"), (" + ", "<mo>+</mo>"), (" - ", "<mo>−</mo>")):
        text = text.replace(sign, shown)
    return text, binding
