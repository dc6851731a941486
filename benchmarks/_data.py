"""Where the real data sets are that the package may not ship."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SHARED_DATA = Path(
    os.environ.get("ANONOPT_DATA_DIR") or Path(__file__).resolve().parents[2] / "shared" / "data"
)
"""Folder named by ANONOPT_DATA_DIR, else ../shared/data beside the repository."""


def find_shared_data() -> bool:
    """Whether the folder is there; if so, the library looks for its data sets in it too."""
    if not SHARED_DATA.is_dir():
        message = f"no folder of data sets at {SHARED_DATA} (set ANONOPT_DATA_DIR)"
        print(message, file=sys.stderr)
        return False
    os.environ["ANONOPT_DATA_DIR"] = str(SHARED_DATA)
    return True
