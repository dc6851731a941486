"""One cluster for all tests of the room, in threads of this process."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="package")
def client():
    from distributed import Client

    with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0") as one:
        yield one
