"""CSV files at the edges: as they come from the world, an answer or an error that says what."""

import io
import subprocess
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.cli.configuration.config import read_config
from anonopt.data.hierarchies import masked_texts
from anonopt.data.tables import decoding
from anonopt.data.tables.table_files import TableFile

CONFIG = """
[data]
file = "people.csv"
quasi_identifiers = ["age"]
[hierarchies]
age = {}
[search]
k = 2
[output]
file = "out.csv"
"""


@pytest.mark.parametrize(
    "command",
    [
        ["check", "{file}", "--qi", "age"],
        ["mask", "mdav", "{file}", "--k", "2", "--columns", "age", "--output", "{file}.out"],
        ["compare-files", "{file}", "{file}"],
        ["init", "{file}"],
    ],
)
def test_point_20_a_column_that_stands_twice_is_wrong_input(run, tmp_path, command):
    path = tmp_path / "twice.csv"
    path.write_text("age,zip,age\n21,1,2\n34,1,3\n")
    outcome = run(*(word.format(file=path) for word in command))
    assert outcome.code == 2
    assert "expected each column once, found 'age' twice" in outcome.err


def test_point_20_a_frame_with_two_columns_of_a_name_is_refused():
    frame = pd.DataFrame([[1, 2], [1, 2]], columns=["age", "age"])
    with pytest.raises(ValueError, match=r"'age'.*(twice|several times)"):
        ao.check(frame, quasi_identifiers=["age"])
    with pytest.raises(ValueError, match=r"'age'.*(twice|several times)"):
        ao.compare(frame, frame)
    with pytest.raises(ValueError, match=r"'age'.*(twice|several times)"):
        ao.masking.MDAV(k=2).fit_transform(frame)


@pytest.mark.parametrize("method", ["mdav", "mondrian", "rank-swapping"])
def test_point_21_whole_numbers_of_309_digits_are_masked_or_refused(run, tmp_path, method):
    path = tmp_path / "long.csv"
    path.write_text("size\n" + "".join(f"{10**308 * 9 + i}\n" for i in range(6)) + "9" * 310 + "\n")
    options = ["--p", "40"] if method == "rank-swapping" else ["--k", "2"]
    outcome = run("mask", method, path, *options, "--output", tmp_path / "out.csv")
    assert outcome.code in (0, 2)
    assert outcome.code == 0 or "column 'size': expected" in outcome.err


def test_point_21_long_numbers_of_a_configuration_are_refused(tmp_path):
    path = tmp_path / "people.toml"
    path.write_text(CONFIG.format('{ builder = "intervals", width = 1 }').replace("k = 2", "t = 1"))
    path.write_text(path.read_text().replace("t = 1", f"k = 2\nt = {10**400}"))
    with pytest.raises(ValueError, match=r"search\.t: expected a number in 0\.\.1, found 1000"):
        read_config(path)


@pytest.mark.parametrize("number", ["9" * 309, "1e400", "-1e2000"])
def test_point_21_numbers_that_are_not_whole_and_too_large_are_named(run, tmp_path, number):
    path = tmp_path / "long.csv"
    path.write_text(f"size,b\n1.5,1\n2.5,2\n{number},3\n")
    outcome = run("mask", "mdav", path, "--k", "2", "--output", tmp_path / "out.csv")
    assert outcome.code == 2
    assert "column 'size': expected numbers of at most 1.8e+308" in " ".join(outcome.err.split())


@pytest.mark.parametrize("text", ["1e999999999", "-1E-999999999"])
def test_point_21_exponents_that_would_fill_the_memory_are_no_numbers(run, tmp_path, text):
    path = tmp_path / "long.csv"
    path.write_text(f"size\n1.5\n2.5\n{text}\n")
    outcome = run("mask", "mdav", path, "--k", "2", "--output", tmp_path / "out.csv")
    assert outcome.code == 2
    assert f"found '{text}' on line 4" in " ".join(outcome.err.split())
    assert ao.check(ao.data.read_table(path), quasi_identifiers=["size"])["k"] == 1
    with pytest.raises(ValueError, match="expected a finite number"):
        ao.Hierarchy.intervals([text], width=10)


