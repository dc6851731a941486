"""Tables as CSV: every dialect is read, shown, and kept byte for byte where nothing changes."""

from __future__ import annotations

import codecs
import csv
import io
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy, read_table
from anonopt.data.tables.table_files import TableFile

cells = st.text(
    st.characters(codec="cp1252", exclude_categories=["Cc", "Cs"]) | st.sampled_from('"\n,;| '),
    max_size=5,
)
separators = st.sampled_from(",;\t|")
line_ends = st.sampled_from(["\n", "\r\n"])
encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"])


def read(content, **options):
    return TableFile.read(io.BytesIO(content), **options)


@st.composite
def files(draw):
    """Content of a CSV file in some dialect, its options, and its cells."""
    n_columns = draw(st.integers(1, 4))
    row = st.lists(cells, min_size=n_columns, max_size=n_columns)
    rows = draw(st.lists(row, max_size=5))
    names = [f"c{number}" for number in range(n_columns)]
    separator, end, encoding = draw(separators), draw(line_ends), draw(encodings)
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerows([names, *rows])
    written = text.getvalue()
    if draw(st.booleans()) and written.endswith(end):
        written = written.removesuffix(end)
    return written.encode(encoding), {"separator": separator, "encoding": encoding}, rows


@given(files())
def test_unchanged_table_is_the_same_file(made):
    content, options, rows = made
    table = read(content, **options)
    assert table.frame.fillna("").to_numpy().tolist() == [list(row) for row in rows] or any(
        "" in row or set(row) & {"NA", "."} for row in rows
    )
    assert table.content(table.frame) == content
    again = read(table.content(table.frame), **options, missing=[], decimal=".")
    texts = table.texts(table.frame)
    assert again.frame.fillna("").to_numpy().tolist() == texts.to_numpy().tolist()


@given(files(), st.data())
def test_changed_cells_come_back_and_all_others_stay(made, data):
    content, options, rows = made
    # A cell that is changed can decide what the others of its column mean.
    options |= {"missing": [], "decimal": "."}
    table = read(content, **options)
    if not rows:
        return
    changed = table.frame.copy()
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.sampled_from(list(changed.columns)))
    changed.loc[row, column] = data.draw(cells.filter(bool))
    again = read(table.content(changed), **options)
    pd.testing.assert_frame_equal(again.frame, changed, check_dtype=False)
    assert again.dialect.line_end == table.dialect.line_end


@given(files())
def test_rows_in_another_order_and_fewer_columns(made):
    content, options, rows = made
    table = read(content, **options)
    order = np.random.default_rng(1).permutation(len(rows))
    part = table.frame.iloc[order, :1]
    again = read(table.content(part, rows=order), **options)
    assert again.frame.iloc[:, 0].fillna("").tolist() == part.iloc[:, 0].fillna("").tolist()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_dialect_is_found_out(separator, encoding, end):
    lines = ["age", "city", "note"], ["39", "Köln", "a, b; c"], ["40", "Paris", '"']
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator=end).writerows(lines)
    content = text.getvalue().encode(encoding)
    table = read(content)
    assert table.frame.to_numpy().tolist() == [list(line) for line in lines[1:]]
    assert (table.dialect.separator, table.dialect.line_end) == (separator, end)
    assert table.content(table.frame) == content


def test_what_was_found_out_is_told():
    content = codecs.BOM_UTF8 + b"a;b\n1,5;NA\n2,5;3\n"
    table = read(content)
    assert table.dialect.described() == {
        "separator": ";",
        "encoding": "utf-8 with byte order mark",
        "decimal": ",",
        "missing": ["", "NA"],
    }
    assert table.kinds == {"a": "numbers", "b": "numbers"}


class TestDecimals:
    def test_comma_is_read_and_written_again(self):
        content = b"zone;pay\nA;1,50\nB;2,5\n"
        table = read(content)
        assert table.frame["pay"].tolist() == ["1.50", "2.5"]
        changed = table.frame.assign(pay=[2.0, 1.75])
        assert table.content(changed) == b"zone;pay\nA;2\nB;1,75\n"
        assert table.content(table.frame) == content

    def test_points_anywhere_decide_against_commas(self):
        frame = read_table(io.BytesIO(b"a;b\n1,5;2.5\n2,5;3.5\n"))
        assert frame["a"].tolist() == ["1,5", "2,5"]
        frame = read_table(io.BytesIO(b"a;b\n1,5;2.5\n2,5;3.5\n"), decimal=",")
        assert frame["a"].tolist() == ["1.5", "2.5"]
        assert frame["b"].tolist() == ["2.5", "3.5"]

    def test_groups_of_three_digits_are_not_taken_for_decimals(self):
        assert read_table(io.BytesIO(b"a;b\n1,500;x\n2,250;y\n"))["a"].tolist() == [
            "1,500",
            "2,250",
        ]
        given = read_table(io.BytesIO(b"a;b\n1,500;x\n2,250;y\n"), decimal=",")
        assert given["a"].tolist() == ["1.500", "2.250"]


