"""Everything in Python that relies on undocumented behaviour of Streamlit 1.66 and 1.67.

Each function says what it relies on and why there is no documented way. `browser/streamlit_host.js` and
`browser/streamlit_host.css` do the same for the browser. `tests/browser/test_streamlit_host.py` checks each assumption
against the installed version, and names what breaks if one no longer holds.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

UPLOAD_ROUTE = "/_stcore/upload_file"
"""The route of the uploads of st.file_uploader, which the session and the name of the file follow."""

_CALL = "__call__"  # the method that the server calls for each request


def _static_folder() -> Path:
    """Return the folder of the files that Streamlit serves."""
    package = find_spec("streamlit")
    if package is None or package.origin is None:
        raise FileNotFoundError("Streamlit is not installed")
    return Path(package.origin).parent / "static"


@cache
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


def wrap_server(wrap: Callable[[Asgi], Asgi]) -> None:
    """Wrap the server in an ASGI middleware from now on, however the server was started.

    `streamlit run app.py` has no setting for a middleware, and its server exists before any code of the app runs.
    Therefore the class of that server is patched, which is called for each request.
    """
    call: Callable[..., Awaitable[None]] = getattr(Starlette, _CALL)

    async def wrapped(self: Any, scope: Any, receive: Any, send: Any) -> None:
        await wrap(partial(call, self))(scope, receive, send)

    setattr(Starlette, _CALL, wrapped)
