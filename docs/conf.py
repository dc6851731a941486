"""How the site is built: `make docs`, or a quick part of it, see CONTRIBUTING.md."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
import warnings
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_extensions"))

from linked_types import type_links, write_inventories  # noqa: E402 -- needs the path above

project = "anonopt"
author = "The anonopt developers"
project_copyright = author
version = release = importlib.metadata.version("anonopt")

EXAMPLES = HERE.parent / "examples"
PARTS = (
    "anonopt_gallery",
    "anonopt_reference",
    "own_module_links",
    "repository_links",
    "anonopt_algorithms",
    "anonopt_measures",
)

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_copybutton",
    "myst_parser",
    *(["sphinx_gallery.gen_gallery"] if EXAMPLES.is_dir() else []),
    *(name for name in PARTS if importlib.util.find_spec(name)),
]
exclude_patterns = ["_build", "_extensions", "**/.ipynb_checkpoints"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
templates_path = ["_templates"]
nitpicky = True

# What other libraries define is not looked up: the build needs no network.
nitpick_ignore_regex = [
    (r"py:.*", r"(np|npt|pd|nx|numpy|pandas|pymoo|networkx|matplotlib|deap|scipy|moocore)\..*"),
    (r"py:.*", r"(collections|os|types|typing|concurrent|dask|distributed|optuna|plotly)\..*"),
    (r"py:exc", r"[A-Z]\w+"),
]

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_block", "attrs_inline"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_aliases = type_links()
numpydoc_xref_ignore = "all"
intersphinx_mapping = write_inventories(HERE / "_build" / "inventories")
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
add_module_names = False

# Formulas are set by MathJax from a package that carries its files: pages need no network.
MATHJAX = importlib.util.find_spec("mathjax")
if MATHJAX is None or not MATHJAX.submodule_search_locations:
    raise ModuleNotFoundError("the site needs django-static-mathjax: pip install -e '.[docs]'")
mathjax_file = Path(MATHJAX.submodule_search_locations[0], "static/mathjax/es5/tex-svg.js")
mathjax_path = mathjax_file.name
# Some parts of MathJax fetch files, and one shows an unknown macro instead of saying so.
mathjax3_config = {
    "tex": {"packages": {"[-]": ["autoload", "require", "noundefined"]}},
    "options": {"enableMenu": False},
}

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

linkcheck_timeout = 20
linkcheck_anchors = False  # of other sites they change

html_theme = "pydata_sphinx_theme"
html_title = f"anonopt {release}"
html_static_path = ["_static", str(mathjax_file)]
html_css_files = ["anonopt.css"]
html_context = {"default_mode": "auto"}
html_favicon = "_static/logo.svg"
html_sidebars = {"index": []}
html_domain_indices = False
html_show_search_summary = False  # pages from disk may not read each other
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {
        "text": "anonopt",
        "image_light": "_static/logo.svg",
        "image_dark": "_static/logo.svg",
    },
    "icon_links": [],
    "navbar_align": "left",
    "header_links_before_dropdown": 9,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    # Pages of wide tables have all of the width.
    "secondary_sidebar_items": {"**": ["page-toc"], "algorithms/index": [], "catalogue": []},
    "footer_start": ["copyright"],
    "footer_end": [],
}

lexers["mermaid"] = TextLexer()  # is drawn by hosts of repositories, and read here

# matplotlib and pandas warn in examples about nothing that a reader of the site could change.
warnings.filterwarnings("ignore", message=".*non-interactive.*")

if EXAMPLES.is_dir():
    from anonopt_gallery import options

    sphinx_gallery_conf = options(EXAMPLES, HERE)
