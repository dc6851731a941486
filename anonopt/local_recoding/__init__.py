"""Local recodings: groups of rows, each generalized in its own way."""