def test_point_21_a_nul_character_in_a_path_is_told(run, tmp_path):
    path = tmp_path / "people.toml"
    path.write_text(CONFIG.format('"flat"').replace("people.csv", "a\\u0000"))
    outcome = run("anonymize", path)
    assert (outcome.code, "found a NUL character" in outcome.err) == (2, True)


def test_point_22_a_length_without_measure_is_refused():
    with pytest.raises(ValueError, match=r"length: expected .* at most 100000, found 10000000000"):
        ao.Hierarchy.text(["a"], length=10**10)


@pytest.mark.parametrize(
    "hierarchy",
    [
        "[" * 100_000,
        "{a = " * 100_000,
        "[" * 201 + "]" * 201,
        "{ " + ".".join("a" * 5000) + " = 1 }",
    ],
)
def test_point_21_configurations_nested_deeply_are_refused(tmp_path, hierarchy):
    path = tmp_path / "people.toml"
    path.write_text(CONFIG.format(hierarchy))
    with pytest.raises(ValueError, match=r"people\.toml: expected TOML"):
        read_config(path)


def test_point_21_a_tree_may_be_deeper_than_python_calls_functions():
    tree: dict[str, object] = {"leaf": None}
    for depth in range(3000):
        tree = {f"label {depth}": tree}
    assert ao.Hierarchy.from_tree(tree).height == 3000


@pytest.mark.parametrize("command", [["check", "{}", "--qi", "age"], ["init", "{}"]])
def test_point_21_devices_and_folders_are_no_tables(run, tmp_path, command):
    for source in ("/dev/zero", "/dev/full", tmp_path):
        outcome = run(*(word.format(source) for word in command), *_elsewhere(command, tmp_path))
        assert outcome.code == 2, outcome.out
        assert str(source) in outcome.err


def _elsewhere(command, folder):
    return ["--output", folder / "out.toml"] if command[0] == "init" else []


def test_point_21_a_stream_without_end_is_left(monkeypatch):
    class Endless:
        name = "endless"

        def read(self, size):
            return b"1,2\n" * (size // 4)

    monkeypatch.setattr(decoding, "MOST_BYTES", 10**7)
    with pytest.raises(ValueError, match="endless: expected at most 10,000,000 bytes"):
        ao.data.read_table(Endless())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\r\n\r\n", "empty"),
        (b"age\n1\0\n", "NUL character on line 2"),
        (b'age\n"1\n', "line 2: expected CSV"),
        (b"age,zip\n" + b"x" * 200_000 + b",1\n", "field larger than field limit"),
        (b"\x81\x8d\x8f,\xff\n", "expected UTF-8 text"),
        (b"\xff\xfea\x00,", "expected UTF-16-LE text"),
        (b"a,b\n1\n", "found 2 names or values on line 1"),
    ],
)
def test_point_21_what_is_no_csv_is_told(tmp_path, content, message):
    path = tmp_path / "odd.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        ao.data.read_table(path)


def test_point_21_lone_carriage_returns_end_lines(tmp_path):
    path = tmp_path / "mac.csv"
    path.write_bytes(b"age,zip\r21,A\r34,B\r")
    table = ao.data.read_table(path)
    assert table.to_numpy().tolist() == [["21", "A"], ["34", "B"]]


@pytest.mark.parametrize("encoding", ["x-none", "base64", "rot13", "hex", "", "undefined"])
def test_point_21_encodings_that_are_none_of_text_are_refused(tmp_path, encoding):
    path = tmp_path / "people.csv"
    path.write_text("age\n1\n")
    with pytest.raises(ValueError, match=r"encoding: expected|people\.csv: expected"):
        ao.data.read_table(path, encoding=encoding)


def test_point_22_text_hierarchies_take_memory_linear_in_the_text():
    values = [f"v{i}" for i in range(999)] + ["x" * 2000]
    tracemalloc.start()
    try:
        tree = ao.Hierarchy.text(values)
        frame = pd.DataFrame({"v": [*values, None]})
        table = ao.Microdata(frame, quasi_identifiers=["v"], hierarchies={"v": tree})
        masked = table.apply([1997])["v"]
        assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
    finally:
        tracemalloc.stop()
    # v0 to v9, v10 to v99 with what they begin, xxx, and missing.
    assert masked.nunique() == 10 + 90 + 1 + 1
    assert masked.iloc[0] == "v0 " + "*" * 1997
    assert masked.iloc[-1] == "<missing>"


