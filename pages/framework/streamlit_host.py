"""Everything in Python that relies on what Streamlit 1.67 does not document.

Each function says what it relies on and why there is no documented way. The same for the browser stands in
`browser/streamlit_host.js` and `browser/streamlit_host.css`. `tests/browser/test_streamlit_host.py` checks each of them
against the installed version, and names what breaks where one does not hold any more.
"""

import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from stat import S_ISSOCK
from typing import Any

from starlette.applications import Starlette
from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

UPLOAD_ROUTE = "/_stcore/upload_file"
"""Where a browser sends the files of st.file_uploader: their session and name follow. Their size is limited there."""

_OPEN_FILES = Path("/dev/fd")  # of this process; Windows has none
_CALL = "__call__"  # what the server calls for each request


def _static_folder() -> Path:
    """Return the folder of the files that Streamlit serves."""
    package = find_spec("streamlit")
    if package is None or package.origin is None:
        raise FileNotFoundError("Streamlit is not installed")
    return Path(package.origin).parent / "static"


@cache
def plotly_path() -> str:
    """Return where Streamlit serves the one script that sets window.Plotly.

    Streamlit loads this script, 4 MB, for charts of its own, under a name with a hash. The charts of the pages use it
    too, so that Plotly is neither sent twice nor kept in the repository.
    """
    folder = _static_folder() / "static/js"
    (path,) = (path for path in folder.glob("PlotlyChart.*.js") if b"window.Plotly=" in path.read_bytes())
    return f"static/js/{path.name}"


def page_markup() -> str:
    """Return the page in which Streamlit runs: the Content-Security-Policy must name the scripts that stand in it."""
    return (_static_folder() / "index.html").read_text(encoding="utf-8")


def is_connected() -> Callable[[], bool]:
    """Return a function that tells, in any thread, whether this session has a browser.

    Work for a session ends when its browser has gone, of which Streamlit tells nobody. Where no server runs the session
    seems to have a browser.
    """
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    return partial(runtime.get_instance().is_active_session, context.session_id)


def uploaded_files() -> Mapping[str, Mapping[str, Any]]:
    """Return the files that Streamlit holds in this process, by session and name: it limits neither number nor sum."""
    return getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {}) if runtime.exists() else {}


def hold_uploads_in_memory(most: int) -> None:
    """Let no upload of up to `most` bytes go through a file on disk, as one of 1 MB and more does by default."""
    MultiPartParser.spool_max_size = most


def wrap_server(wrap: Callable[[Asgi], Asgi]) -> None:
    """Put an app of ASGI round the server from now on, whichever way the server was started.

    `streamlit run app.py` offers no place for a middleware, and its server is there before any code of the app runs. So
    the class of that server is changed, which is called for each request.
    """
    call: Callable[..., Awaitable[None]] = getattr(Starlette, _CALL)

    async def wrapped(self: Any, scope: Any, receive: Any, send: Any) -> None:
        await wrap(partial(call, self))(scope, receive, send)

    setattr(Starlette, _CALL, wrapped)


@cache
def send_promptly() -> None:
    """Switch off Nagle's algorithm on the sockets of this process, once.

    Streamlit makes its listening socket so that asyncio leaves the algorithm on: all but the first of a run's small
    messages then wait for the browser's delayed acknowledgement, 40 ms. What is accepted later inherits it.
    """
    for file in os.listdir(_OPEN_FILES) if _OPEN_FILES.exists() else ():
        with suppress(OSError):  # the listing's own file is closed by now
            if S_ISSOCK(os.fstat(int(file)).st_mode):
                with socket.socket(fileno=os.dup(int(file))) as copy:
                    if copy.family in (socket.AF_INET, socket.AF_INET6) and copy.type == socket.SOCK_STREAM:
                        copy.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
