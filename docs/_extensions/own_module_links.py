"""Names in docstrings that stand in the same module, and attributes, lead somewhere too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from docutils import nodes
from referred_names import found_object
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import get_node_source, make_refnode
from sphinx.util.typing import ExtensionMetadata


def candidates(target: str, source: str) -> Iterator[str]:
    """Full paths that a target may mean in the docstring of an object, the likeliest first."""
    holder = source.partition("docstring of ")[2]
    paths = [target]
    if holder and (hit := found_object(holder)):
        paths.append(f"{getattr(hit[1], '__module__', holder)}.{target}")
    for path in paths:
        yield path
        yield path.rpartition(".")[0]  # attributes are explained by their class


def lead_within_module(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.reference | None:
    """Where a name leads that is none of the packages'; None if nowhere."""
    if node.get("refdomain") != "py":
        return None
    objects = cast(PythonDomain, env.get_domain("py")).objects
    for path in candidates(node["reftarget"], get_node_source(node) or ""):
        if path in objects and objects[path].objtype != "module":
            place = objects[path]
            return make_refnode(
                app.builder, node["refdoc"], place.docname, place.node_id, text, path
            )
    return None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("missing-reference", lead_within_module)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