def written_out(values, length, mask, padding, *, from_right):
    """The levels as the definition says them."""
    levels = [values]
    for n in range(1, length):
        levels.append(
            [v.ljust(length, padding)[: length - n] + mask * n for v in values]
            if from_right
            else [mask * n + v.rjust(length, padding)[n:] for v in values]
        )
    return ao.Hierarchy([*levels, ["*"] * len(values)])


@pytest.mark.parametrize("most", [0, 10**7])
def test_point_22_labels_made_when_asked_for_are_those_written_out(monkeypatch, most):
    monkeypatch.setattr(masked_texts, "MOST_CHARACTERS", most)
    generator = np.random.default_rng(1)
    for _ in range(200):
        texts = ["".join(generator.choice(list("ab *_é🙂"), size=n)) for n in range(5)] * 2
        values = list(dict.fromkeys(generator.permutation(np.array(texts, dtype=object))))
        length = 4 + int(generator.integers(3))
        mask, padding = str(generator.choice(list("*xa"))), str(generator.choice(list(" _a")))
        for from_right in (True, False):
            direction = "right_to_left" if from_right else "left_to_right"
            tree = ao.Hierarchy.text(
                values, direction=direction, length=length, mask=mask, padding=padding
            )
            plain = written_out(values, length, mask, padding, from_right=from_right)
            assert tree == plain
            assert plain == tree
            assert tree.fingerprint == plain.fingerprint
            assert tree.with_missing() == plain.with_missing()


def test_point_33_columns_have_did_you_mean(run, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age,zip\n21,1\n34,1\n")
    for command in (
        ["check", path, "--qi", "agee"],
        ["compare-files", path, path, "--columns", "Aeg,zip"],
        ["mask", "mdav", path, "--k", 2, "--columns", "agee", "--output", tmp_path / "x.csv"],
        ["check", path, "--qi", "zip", "--sensitive", "agge"],
    ):
        outcome = run(*command)
        assert outcome.code == 2
        assert "did you mean age?" in " ".join(outcome.err.split())


@pytest.mark.parametrize(
    "command", ["", "check", "mask", "init", "graph", "graph protect", "anonymize", "solve"]
)
def test_point_33_every_command_has_a_short_help(run, command):
    outcome = run(*command.split(), "-h")
    assert outcome.code == 0
    assert "Usage:" in outcome.out


def test_point_33_the_package_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "anonopt", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout[:8]) == (0, "anonopt ")


def masked(run, path, *words):
    """Bytes that a masking method writes beside a file."""
    output = path.with_name("masked.csv")
    outcome = run("mask", *words, "--output", output, "--force", "--no-record")
    assert outcome.code == 0, outcome.err
    return output.read_bytes(), outcome


def test_point_03_codes_with_leading_zeros_are_swapped_among_themselves(run, tmp_path):
    path = tmp_path / "codes.csv"
    codes = ["007", "7", "008", "8", "009", "9"]
    path.write_text("code\n" + "\n".join(codes) + "\n")
    content, outcome = masked(
        run, path, "rank-swapping", path, "--columns", "code", "--p", 40, "--seed", 1
    )
    assert sorted(content.decode().split()[1:]) == sorted(codes)
    assert "codes" in outcome.out


def test_point_03_averages_of_codes_are_codes_that_occur(run, tmp_path):
    path = tmp_path / "codes.csv"
    codes = ["01234", "01235", "01239", "98765", "98766", "98769"]
    path.write_text("zip\n" + "\n".join(codes) + "\n")
    content, outcome = masked(run, path, "mdav", path, "--columns", "zip", "--k", 3, "--json")
    found = content.decode().split()[1:]
    assert set(found) <= set(codes)
    assert len(set(found)) == 2
    assert "codes" in outcome.out


HEIGHTS = ["172.5", "169.5", "180.0", "158.5", "191.0", "175.5"]


