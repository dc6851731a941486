"""The edges of commands are tested as the commands are."""

from tests.cli.conftest import edited, page_blocks, people, run

__all__ = ["edited", "page_blocks", "people", "run"]
