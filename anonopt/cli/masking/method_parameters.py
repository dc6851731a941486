"""A masking method, made of what was given to the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anonopt._checks import unknown

if TYPE_CHECKING:
    from anonopt.cli.masking.roles_of_columns import Roles
    from anonopt.masking import MaskingMethod

OPTIONS = (
    "k",
    "p",
    "value",
    "share",
    "keep_moments",
    "theta",
    "matrix",
    "invariant",
    "strata",
    "n_variables",
    "code",
    "allow_rare_missing",
    "matching",
    "search",
    "n_starts",
)
"""Parameters of methods, and of their clusters, that the command has options for."""


def given_parameters(values: Sequence[Any]) -> dict[str, Any]:
    """Parameters that were given, by name; `values` are those of `OPTIONS`, None where not."""
    named = zip(OPTIONS, values, strict=True)
    return {name: value for name, value in named if value is not None}


def masking_method(
    name: str,
    params: dict[str, Any],
    roles: Roles,
    *,
    clusters: int | None,
    seed: int | None,
) -> MaskingMethod:
    """The masking method with its parameters, for the columns it masks."""
    from anonopt.masking import PreClustered
    from anonopt.masking.merged_categories import Recoding

    of_clusters = {key: value for key, value in params.items() if key == "n_starts"}
    if of_clusters and clusters is None:
        raise ValueError("--n-starts: expected with --clusters, found it alone")
    params = {key: value for key, value in params.items() if key not in of_clusters}
    kind = _kind_of_method(name, params)
    if "random_state" in kind.parameter_names():
        params = {**params, "random_state": seed}
    if issubclass(kind, Recoding) and "p" in params:
        if not params["p"].is_integer():
            raise ValueError(f"{name}: --p: expected a number of categories, found {params['p']}")
        params = {**params, "p": int(params["p"])}
    masker = kind(**params)
    if clusters is not None:
        masker = PreClustered(masker, clusters, random_state=seed, **of_clusters)
    return masker.set_params(columns=roles.names, ordinal=roles.orders)


def _kind_of_method(name: str, params: Mapping[str, Any]) -> type[MaskingMethod]:
    """Class of the method, which takes these parameters and needs no others."""
    from anonopt.masking import METHODS, PreClustered

    methods = {key: method for key, method in METHODS.items() if method is not PreClustered}
    if name not in methods:
        raise ValueError(unknown("masking method", name, methods))
    known = methods[name].parameter_names()
    if others := [_option(key) for key in params if key not in known]:
        own = [_option(key) for key in known if key in OPTIONS] or ["no option"]
        raise ValueError(f"{name}: expected {', '.join(own)}, found {', '.join(others)}")
    required = methods[name].required_parameters()
    if missing := [_option(key) for key in required if key not in params]:
        raise ValueError(f"{name}: expected {', '.join(missing)}, found none")
    return methods[name]


def _option(parameter: str) -> str:
    return "--" + parameter.replace("_", "-")