@pytest.mark.parametrize(
    ("missing", "method"),
    [
        *((text, "mdav") for text in ("NA", "N/A", "NaN", "nan", "NULL", "null", "None", ".", "")),
        ("NA", "mondrian"),
    ],
)
def test_point_04_missing_heights_stay_missing_as_they_are_written(run, tmp_path, missing, method):
    path = tmp_path / "heights.csv"
    cells = [*HEIGHTS[:3], missing, *HEIGHTS[3:]]
    path.write_text("".join(f"{cell},x\n" for cell in ["height", *cells]))
    content, outcome = masked(run, path, method, path, "--columns", "height", "--k", 3)
    lines = content.decode().splitlines()
    assert lines[4] == f"{missing},x"
    assert all(line.split(",")[0] not in (*HEIGHTS, missing) for line in lines[1:4])
    assert "numbers" in outcome.out


def test_point_04_decimal_commas_are_read_and_written(run, tmp_path):
    path = tmp_path / "ages.csv"
    path.write_text("id;age\n1;20,5\n2;21,5\n3;22,5\n4;60,5\n5;61,5\n6;62,5\n")
    content, _ = masked(run, path, "mdav", path, "--columns", "age", "--k", 3)
    ages = [line.split(";")[1] for line in content.decode().splitlines()[1:]]
    assert ages == ["21,5"] * 3 + ["61,5"] * 3


def test_point_04_a_column_of_nearly_all_numbers_shows_its_odd_cells(run, tmp_path):
    path = tmp_path / "heights.csv"
    path.write_text("height\n172\n169\nunknown\n180\n175\n")
    words = ["mdav", path, "--columns", "height", "--k", 2]
    outcome = run("mask", *words, "--output", tmp_path / "out.csv")
    message = " ".join(outcome.err.split())
    assert outcome.code == 2
    assert "column 'height': expected numbers" in message
    assert "'unknown' on line 4" in message
    assert not (tmp_path / "out.csv").exists()
    content, _ = masked(run, path, *words, "--missing", "unknown")
    assert content.decode().splitlines()[3] == "unknown"
    masked(run, path, *words, "--nominal", "height")


@pytest.mark.parametrize(
    ("mark", "end", "last", "separator"),
    [
        (b"", "\n", True, ","),
        (b"\xef\xbb\xbf", "\r\n", False, ";"),
        (b"", "\r\n", True, "\t"),
        (b"\xef\xbb\xbf", "\n", False, "|"),
    ],
)
def test_point_33_all_bytes_but_those_of_the_masked_cells_stay(
    run, tmp_path, mark, end, last, separator
):
    path = tmp_path / "people.csv"
    rows = [["name", "age", "note"], ['"A"', "20.0", "007"], ["B ", "30.0", "1e3"]]
    rows += [['"C ""x"""', "70.0", ""], ["Ünï", "80.0", " 5"]]
    text = end.join(separator.join(row) for row in rows) + end * last
    path.write_bytes(mark + text.encode())
    content, _ = masked(run, path, "mdav", path, "--columns", "age", "--k", 2)
    for old, new in (("20.0", "25"), ("30.0", "25"), ("70.0", "75"), ("80.0", "75")):
        text = text.replace(old, new)
    assert content == mark + text.encode()


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("\r\ufeffage\r1".encode(), None),
        ("age\n1\n".encode("utf-16-le"), "utf-16"),
        ("age\n1\n".encode("utf-16"), "utf-16"),
        ("größe\n1\n".encode("cp1252"), None),
        ("größe\n1\n".encode("latin-1"), "latin-1"),
    ],
)
def test_point_33_marks_and_encodings_come_back(content, encoding):
    table = TableFile.read(io.BytesIO(content), encoding=encoding)
    written = table.content(table.frame)
    assert written.lstrip(b"\xef\xbb\xbf") == content.lstrip(b"\r\xef\xbb\xbf")
    again = TableFile.read(io.BytesIO(written), encoding=table.dialect.encoding)
    assert again.frame.equals(table.frame)


def test_point_33_standard_input_and_output(tmp_path):
    text = "id;h\r\n1;172,5\r\n2;NA\r\n3;169,5\r\n4;180,0"
    words = ["mask", "mdav", "-", "--columns", "h", "--k", "3", "--output", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "anonopt", *words],
        input=text.encode(),
        capture_output=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"id;h\r\n1;174\r\n2;NA\r\n3;174\r\n4;174"
    assert list(tmp_path.iterdir()) == []
