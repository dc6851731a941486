"""Hierarchies as CSV: separators, marks, quotes, headers, faulty lines."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anonopt.data import Hierarchy

ZONE = Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["*"] * 3])

labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@pytest.fixture
def write(tmp_path):
    def write(content, *, encoding="utf-8"):
        path = tmp_path / "zone.csv"
        path.write_bytes(content.encode(encoding))
        return path

    return write


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(labels, min_size=1, max_size=6, unique=True), st.integers(0, 2))
def test_round_trip(tmp_path, leaves, n_middle):
    middle = [["same"] * len(leaves)] * n_middle
    tree = Hierarchy([leaves, *middle, ["*"] * len(leaves)])
    path = tmp_path / "tree.csv"
    tree.to_csv(path)
    assert Hierarchy.from_csv(path) == tree


def test_a_single_level_survives_a_round_trip(tmp_path):
    tree = Hierarchy([["EC1; EC2, EC3"]])
    tree.to_csv(tmp_path / "tree.csv")
    assert Hierarchy.from_csv(tmp_path / "tree.csv") == tree


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("header", ["", "level0{}level1{}level2\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_layouts_in_use(write, separator, header, encoding, line_end):
    lines = header.replace("{}", separator) + "A,N,*\nB,N,*\nC,S,*\n".replace(",", separator)
    path = write(lines.replace("\n", line_end), encoding=encoding)
    assert Hierarchy.from_csv(path) == ZONE


@pytest.mark.parametrize(
    "content",
    [
        '"EC1, EC2",London,*\nEC3,London,*\n',
        "EC1, EC2;London;*\nEC3;London;*\n",
        '"EC1, EC2";London;*\n"EC3";London;*\n',
    ],
)
def test_label_with_a_comma(write, content):
    assert Hierarchy.from_csv(write(content)).labels[0] == ("EC1, EC2", "EC3")


def test_separator_is_the_one_that_gives_one_top_value(write):
    path = write("EC1, EC2, EC3;*\nEC4, EC5, EC6;*\n")
    assert Hierarchy.from_csv(path).labels == (("EC1, EC2, EC3", "EC4, EC5, EC6"), ("*",))


def test_label_with_the_other_separator_line_break_and_quote(write):
    path = write('"a;b",*\n"c\nd",*\n"e""f",*\n')
    assert Hierarchy.from_csv(path).labels[0] == ("a;b", "c\nd", 'e"f')


def test_empty_lines_are_ignored(write):
    assert Hierarchy.from_csv(write("A,N,*\n\nB,N,*\nC,S,*\n\n")) == ZONE


def test_header_of_other_names_has_to_be_declared(write):
    path = write("zone,region,all\nA,N,*\nB,N,*\nC,S,*\n")
    assert Hierarchy.from_csv(path, header=True) == ZONE
    with pytest.raises(ValueError, match="the top: expected one value, found 2: 'all', '\\*'"):
        Hierarchy.from_csv(path)


def test_level_names_can_be_leaves(write):
    path = write("level0,level1\n")
    assert Hierarchy.from_csv(path, header=False).labels == (("level0",), ("level1",))
    with pytest.raises(ValueError, match="found only a header"):
        Hierarchy.from_csv(path)


def test_unknown_header_option_is_refused(write):
    with pytest.raises(ValueError, match="expected True, False or 'auto', found 'yes'"):
        Hierarchy.from_csv(write("A,*\n"), header="yes")


@pytest.mark.parametrize("header", ["auto", True])
def test_header_longer_than_the_rows(write, header):
    path = write("a;b;c;\n1;2;3\n")
    with pytest.raises(
        ValueError, match=r"4 names .*line 1 \('a', 'b', 'c', ''\).*3 fields.*line 2"
    ):
        Hierarchy.from_csv(path, header=header)


def test_wrong_number_of_fields_names_the_line_in_the_file(write):
    path = write('level0,level1\n"A\nB",*\n\nC,*,*\n')
    with pytest.raises(ValueError, match=r"2 names.*3 fields on line 5"):
        Hierarchy.from_csv(path)


@pytest.mark.parametrize("content", ["", "\n\n", "  \n", "\ufeff"])
def test_empty_file(write, content):
    with pytest.raises(ValueError, match=r"zone\.csv: .*an empty file"):
        Hierarchy.from_csv(write(content))


def test_unfinished_quote(write):
    with pytest.raises(ValueError, match=r"zone\.csv, line 2: expected CSV"):
        Hierarchy.from_csv(write('A,*\n"B,*\n'))


def test_text_in_another_encoding(write):
    assert Hierarchy.from_csv(write("Köln,*\n", encoding="latin-1")).labels[0] == ("Köln",)
    with pytest.raises(ValueError, match=r"zone\.csv: expected UTF-8"):
        Hierarchy.from_csv(write("\x81\x8d,*\n", encoding="latin-1"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("A,L,*\nA,R,*\nB,R,*\nC,R,*\n", r"zone\.csv: level 1.*leaf 'A'.*'L' and 'R'"),
        ("x,G,P,*\ny,G,Q,*\nz,H,Q,*\n", r"zone\.csv: level 2.*'G'.*'P' and 'Q'"),
        ("A,L\nB,R\n", r"zone\.csv: level 1, the top.*'L', 'R'"),
    ],
)
def test_faults_of_the_tree_name_the_file(write, content, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy.from_csv(write(content))


def test_harmless_twin(write):
    tree = Hierarchy.from_csv(write("A,L,*\nA,L,*\nB,L,*\nC,R,*\n"))
    assert tree.leaf_counts(1).tolist() == [2, 1]
