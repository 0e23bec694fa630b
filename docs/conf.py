"""Settings of Sphinx, which makes the documentation site: `make docs` writes it to out/docs."""

from svmviz import __version__

project = "svmviz"
release = version = __version__
copyright = "svmviz contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["pictures"]
html_theme = "furo"
html_title = f"svmviz {__version__}"
html_copy_source = False
# Headings have anchors, as on pages of a repository.
myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "exclude-members": "set_fit_request, set_score_request"}
