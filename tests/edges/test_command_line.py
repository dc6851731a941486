"""The command line at the edges: what an output may be, and what it must not tell."""

import subprocess
import sys

import pytest

from anonopt.data.tables.table_files import TableFile

R_TABLE = '"g","day","n"\n' + "".join(
    f'"{"abc"[row % 3]}",{row % 4 + 1:02d}.03.2014,{row}\n' for row in range(60)
)
"""As R writes tables: quotes around texts."""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(R_TABLE)
    return path


@pytest.mark.parametrize("method", ["pram --matrix uniform", "rank-swapping --p 30 --ordinal g"])
def test_point_05_quotes_do_not_tell_which_cells_were_drawn(run, table, method):
    out = table.with_name("out.csv")
    outcome = run("mask", *method.split(), table, "--columns", "g", "--seed", 1, "--output", out)
    assert outcome.code == 0, outcome.err
    assert out.read_text() != R_TABLE
    assert {line.split(",")[0] for line in out.read_text().splitlines()} == {
        '"g"', '"a"', '"b"', '"c"'
    }  # fmt: skip


def test_point_05_spellings_do_not_tell_which_cells_were_drawn(run, table):
    out = table.with_name("out.csv")
    words = ["--columns", "day", "--dates", "day=%d.%m.%Y", "--matrix", "uniform", "--seed", 1]
    outcome = run("mask", "pram", table, *words, "--output", out)
    assert outcome.code == 0, outcome.err
    days = {line.split(",")[1] for line in out.read_text().splitlines()[1:]}
    assert days == {f"0{day}.03.2014" for day in range(1, 5)}


def test_point_33_quotes_of_single_cells_go_where_a_column_is_protected(run, tmp_path):
    (tmp_path / "table.csv").write_text('g,n\n"a",1\na,"2"\nb,3\n"b",4\n')
    out = tmp_path / "out.csv"
    words = ["--columns", "g", "--k", 2, "--output", out]
    assert run("mask", "mdav", tmp_path / "table.csv", *words).code == 0
    assert out.read_text() == 'g,n\na,1\na,"2"\nb,3\nb,4\n'


@pytest.mark.parametrize("link", [None, "symlink_to", "hardlink_to"])
def test_point_26_a_draft_never_replaces_its_table(run, table, link):
    output = table
    if link:
        output = table.with_name("people.toml")
        getattr(output, link)(table)
    outcome = run("init", table, "--output", output, "--force")
    assert outcome.code == 2
    assert "expected a new file, found the input" in outcome.err
    assert table.read_text() == R_TABLE


@pytest.mark.parametrize("output", [".", "/", ""])
@pytest.mark.parametrize(
    "words",
    [
        "mask mdav {table} --k 2 --columns n --force --output",
        "init {table} --force --output",
        "init",
        "solve adult-k-glm --budget 10 --output",
        "graph protect --k 2",
    ],
)
def test_point_26_paths_without_a_name_are_folders(run, table, words, output):
    outcome = run(*words.format(table=table).split(), output)
    assert outcome.code == 2
    assert "expected a file, found a folder" in outcome.err


@pytest.mark.parametrize("option", ["--json", "--record-seed"])
def test_point_33_tables_alone_go_to_standard_output(run, table, option):
    words = ["--k", 2, "--columns", "n", "--output", "-"]
    outcome = run("mask", "mdav", table, *words, option)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{option}: expected an output file, found --output -" in outcome.err


def test_point_33_drafts_of_standard_input_go_to_standard_output(table):
    command = [sys.executable, "-m", "anonopt", "init", "-"]
    done = subprocess.run(
        command, input=R_TABLE, capture_output=True, text=True, cwd=table.parent, check=True
    )
    assert 'file = "-"\n' in done.stdout
    assert 'file = "protected.csv"\n' in done.stdout
    assert [path.name for path in table.parent.iterdir()] == ["table.csv"]


