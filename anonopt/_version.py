"""The version that is installed; looking it up costs more than all else at a start."""

from importlib.metadata import version

__version__ = version("anonopt")
