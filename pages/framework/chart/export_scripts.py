"""The scripts and the fonts with which the browser saves a figure as a file; they are sent only when one is saved."""

from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from zlib import compress

_HERE = files("pages.framework.chart")
TYPEFACES = "sans", "serif", "modern"
"""The fonts of saved figures: Source Sans, Source Serif and Computer Modern, as figure_*.txt say."""


def script() -> str:
    """Return the text of a module that exports pictureFile(Plotly, figure, options): see export.js for the options.

    It is the bundle of export.js and of the modules that export.js imports, made by `npm --prefix tests/js run bundle`.
    """
    return (_HERE / "export.bundle.js").read_text(encoding="utf-8")


def plotly_script() -> str:
    """Return the text of the Plotly script that draws the charts of a saved HTML file."""
    package = find_spec("plotly")
    if package is None or package.origin is None:
        raise FileNotFoundError("Plotly is not installed")
    return (Path(package.origin).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")


@cache
def plotly() -> bytes:
    """Return the Plotly script compressed in the format that `DecompressionStream("deflate")` reads."""
    return compress(plotly_script().encode(), 9)


def font(typeface: str) -> bytes:
    """Return a TrueType font of saved figures, one of `TYPEFACES`."""
    return (_HERE / f"figure_{typeface}.ttf").read_bytes()
