"""What the progress bar shows, and where."""

from __future__ import annotations

from anonopt.runs.progress import progress_bar


def test_bar_starts_with_nothing(capsys):
    with progress_bar(visible=True):
        pass
    printed = capsys.readouterr()
    assert printed.out == ""
    assert all(part in printed.err for part in ("0%", "0 solutions", "0/s"))


def test_bar_shows_the_last_report(capsys):
    with progress_bar(visible=True) as show:
        show(0.25, 7)
        show(0.5, 40)
    printed = capsys.readouterr().err
    assert all(part in printed for part in ("50%", "40 solutions"))


def test_bar_names_what_it_counts(capsys):
    with progress_bar(visible=True, of="runs") as show:
        show(0.5, 3)
    printed = capsys.readouterr().err
    assert "3 runs" in printed and "solutions" not in printed


def test_no_bar_shows_nothing(capsys):
    with progress_bar(visible=False) as show:
        show(0.5, 40)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
