"""CSV by DuckDB: the cells that a table in memory has, or refused."""

from __future__ import annotations

import pytest

from anonopt.data.tables.table_files import TableFile
from anonopt.sources import DuckDBSource
from anonopt.sources.arrow import arrow_csv
from anonopt.sources.duckdb import csv_structure

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

EQUAL = {
    "missing and NA": b'a,b\n1,NA\n2,\nNA,"NA"\n3,""\n4,NULL\n',
    "spaces": b" a ,b\n 1 , x\n2, \n,\n",
    "numbers": b'a,b\n007,1e5\n"1,5",-0\n0.50,"2,5"\n',
    "byte order mark": b'\xef\xbb\xbf"a",b\n1,x\n',
    "CRLF": b'a,b\r\n1,"x\r\ny"\r\n2,"z\n"\r\n',
    "CR": b"a,b\r1,x\r2,y\r",
    "quotes": b'a,b\n1,"x ""y"" z"\n2,""""\n4," ""z"" "\n5,"x, ""y"" "\n',
    "a quote within": b'a,b\n1,x"y\n2," z"\n',
    "no quotes": b"a,b\n1,x\\\n2,\\N\n#3,'\n",
    "header alone": b"a,b\n",
    "header without a line end": b"a,b",
    "no line end": b"a,b\n1,x",
    "empty lines": b"a,b\n1,x\n\n2,y\n\n\n",
    "one column": b'a\n1\n""\n2\n',
    "name of two lines": b'"a\nc",b\n1,x\n',
    "other line ends": "a,b\n1,x\u2028y\n2,\x0bz\x0c\nä,ö\n".encode(),
    "tab before a quote": b'a,b\n1,\t"x"\n',
}

REFUSED = {
    b'a,b\n1,x\n2, "x"\n': "found a space beside a quote on line 3",
    b'a,b\n1,"x\ny"\n  "1",x\n': "found a space beside a quote on line 4",
    b'a,b\n1,"x" \n': "found a space beside a quote on line 2",
    b"a;b\n1,5;x\n": "Row #2: Expected 1 columns, got 2",
    b"a,b\n1,x\n2\n": "Row #3: Expected 2 columns, got 1",
    b"a,b\n1,x\n2,y,\n": "Row #3: Expected 2 columns, got 3",
    b'a,b\n1,x,""\n': "Row #2: Expected 2 columns, got 3",
    b'a,b\n1,"x\n': "Line: 2",
    b'a,b\n1,"x"y\n': "Line: 2",
    b"a,b\n1,x\0\n": "found a NUL character on line 2",
    b"a\n1\n\n2\n": "found an empty line on line 3",
    b"a\n1\n\n": "found an empty line on line 3",
    b"a,a\n1,x\n": "expected columns of different names",
    b"a,A\n1,x\n": "differ in case alone",
    b"a,\n1,x\n": "found none of column 2",
    b"\na,b\n1,x\n": "expected a header on the first line",
    b"a,b\r\n1,x\n2,y\r\n": "expected rows that can be read",
    b"": "expected a header",
}


@pytest.fixture(params=[1 << 24, 3], autouse=True)
def block(request, monkeypatch):
    monkeypatch.setattr(csv_structure, "BLOCK", request.param)
    monkeypatch.setattr(arrow_csv, "BLOCK", request.param)


def rows_of(path):
    source = DuckDBSource.of_csv(path, threads=1)
    return list(source.columns), source.session.fetch(f"select * from {source.relation}")


@pytest.mark.parametrize("name", EQUAL)
def test_cells_are_those_in_memory(name, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(EQUAL[name])
    frame = TableFile.read(path, separator=",", decimal=".", missing=[]).frame
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    columns, rows = rows_of(path)
    assert columns == list(frame) and list(map(list, rows)) == cells


@pytest.mark.parametrize("content", REFUSED)
def test_what_would_be_read_otherwise_is_refused(content, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"a\.csv.*{REFUSED[content]}"):
        rows_of(path)