@pytest.mark.parametrize(
    "words",
    [
        "solve adult-k-glm --budget 10 --output -",
        "solve adult-k-glm --budget 10 --checkpoint - --output front.csv",
        "graph protect {table} --k 2 --output -",
        "graph protect friends.gml --k 2 --output -",
        "compare-files {table} {table} --columns n --output -",
    ],
)
def test_point_33_no_file_gets_the_name_of_standard_output(run, table, words, monkeypatch):
    monkeypatch.chdir(table.parent)
    assert run(*words.format(table=table).split(), "--force").code == 2
    assert [path.name for path in table.parent.iterdir()] == ["table.csv"]


def test_point_33_anonymize_writes_files_alone(run, edited):
    config = edited(('file = "protected.csv"', 'file = "-"'))
    outcome = run("anonymize", config)
    assert outcome.code == 2
    assert not (config.parent / "-").exists()


def _streams(words, folder, *redirections):
    command = " ".join([sys.executable, "-m", "anonopt", *words, *redirections])
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=folder
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("words", "redirection", "code", "message"),
    [
        ("--help", ">/dev/full", 2, "standard output: No space left"),
        ("check -h", ">/dev/full", 2, "standard output: No space left"),
        ("check - --qi n", "<&-", 2, "expected an open stream, found a closed one"),
        ("mask mdav table.csv --k 2 --columns n --output -", ">&-", 2, "expected an open stream"),
    ],
)
def test_point_20_streams_that_fail_are_no_faults(table, words, redirection, code, message):
    found, said = _streams(words.split(), table.parent, redirection)
    assert (found, said.count("\n")) == (code, 1), said
    assert message in said


@pytest.mark.parametrize("words", ["--help", "check -h", "measures"])
def test_point_20_nothing_is_said_to_a_reader_that_has_gone(table, words):
    assert _streams(words.split(), table.parent, "| true; exit ${PIPESTATUS[0]}") == (141, "")


@pytest.mark.parametrize(
    ("text", "line"),
    [("x\n1\n\n3\n", 3), ("x\r\n\r\n3", 2), ('x\n"a\n\nb"\n\nc\n', 5), ("x\r1\r\r2\r\r", 3)],
)
def test_point_33_no_row_of_one_column_is_dropped(run, table, text, line):
    table.write_bytes(text.encode())
    outcome = run("check", table, "--qi", "x")
    assert outcome.code == 2
    assert f"line {line}: expected a value, found an empty line" in outcome.err


@pytest.mark.parametrize(
    "text", ['x\n"a\n\nb"\nc\n', "\n\nx\n1\n2\n\n\n", "x\r\n1\r\n2", 'x\n""\n1\n']
)
def test_point_33_columns_alone_are_read(run, table, text):
    table.write_bytes(text.encode())
    outcome = run("check", table, "--qi", "x", "--k", 1, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["rows"] == 2


@pytest.mark.parametrize("text", ["pay\n1,5\n2\nNA\n4,25", '"pay"\r\n1,5\r\n2\r\nNA\r\n4,25\r\n'])
def test_point_33_one_column_may_have_decimal_commas(table, text):
    table.write_bytes(text.encode())
    read = TableFile.read(table)
    assert (read.dialect.separator, read.dialect.decimal) == (";", ",")
    assert read.frame["pay"].tolist() == ["1.5", "2", None, "4.25"]
    assert read.content(read.frame) == text.encode()


@pytest.mark.parametrize("text", ["pay\n1,5\n2,5,3\n", "pay\nx,y\nz,a\n", "# c\na,b\n1,2\n"])
def test_point_33_other_lines_longer_than_the_header_are_refused(table, text):
    table.write_bytes(text.encode())
    with pytest.raises(ValueError, match="expected as many fields on every line"):
        TableFile.read(table)


def test_point_34_a_node_has_a_level_for_each_quasi_identifier(run, people):
    outcome = run("anonymize", people / "people.toml", "--node", "2,2,2")
    assert outcome.code == 2
    assert "node: expected 4 levels, of age, zip, education, joined, found 3" in outcome.err
