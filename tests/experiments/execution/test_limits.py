"""An alarm ends the run it was set for, and nothing else."""

from __future__ import annotations

import signal
import time
from types import FunctionType

import pytest

from anonopt.experiments.execution.limits import BrokenOffError, bounded_time

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no alarms"
)


@pytest.mark.parametrize("limit", [1e-9, 1e-6, 1e-5, 1e-4])
def test_an_alarm_that_strikes_at_the_beginning_leaves_no_other(limit):
    before = signal.getsignal(signal.SIGALRM)
    for _ in range(10):
        with pytest.raises(BrokenOffError), bounded_time(limit):
            time.sleep(20)
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        assert signal.getsignal(signal.SIGALRM) == before


def compiled_slowly(ended):
    """Work of a compiler, where it is told to be one."""
    time.sleep(0.1)
    ended.append(True)


def test_a_function_is_compiled_to_its_end():
    compiler = FunctionType(
        compiled_slowly.__code__, {"__name__": "numba.core.compiler", "time": time}
    )
    ended = []
    with pytest.raises(BrokenOffError), bounded_time(0.02):
        compiler(ended)
        time.sleep(20)
    assert ended == [True]
    with pytest.raises(BrokenOffError), bounded_time(0.02):
        compiled_slowly(ended)
    assert ended == [True]
