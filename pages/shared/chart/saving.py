"""The script that makes a file of a figure, and the font that goes with it: sent only when a figure is saved."""

from functools import cache
from importlib.resources import files

_HERE = files("pages.shared.chart")
_SCRIPTS = (
    "export.js",
    "export_layout.js",
    "export_words.js",
    "export_clean.js",
    "export_grey.js",
    "export_pdf.js",
    "export_pdf_file.js",
)


@cache
def script() -> str:
    """The text of a module that exports savedPicture(Plotly, figure, asked): see export.js for what is asked."""
    parts = [(_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    return "\n".join((*parts, "export {savedPicture};\n"))


@cache
def font() -> bytes:
    """The TrueType font of saved figures."""
    return (_HERE / "figure_sans.ttf").read_bytes()
