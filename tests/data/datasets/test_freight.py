"""The stand-in for Cargo 2000: always the same, of its shape, of nothing but random numbers."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from anonopt.data import cargo_columns, load_dataset, load_frame
from anonopt.data.datasets.cargo import LEGS, TIMES
from anonopt.data.datasets.freight import EFFECTIVE, PLANNED, draw_freight

SHA_256 = "2c0c8bb084adc68f664dda2d4ad4612aa70e3a0e972a8f4dc8b241e16563c83e"


def test_the_table_is_the_same_everywhere():
    content = draw_freight().to_csv(index=False, lineterminator="\n").encode()
    assert hashlib.sha256(content).hexdigest() == SHA_256


def test_it_needs_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(tmp_path))
    freight = load_dataset("freight", quasi_identifiers=cargo_columns(64))
    assert freight.n_rows == 3942
    assert freight.lattice.heights == (4,) * 64
    assert load_frame("freight", data_dir=tmp_path).equals(draw_freight())


def test_legs_and_steps_are_missing_as_they_say():
    frame = draw_freight()
    for number, leg in enumerate(LEGS, start=1):
        there = frame["legs"] >= number if leg != "o" else frame["legs"] > 0
        assert (frame[f"{leg}_rcs_p"].notna() == there).all()
        for hop in (2, 3):
            on_it = there & (frame[f"{leg}_hops"] >= hop)
            for end in ("dep", "rcf"):
                for kind in ("p", "e", "place"):
                    assert (frame[f"{leg}_{end}_{hop}_{kind}"].notna() == on_it).all()


def test_times_lie_on_their_curves():
    frame = draw_freight()
    for name in TIMES:
        step, kind = name.split("_", 1)[1].rsplit("_", 1)
        unit, curve = (PLANNED if kind == "p" else EFFECTIVE)[step]
        times = frame[name].dropna()
        assert (times % unit == 0).all()
        assert times.between(curve[0] - unit, curve[-1]).all()
        if len(times) > 1000:
            assert np.quantile(times, 0.5) == pytest.approx(curve[4], rel=0.2)


def test_shape_is_that_of_cargo(shared_data):
    cargo, freight = load_frame("cargo", data_dir=shared_data), draw_freight()
    assert freight.columns.tolist() == cargo.columns.tolist()
    assert freight.dtypes.tolist() == cargo.dtypes.tolist()
    assert len(freight) == len(cargo)
    missing = (freight.isna().mean() - cargo.isna().mean()).abs()
    assert missing.max() < 0.01
    # Of its own numbers: no shipment of Cargo 2000 is in it.
    times = list(TIMES[:8])
    assert len(freight[times].merge(cargo[times], on=times)) == 0
