"""Where mutants are tried: a copy of the library and of its tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.mutation.mutants import ROOMS, Mutant
from tests.mutation.trials import FORK, UNSWAPPED, Trials
from tests.repository import PACKAGE_FOLDERS, ROOT

LIMIT = 300.0
"""Seconds that all tests of a mutant may take; they are longer only if the mutant never ends."""


class Workshop:
    """A copy of the library, laid out as it is installed, and of the tests.

    The library is found there before the installed one; the working tree is never changed.
    """

    def __init__(self, folder: Path) -> None:
        # Times of files are kept: compiled kernels stay valid.
        unwanted = shutil.ignore_patterns("*.egg-info")
        for package, source in PACKAGE_FOLDERS.items():
            inside = folder / "site" / Path(*package.split("."))
            shutil.copytree(source, inside, ignore=unwanted, dirs_exist_ok=True)
        self._site, self._root = folder / "site", folder / "project"
        self._root.mkdir()
        for name in ("tests", "docs"):
            shutil.copytree(ROOT / name, self._root / name)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy2(ROOT / name, self._root / name)
        folder = os.environ.get("ANONOPT_DATA_DIR") or str(ROOT.parent / "shared" / "data")
        self._environment = {
            "ANONOPT_DATA_DIR": folder,
            "CI": "true",
            "PYTHONPATH": str(self._site),
        }
        self._n_written = 0
        self._sound: set[tuple[str, ...]] = set()

    def outcomes(self, mutants: Sequence[Mutant]) -> dict[Mutant, str]:
        """Tell of each mutant of one file: ``killed``, ``timeout`` or ``survived``."""
        stages = self._stages(mutants[0])
        found = dict.fromkeys(mutants, "survived")
        for tests in stages:
            left = [mutant for mutant, outcome in found.items() if outcome == "survived"]
            if left:
                found.update(zip(left, self._trials(tests, left), strict=True))
        # What runs when the library is imported has run already in those forks.
        left = [mutant for mutant, outcome in found.items() if outcome in {"survived", UNSWAPPED}]
        return found | {mutant: self._fresh(stages, mutant) for mutant in left}

    def _stages(self, mutant: Mutant) -> list[tuple[str, ...]]:
        """Tests by distance: the mirror of the file, its folder, those above, the contracts."""
        inside = Path(mutant.path.removeprefix("anonopt/"))
        mirror = Path("tests", inside.parent, f"test_{inside.name}")
        stages = [(mirror.as_posix(),)] if (ROOT / mirror).is_file() else []
        for folder in (inside.parent, *inside.parent.parents[:-1]):
            files = sorted((ROOT / "tests" / folder).glob("test_*.py"))
            names = (file.relative_to(ROOT).as_posix() for file in files)
            stages.append(tuple(name for name in names if name != mirror.as_posix()))
        return [tests for tests in (*stages, ROOMS[mutant.room].contracts) if tests]

    def _trials(self, tests: tuple[str, ...], mutants: Sequence[Mutant]) -> list[str]:
        copy = self._copy_of(mutants[0])
        original = copy.read_text(encoding="utf-8")
        sound, *found = self._session(tests, [(copy, original, each.code) for each in mutants])
        self._note_sound(tests, sound)
        return found

    def _fresh(self, stages: Sequence[tuple[str, ...]], mutant: Mutant) -> str:
        """Outcome where the library is imported with the mutant in it."""
        for tests in stages:
            if tests not in self._sound:
                self._note_sound(tests, *self._session(tests, ()))
        copy = self._copy_of(mutant)
        original, times = copy.read_bytes(), copy.stat()
        try:
            copy.write_text(mutant.code, encoding="utf-8")
            # Bytecode is known by the second and the size of its file: each mutant has its second.
            self._n_written += 1
            os.utime(copy, (times.st_atime, int(times.st_mtime) + self._n_written))
            found = self._session([test for tests in stages for test in tests], (), LIMIT)
        finally:
            copy.write_bytes(original)
            os.utime(copy, ns=(times.st_atime_ns, times.st_mtime_ns))
        return found[0] if found else "killed"

    def _copy_of(self, mutant: Mutant) -> Path:
        package = "" if mutant.path.startswith("anonopt/") else "anonopt"
        return self._site / package / mutant.path

    def _note_sound(self, tests: tuple[str, ...], outcome: str = "collected nothing") -> None:
        if outcome != "survived":
            raise RuntimeError(f"the tests fail without a mutant: {' '.join(tests)}")
        self._sound.add(tests)

    def _session(
        self,
        tests: Sequence[str],
        pairs: Sequence[tuple[Path, str, str]],
        limit: float = 1800,
    ) -> list[str]:
        """Outcome without a mutant, and with each; nothing if the tests cannot be collected."""
        receiver, sender = FORK.Pipe(duplex=False)
        process = FORK.Process(target=self._test, args=(tests, pairs, sender, limit))
        process.start()
        sender.close()
        found = []
        with contextlib.suppress(EOFError):
            while found or receiver.poll(limit + 60):
                found.append(receiver.recv())
        if process.is_alive() and not found:
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
        return found

    def _test(
        self,
        tests: Sequence[str],
        pairs: Sequence[tuple[Path, str, str]],
        sender: Connection,
        limit: float,
    ) -> None:
        os.setsid()
        os.chdir(self._root)
        os.environ.update(self._environment)
        sys.path[:] = [str(self._site), *(part for part in sys.path[1:] if part)]
        for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
            del sys.modules[name]
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        os._exit(
            pytest.main(["-q", "-p", "no:cacheprovider", *tests], [Trials(pairs, sender, limit)])
        )
