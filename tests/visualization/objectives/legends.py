"""What a picture says and shows: numbers in its legend, points by the label of their markers."""

from __future__ import annotations


def counts_of(figure) -> dict[str, int]:
    """Number behind each entry of the legend that tells one in brackets."""
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    found = {}
    for text in texts:
        name, _, number = text.rpartition(" (")
        if number.removesuffix(")").replace(",", "").isdigit():
            found[name] = int(number.removesuffix(")").replace(",", ""))
    return found


def points_of(figure, name: str) -> list[tuple[float, float]]:
    """Points drawn under a label."""
    found = []
    for line in figure.axes[0].get_lines():
        if line.get_label().rpartition(" (")[0] == name:
            found += [tuple(point) for point in line.get_xydata().tolist()]
    return found
