"""Tasks that are lost are handed in again, and given up in the end; contents are sent once."""

from __future__ import annotations

import pickle
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor

import pytest

from anonopt.evaluation.executors import tasks
from anonopt.evaluation.executors.connection import UNKNOWN_WORKERS, Connection, Task
from anonopt.evaluation.executors.contents import Reply, content_of
from anonopt.evaluation.executors.tasks import DiedError, as_they_end


class Losing(Executor):
    """Loses the first tasks, in both ways; has one worker."""

    num_workers = 1

    def __init__(self, n_lost: int) -> None:
        self.n_lost, self.n_submitted = n_lost, 0

    def submit(self, function, /, *args):
        self.n_submitted += 1
        future: Future = Future()
        if self.n_submitted > self.n_lost:
            future.set_result(function(*args))
        elif self.n_submitted % 2:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(CancelledError())
        return future


class Breaking(Losing):
    def submit(self, function, /, *args):
        if self.n_submitted == 2:
            raise BrokenExecutor("a process died")
        return super().submit(function, *args)


def sums(asked, executor, ahead=2):
    found = as_they_end(asked, Connection(executor), ahead=ahead)
    return {key: None if future is None else future.result() for key, future in found}


@pytest.mark.parametrize("n_lost", [0, 2, 4])
def test_lost_tasks_are_handed_in_again(n_lost):
    executor = Losing(n_lost)
    assert sums([(i, Task(sum, ([i, 3],), None)) for i in range(2)], executor) == {0: 3, 1: 4}
    assert executor.n_submitted == 2 + n_lost


def test_a_task_that_is_lost_ten_times_is_given_up(monkeypatch):
    monkeypatch.setattr("anonopt.evaluation.executors.tasks.SECONDS_AFTER_LOSS", 0.0)
    executor = Losing(99)
    assert sums([("a", Task(sum, ([1],), None))], executor) == {"a": None}
    assert executor.n_submitted == 10


def test_what_has_ended_is_kept_when_the_executor_breaks():
    asked = [(i, Task(sum, ([i],), None)) for i in range(4)]
    ended = {}
    with pytest.raises(DiedError) as died:
        for key, future in as_they_end(asked, Connection(Breaking(0)), ahead=3):
            ended[key] = future.result()
    assert ended == {0: 0, 1: 1} and died.value.keys == []


def length_of(digest, packed):
    content = content_of(digest, packed)
    return content if isinstance(content, Reply) else len(content)


class Counting(Losing):
    """Notes which tasks came with their content."""

    def __init__(self) -> None:
        super().__init__(0)
        self.sent = []

    def submit(self, function, /, *args):
        self.sent.append(args[-1] is not None)
        return super().submit(function, *args)


def test_a_content_goes_with_the_first_tasks_and_to_workers_that_lack_it():
    executor = Counting()
    connection = Connection(executor)
    connection.keep("of a test", pickle.dumps([1, 2, 3]))
    tasks = [(i, Task(length_of, ("of a test",), "of a test")) for i in range(3)]
    found = [future.result() for _, future in as_they_end(tasks, connection, ahead=1)]
    assert found == [3, 3, 3] and executor.sent == [True, False, False]
    # As a second worker would that got no task at the beginning.
    absent = [("b", Task(length_of, ("of another",), "of another"))]
    connection.keep("of another", pickle.dumps([1]))
    connection._n_sent["of another"] = 1
    ((_, future),) = as_they_end(absent, connection, ahead=1)
    assert future.result() == 1 and executor.sent[3:] == [False, True]


def test_an_executor_that_does_not_tell_its_workers_is_guessed():
    class Silent(Losing):
        num_workers = None

    assert Connection(Silent(0)).n_workers == UNKNOWN_WORKERS


def test_an_executor_that_is_shut_down_meanwhile_is_broken():
    with ThreadPoolExecutor(1) as executor:
        connection = Connection(executor)
    with pytest.raises(BrokenExecutor, match="expected one that takes tasks, found: cannot sched"):
        connection.submit(Task(len, ([],), None))


class Cancelling(Losing):
    """Is shut down while its only task waits, which nobody is told of."""

    def submit(self, function, /, *args):
        if self.n_submitted:
            raise RuntimeError("cannot schedule new futures after shutdown")
        self.n_submitted += 1
        future: Future = Future()
        future.cancel()
        return future


def test_tasks_that_a_shutdown_cancels_are_not_waited_for(monkeypatch):
    monkeypatch.setattr("anonopt.evaluation.executors.tasks.SECONDS_BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr("anonopt.evaluation.executors.tasks.SECONDS_AFTER_LOSS", 0.0)
    with pytest.raises(DiedError) as died:
        sums([(0, Task(sum, ([1],), None))], Cancelling(0))
    assert "after shutdown" in str(died.value.__cause__)


def test_a_client_that_has_no_scheduler_any_more_is_given_up(monkeypatch):
    monkeypatch.setattr("anonopt.evaluation.executors.tasks.SECONDS_BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr(Connection, "is_connected", False)
    with pytest.raises(BrokenExecutor, match="has had no scheduler"):
        tasks._ended({Future(): None}, Connection(Losing(0)))


def test_threads_of_a_pool_do_not_wait_for_it():
    with ThreadPoolExecutor(1) as pool:
        asked = [("a", Task(sum, ([1, 4],), None)), ("b", Task(sum, ([2],), None))]
        assert pool.submit(sums, asked, pool).result(timeout=60) == {"a": 5, "b": 2}


def test_what_gives_no_futures_is_refused():
    class Nothing(Losing):
        def submit(self, function, /, *args):
            return None

    with pytest.raises(TypeError, match=r"expected a concurrent\.futures\.Future from submit"):
        sums([("a", Task(sum, ([1],), None))], Nothing(0))
