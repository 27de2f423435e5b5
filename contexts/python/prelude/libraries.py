# SPDX-License-Identifier: MIT
"""What single libraries need so that nothing they show is lost in silence."""

import sys


def let_plotly_show(renderers):
    """Plotly shows a figure only where nbformat is installed, which it imports for nothing but a
    look at its version: a notebook's format is no business of the kernel."""
    if getattr(renderers, "nbformat", None) is None:
        renderers.nbformat = type(sys)("nbformat")
        renderers.nbformat.__version__ = "5.10.0"
    if getattr(renderers, "ipython_display", None) is None:
        import IPython.display
        renderers.ipython_display = IPython.display


def keep_name_for_matplotlib(pylabtools):
    """matplotlib 3.7 looks there for the toolkit of its backend when it draws its first figure, and
    IPython 9.16 dropped the name. No backend of a notebook has a toolkit."""
    if not hasattr(pylabtools, "backend2gui"):
        pylabtools.backend2gui = {}
