"""Tests; a helper is imported as `tests.room.helper`, so that none is a top-level module."""