class TestMissing:
    @pytest.mark.parametrize("text", ["NA", "N/A", "NaN", "nan", "NULL", "null", "None", "."])
    def test_spellings_are_missing_among_numbers_alone(self, text):
        frame = read_table(io.BytesIO(f"n,country\n1,{text}\n{text},DE\n2,FR\n".encode()))
        assert frame["n"].tolist() == ["1", None, "2"]
        assert frame["country"].tolist() == [text, "DE", "FR"]

    def test_others_can_be_named(self):
        content = b"n,country\n-9,?\n?,DE\nNA,FR\n"
        frame = read_table(io.BytesIO(content), missing=["-9", "?"])
        assert frame["n"].tolist() == [None, None, "NA"]
        assert frame["country"].tolist() == [None, "DE", "FR"]

    def test_they_are_written_as_they_stand(self):
        content = b"n,m\n1,NA\nNA,2\n3,\n"
        table = read(content)
        assert table.content(table.frame) == content


class TestProtectedColumns:
    def test_equal_cells_look_alike_however_they_were_written(self):
        content = b"day,n\n03.09.2014,1\n2014-09-03,2\n"
        table = read(content, dates={"day": ["%d.%m.%Y", "%Y-%m-%d"]})
        assert table.content(table.frame) == content
        assert table.content(table.frame, protected=["day"]) == (
            b"day,n\n2014-09-03,1\n2014-09-03,2\n"
        )


class TestDates:
    def test_formats_are_read_if_they_are_given(self):
        content = b"day,n\n03.09.2014,1\n2014-09-04,2\n,3\n"
        frame = read_table(io.BytesIO(content))
        assert frame["day"].tolist() == ["03.09.2014", "2014-09-04", None]
        table = read(content, dates={"day": ["%d.%m.%Y", "%Y-%m-%d"]})
        assert table.frame["day"].tolist() == ["2014-09-03", "2014-09-04", None]

    def test_what_is_no_date_is_named(self):
        with pytest.raises(ValueError, match=r"'day': expected dates such as %d.*found '2014-09'"):
            read_table(io.BytesIO(b"day,n\n2014-09,1\n"), dates={"day": "%d.%m.%Y"})


def test_formats_that_name_a_part_twice_fit_no_date():
    with pytest.raises(ValueError, match=r"expected dates such as %d %d, found '1 1' in row 0"):
        read_table(io.BytesIO(b"day,n\n1 1,1\n"), dates={"day": "%d %d"})
    with pytest.raises(ValueError, match=r"expected dates of the format '%d %d', found '1 1'"):
        Hierarchy.dates(["1 1"], format="%d %d")


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"a,a\n1,2\n", {}, r"expected each column once, found 'a' twice"),
        (b"a,b\n1\n", {}, r"2 names.*1 fields on line 2"),
        (b"a,b\n\0,1\n", {}, r"a NUL character on line 2"),
        (b"a,b\n1,2\n", {"encoding": "x-none"}, r"encoding: expected a name such as utf-8"),
        (b"a,b\n1,2\n", {"encoding": "rot13"}, r"encoding: expected a name such as utf-8"),
        (b"a,b\n\xff,2\n", {"encoding": "ascii"}, r"expected ASCII text"),
        (b"a,b\n1,2\n", {"separator": "::"}, r"separator: expected one character"),
        (b"a,b\n1,2\n", {"separator": '"'}, r"separator: expected one character"),
        (b"a,b\n1,2\n", {"decimal": "'"}, r"decimal: expected one of '.', ','"),
        (b"a,b\n1,2\n", {"dates": {"c": "%Y"}}, r"'c'"),
        (b"", {}, r"an empty file"),
    ],
)
def test_wrong_files_and_options_are_named(content, options, message):
    with pytest.raises(ValueError, match=message):
        read(content, **options)


def test_what_the_encoding_has_not_is_named():
    table = read("a,b\né,1\n".encode("cp1252"))
    with pytest.raises(ValueError, match="expected text that cp1252 can hold, found 'Ж'"):
        table.content(table.frame.assign(a=["Ж"]))


def test_devices_are_not_read():
    with pytest.raises(ValueError, match="/dev/full: expected a file, found a device"):
        read_table("/dev/full")


def test_pipes_are_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    if os.fork() == 0:
        pipe.write_bytes(b"a,b\n1,2\n")
        os._exit(0)
    assert read_table(pipe).to_numpy().tolist() == [["1", "2"]]


def test_header_longer_than_the_rows():
    with pytest.raises(ValueError, match=r"4 names.*3 fields on line 2"):
        read_table(io.BytesIO(b"a;b;c;\n1;2;3\n"))


def test_header_alone_is_a_table_without_rows():
    table = read(b"a,b\n")
    assert table.frame.shape == (0, 2)
    assert table.content(table.frame) == b"a,b\n"


def test_cells_are_text_and_empty_cells_are_missing():
    frame = read_table(io.BytesIO("age;city\n039;Paris, France\n40;\n".encode("utf-8-sig")))
    assert frame.columns.tolist() == ["age", "city"]
    assert frame["age"].tolist() == ["039", "40"]
    assert frame["city"].isna().tolist() == [False, True]
