"""Operators on local recodings, groups of rows with labels of their own."""
