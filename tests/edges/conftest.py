"""The edges of commands are tested as the commands are."""

from tests.cli.conftest import run

__all__ = ["run"]
