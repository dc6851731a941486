"""Gray codes, against the printed examples of the thesis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data.columns.gray_codes import gray_decode, gray_encode

WHOLE = st.integers(0, 2**63 - 1)

# Mares 2013, Figure 3.1, every table row by row.
ORIGINAL = [[1, 3, 1, 5, 9], [5, 2, 2, 6, 7], [4, 8, 3, 4, 9], [1, 6, 5, 8, 2], [4, 7, 2, 1, 2]]
MASKED = [[1, 2, 1, 5, 7], [9, 1, 2, 3, 5], [4, 1, 9, 8, 9], [1, 6, 7, 9, 1], [3, 1, 2, 7, 2]]
GRAY_ORIGINAL = """0001 0010 0001 0111 1101 0111 0011 0011 0101 0100 0110 1100 0010 0110 1101
0001 0101 0111 1100 0011 0110 0100 0011 0001 0011"""
GRAY_MASKED = """0001 0011 0001 0111 0100 1101 0001 0011 0010 0111 0110 0001 1101 1100 1101
0001 0101 0100 1101 0001 0010 0001 0011 0100 0011"""
GENOMES = """0000 0001 0000 0000 1001 1010 0010 0000 0111 0011 0000 1101 1111 1010 0000
0000 0000 0011 0001 0010 0100 0101 0000 0101 0000"""


def bits(text):
    return [int(word, 2) for word in text.split()]


def test_figure_3_1():
    original, masked = np.ravel(ORIGINAL), np.ravel(MASKED)
    assert gray_encode(original).tolist() == bits(GRAY_ORIGINAL)
    assert gray_encode(masked).tolist() == bits(GRAY_MASKED)
    assert (gray_encode(original) ^ gray_encode(masked)).tolist() == bits(GENOMES)


@pytest.mark.parametrize(
    ("masked", "original", "genome"),
    [
        (1500, 1000, 0b10100101110),
        (1500, 1900, 0b1111101000),
        # Erratum 5: printed otherwise.
        (12, 7, 0b1110),
        (7, 12, 0b1110),
    ],
)
def test_table_3_1(masked, original, genome):
    first, second = gray_encode([masked, original])
    assert first ^ second == genome


@given(WHOLE)
def test_codes_can_be_read_again_and_keep_the_number_of_bits(number):
    code = int(gray_encode([number])[0])
    assert gray_decode([code]).tolist() == [number]
    assert code.bit_length() == number.bit_length()


@given(st.integers(0, 2**63 - 2))
def test_neighbors_differ_in_one_bit(number):
    first, second = gray_encode([number, number + 1]).tolist()
    assert (first ^ second).bit_count() == 1


@pytest.mark.parametrize("function", [gray_encode, gray_decode])
class TestFaults:
    def test_fractions(self, function):
        with pytest.raises(TypeError, match="whole numbers, found type float64"):
            function([1.0])

    @pytest.mark.parametrize("wrong", [-1, 2**63])
    def test_out_of_range(self, function, wrong):
        with pytest.raises(ValueError, match=rf"0 to 2\*\*63 - 1, found {wrong}"):
            function([wrong])

    def test_nothing(self, function):
        assert function(np.zeros((2, 0), dtype=np.int8)).shape == (2, 0)
