"""Several callbacks as one."""

from __future__ import annotations

import pickle

import pytest
from pymoo.core.callback import Callback
from pymoo.optimize import minimize

from anonopt.algorithms import RandomSearch
from anonopt.runs import CallbackList
from tests.contracts.toy_problems import ToyLattice


class Notified(Callback):
    """Written with ``notify``, as pymoo's documentation teaches."""

    def notify(self, algorithm):
        self.data.setdefault("generations", []).append(algorithm.n_gen)


class Updated(Callback):
    """Written with ``_update``."""

    def _update(self, algorithm):
        self.data.setdefault("generations", []).append(algorithm.n_gen)


def test_every_kind_of_callback_is_called_in_order():
    notified, updated, seen = Notified(), Updated(), []
    callbacks = CallbackList([notified, lambda algorithm: seen.append(algorithm.n_gen), updated])
    minimize(ToyLattice(), RandomSearch(batch_size=5), ("n_gen", 3), seed=1, callback=callbacks)
    assert notified.data["generations"] == updated.data["generations"] == seen == [1, 2, 3]


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match="found 'history'"):
        CallbackList([Notified(), "history"])


def test_it_pickles():
    callbacks = pickle.loads(pickle.dumps(CallbackList([Notified()])))
    assert isinstance(callbacks.callbacks[0], Notified)
