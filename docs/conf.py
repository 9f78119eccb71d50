"""Configuration of Sphinx for `make docs`; the build needs no network."""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parent
sys.path.insert(0, str(HERE / "_ext"))

import jounce  # noqa: E402

project = "jounce"
author = "jounce developers"
copyright = "jounce developers"
version = release = jounce.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "myst_nb",
    "sphinx_design",
    "sphinx_copybutton",
    # in docs/_ext
    "mirrored",
    "notebooks",
    "cheat_sheet",
    "catalog_pages",
    "api",
    "docstrings",
    "synonyms",
    "mathjax_here",
    "robot_pages",
]
exclude_patterns = ["_ext", "performance/summary.md", "**/.ipynb_checkpoints"]
suppress_warnings = ["mystnb.unknown_mime_type"]
smartquotes = False

# ---------------------------------------------------------------- pages

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
myst_dmath_double_inline = True

# outputs are cached until the page or the library changes; a page that fails stops the build
_library = hashlib.sha256()
for _file in sorted((PROJECT / "src" / "jounce").rglob("*.py")):
    _library.update(_file.read_bytes())
nb_execution_mode = "cache"
nb_execution_cache_path = str(PROJECT / "build" / "executed" / _library.hexdigest()[:16])
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
# each page writes files into a temporary folder
nb_execution_in_temp = True
# Jupyter kernels import this source tree and share one cache of compiled kernels
_path = (str(PROJECT / "src"), str(PROJECT), os.environ.get("PYTHONPATH", ""))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, _path))
os.environ.setdefault("JOUNCE_CACHE", str(PROJECT / "build" / "kernels"))
# the default profile of IPython, without log messages
_profile = PROJECT / "build" / "ipython" / "profile_default"
_profile.mkdir(parents=True, exist_ok=True)
(_profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n", "utf-8")
os.environ["IPYTHONDIR"] = str(_profile.parent)

# ---------------------------------------------------------------- reference

autodoc_member_order = "bysource"
# large libraries that no executed page needs
autodoc_mock_imports = [name for name in ("crocoddyl", "torch") if find_spec(name) is None]
autodoc_typehints = "signature"
autodoc_type_aliases = {"ArrayLike": "array_like", "DTypeLike": "dtype_like"}
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

# ---------------------------------------------------------------- appearance

html_context = {"default_mode": "auto"}
html_theme = "pydata_sphinx_theme"
html_title = "jounce"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_search_scorer = str(HERE / "_ext" / "scorer.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "jounce"},
    "header_links_before_dropdown": 9,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "show_toc_level": 2,
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "default",
    "pygments_dark_style": "github-dark",
}
# pages without a sidebar
html_sidebars = {
    "reference/generated/*": [],
    "index": [],
    "start": [],
    "gallery": [],
    "cheat-sheet": [],
    "faq": [],
    "glossary": [],
    "citing": [],
    "changelog": [],
    "contributing": [],
}

copybutton_exclude = ".linenos, .gp, .go"
copybutton_selector = "div:not(.output) > div.highlight pre"
