"""Everything in Python that relies on undocumented behaviour of Streamlit 1.66 and 1.67.

Each function says what it relies on and why there is no documented way. `browser/streamlit_host.js` and
`browser/streamlit_host.css` do the same for the browser. `tests/browser/test_streamlit_host.py` checks each assumption
against the installed version, and names what breaks if one no longer holds.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

UPLOAD_ROUTE = "/_stcore/upload_file"
"""The route of the uploads of st.file_uploader, which the session and the name of the file follow."""


def _static_folder() -> Path:
    """Return the folder of the files that Streamlit serves."""
    package = find_spec("streamlit")
    if package is None or package.origin is None:
        raise FileNotFoundError("Streamlit is not installed")
    return Path(package.origin).parent / "static"


def plotly_path() -> str:
    """Return the path at which Streamlit serves the script that sets window.Plotly.

    Streamlit loads this script, of 4 MB, for its own charts, under a name with a hash. The charts of the pages use it
    too, so that Plotly is neither sent twice nor stored in the repository.
    """
    folder = _static_folder() / "static/js"
    (path,) = (path for path in folder.glob("PlotlyChart.*.js") if b"window.Plotly=" in path.read_bytes())
    return f"static/js/{path.name}"


def page_markup() -> str:
    """Return the HTML page in which Streamlit runs: the Content-Security-Policy must name its inline scripts."""
    return (_static_folder() / "index.html").read_text(encoding="utf-8")


def is_connected() -> Callable[[], bool]:
    """Return a function that says, in any thread, whether a browser is connected to this session.

    Background tasks of a session end when its browser has gone, for which Streamlit has no event. Without a running
    server, the function returns True.
    """
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    return partial(runtime.get_instance().is_active_session, context.session_id)


def uploaded_files() -> Mapping[str, Mapping[str, Any]]:
    """Return the files that Streamlit holds in this process, by session and name; it limits neither number nor sum."""
    return getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {}) if runtime.exists() else {}


def hold_uploads_in_memory(max_bytes: int) -> None:
    """Hold uploads of up to `max_bytes` bytes in memory; by default, those of 1 MB and more are written to disk."""
    MultiPartParser.spool_max_size = max_bytes
