"""Sixty inputs or so of each reader; ``make fuzz`` reads 20,000."""

import pytest

from tests.fuzz.readers import READERS, content_of, is_ours, try_inputs

N_INPUTS = {"saved-run": 30}


@pytest.mark.parametrize("name", READERS)
def test_inputs_are_read_or_refused(tmp_path, name):
    tally = try_inputs(name, tmp_path, n_inputs=N_INPUTS.get(name, 60), seed=2)
    assert tally.faults == {}
    assert tally.share_accepted >= 0.2
    assert tally.refused > 0


def test_inputs_can_be_had_again():
    assert content_of("table", 7, seed=1) == content_of("table", 7, seed=1)


def test_errors_of_others_are_no_refusals():
    with pytest.raises(ValueError, match="invalid literal") as found:
        int("x")
    assert not is_ours(found.value)
    assert not is_ours(RecursionError())
