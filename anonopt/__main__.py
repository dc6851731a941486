"""``python -m anonopt`` and ``anonopt``: the command line, from its first import on."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line; the entry point of the installation."""
    try:
        from anonopt.cli import main as run

        run()
    except KeyboardInterrupt:
        # Also while the libraries are imported, which takes longer than many a command.
        sys.stderr.write("Interrupted\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
