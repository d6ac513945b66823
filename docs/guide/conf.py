# SPDX-License-Identifier: Apache-2.0
"""Sphinx settings of the user guide. make/build.py copies the sources beside the generated pages and runs Sphinx there."""
import os
import pathlib

from docutils import nodes

project = "Netwright"
language = os.environ.get("NETWRIGHT_GUIDE_LANGUAGE", "en")
release = version = os.environ.get("NETWRIGHT_GUIDE_VERSION", "")
html_title = {"en": "Netwright user guide", "zh_CN": "Netwright 用户指南"}[language]
extensions = []
exclude_patterns = ["make", "locale"]
locale_dirs = ["locale"]
gettext_compact = False
gettext_uuid = False
nitpicky = True
html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": True, "sidebar_width": "250px", "page_width": "1100px", "show_powered_by": False}
html_sidebars = {"**": ["localtoc.html", "navigation.html", "searchbox.html"]}
html_static_path = ["_static"]
html_css_files = ["quiet.css"]
html_copy_source = False
html_show_copyright = False
html_show_sourcelink = False
highlight_language = "none"
pygments_style = "friendly"
smartquotes = False


def describe_pictures(app, doctree, docname):
    """A picture is read aloud as its caption."""
    for figure in doctree.findall(nodes.figure):
        caption = next(figure.findall(nodes.caption), None)
        for image in figure.findall(nodes.image):
            image["alt"] = caption.astext() if caption else ""


UNUSED = ("jquery.js", "underscore.js", "_sphinx_javascript_frameworks_compat.js")


def leave_out_libraries(app, page, template, context, doctree):
    """Sphinx 5 links libraries for old themes; neither this theme nor the search uses them."""
    context["script_files"] = [script for script in context["script_files"] if not str(script.filename or "").endswith(UNUSED)]


def remove_libraries(app, exception):
    for name in UNUSED if app.builder.format == "html" else ():
        (pathlib.Path(app.outdir) / "_static" / name).unlink(missing_ok=True)


def setup(app):
    app.connect("html-page-context", leave_out_libraries)
    app.connect("build-finished", remove_libraries)
    app.connect("doctree-resolved", describe_pictures)
    return {"parallel_read_safe": True}
