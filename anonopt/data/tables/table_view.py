"""What notebooks show of a table: the roles of its columns, and no rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import pandas as pd

from anonopt._notebook import count_text, notebook_html
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.roles import Roles, names_of_sensitive


def table_html(
    n_rows: int,
    n_nodes: int,
    roles: Roles,
    hierarchies: Mapping[Hashable, Hierarchy],
    facts: Mapping[Hashable, Mapping[str, object]],
    *,
    cells: str = "see .frame",
) -> str:
    """A table as HTML.

    Parameters
    ----------
    n_rows : int
    n_nodes : int
        Size of the lattice.
    roles : Roles
    hierarchies : mapping of column to Hierarchy
    facts : mapping of column to mapping
        What the cells of each column are like.
    cells : str
        Where they are.
    """
    shown = []
    for column, found in facts.items():
        hierarchy = hierarchies.get(column)
        levels = "" if hierarchy is None else f"0 to {hierarchy.height}"
        shown.append({"column": column, "role": _role(column, roles), **found, "levels": levels})
    return notebook_html(
        f"Microdata: {n_rows:,} rows, {len(facts)} columns",
        {"lattice": f"{count_text(n_nodes)} nodes", "cells": cells},
        [("", pd.DataFrame(shown))],
    )


def _role(column: Hashable, roles: Roles) -> str:
    several = roles.sensitive if isinstance(roles.sensitive, tuple) else None
    members: dict[str, tuple[Hashable, ...]] = {
        "quasi-identifier": roles.quasi_identifiers,
        "sensitive": several or names_of_sensitive(roles.sensitive),
        "target": () if roles.target is None else (roles.target,),
        "identifier (dropped)": roles.identifiers,
    }
    return next((role for role, those in members.items() if column in those), "other (kept)")
