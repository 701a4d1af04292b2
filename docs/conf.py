"""Sphinx configuration: Markdown by MyST, the Furo theme, warnings are errors (`make docs`)."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

project = "Sandriver"
author = "The Sandriver developers"
copyright = "2026, The Sandriver developers"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
nitpicky = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"

html_theme = "furo"
html_title = "Sandriver"
html_static_path: list[str] = []
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#8a4b1f", "color-brand-content": "#8a4b1f"},
    "dark_css_variables": {"color-brand-primary": "#e8b27a", "color-brand-content": "#e8b27a"},
}
