"""What every response and request is subject to: security headers, WebSockets of this site only, and upload limits.

Streamlit 1.67 sends no such headers. The Content-Security-Policy names each inline script by its SHA-256, so that no
other script runs, even if foreign markup ever gets into a page.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse

from pages.framework import streamlit_host

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Message, Receive, Send], Awaitable[None]]
Fields = list[tuple[bytes, bytes]]
_SCRIPT = re.compile(r"<script[^>]*>(.+?)</script>", re.DOTALL)
_FIXED_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that don't know frame-ancestors
    "Referrer-Policy": "strict-origin",  # a link contains the parameters, which logs of other sites do not need
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def response_headers(markup: str, *scripts: str) -> dict[str, str]:
    """Return the headers of every response, for inline scripts in this markup and for further scripts.

    A file that the browser itself makes and opens, a report to print, is under the policy of the page it comes from.
    """
    all_scripts = [*_SCRIPT.findall(markup + streamlit_host.page_markup()), *scripts]
    return {"Content-Security-Policy": policy(map(script_hash, all_scripts))} | _FIXED_HEADERS


def script_hash(script: str) -> str:
    """Return the name of an inline script in a Content-Security-Policy.

    >>> script_hash("doSomething();")
    "'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='"
    """
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def policy(scripts: Iterable[str]) -> str:
    """Return the Content-Security-Policy: a page may load what this server sends, and what it makes itself."""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(("'self' blob:", *scripts)),  # blob: for the engine and the export script
        "style-src": "'self' 'unsafe-inline'",  # Streamlit and Plotly set styles at run time
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {allowed}" for name, allowed in rules.items())


def with_security_headers(app: Asgi, headers: dict[str, str]) -> Asgi:
    """Return an ASGI app that adds these headers to all responses and refuses WebSockets from pages of other sites.

    Streamlit refuses such a page too, but first requests its own address from a server on the internet, for up to two
    seconds in which it answers no other request.
    """
    fields = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def app_with_headers(scope: Message, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *fields]}
            await send(message)

        if scope["type"] == "websocket" and not is_same_origin(scope["headers"]):
            await send({"type": "websocket.close", "code": 1008})
        else:
            await app(scope, receive, send_with_headers)

    return app_with_headers


def is_same_origin(fields: Fields) -> bool:
    """Return whether a request comes from a page of the server that it addresses, or from no page at all.

    The origin is parsed as Streamlit parses it. An origin that this function lets through is therefore one that
    Streamlit accepts at once, without looking up its own address: it has a scheme of the web, and its host is that of
    the request to the letter.

    >>> is_same_origin([(b"host", b"dp.example.org"), (b"origin", b"https://dp.example.org")])
    True
    >>> is_same_origin([(b"host", b"dp.example.org"), (b"origin", b"https://example.org")])
    False
    >>> is_same_origin([(b"host", b"dp.example.org"), (b"origin", b"://dp.example.org")])
    False
    """
    hosts = [value.decode("latin-1") for name, value in fields if name == b"host"]
    origins = [value.decode("latin-1") for name, value in fields if name == b"origin"]
    return all(len(hosts) == 1 and _is_page_of(hosts[0], origin) for origin in origins)


def _is_page_of(host: str, origin: str) -> bool:
    """Return whether an origin is that of the pages of a host."""
    try:
        parts = urlsplit(origin)
    except ValueError:  # such as an incomplete IPv6 address, which no browser sends
        return False
    return host != "" and parts.netloc == host and origin in (f"http://{host}", f"https://{host}")


Stored = Callable[[], Mapping[str, Mapping[str, Any]]]
"""A function that returns the files that the server holds, by session and name; each has `data`, `name` and `type`."""

MEGABYTE = 2**20
MAX_IN_SESSION = 160 * MEGABYTE  # four files of the largest size, the most that one page has
MAX_IN_ALL = 480 * MEGABYTE
MIN_COUNTED = 100_000  # bytes that a smaller file counts as, which limits the number of files
_FRAMING = MEGABYTE  # bytes by which the body of an upload may be larger than its file
MAX_UPLOAD_BODY = MAX_IN_SESSION + _FRAMING
SESSION_IS_FULL, SERVER_IS_FULL, LENGTH_IS_MISSING = 413, 507, 411  # the HTTP statuses of the refusals
SENTENCES = {
    SESSION_IS_FULL: f"One tab can hold {MAX_IN_SESSION // MEGABYTE} MB of uploaded files, and this file would exceed "
    "that. Reload the page, which releases the earlier files, and choose this one again.",
    SERVER_IS_FULL: f"The server holds {MAX_IN_ALL // MEGABYTE} MB of uploaded files of all its users at most, and "
    "this file would exceed that. Try again in a few minutes.",
    LENGTH_IS_MISSING: "The upload does not say how long it is.",
}


class UploadBudget:
    """The bytes of the uploads that are being received, by session, in addition to those that the server holds."""

    def __init__(self) -> None:
        self._arriving: Counter[str] = Counter()

    def refusal(self, session: str, length: int, stored: Mapping[str, int]) -> int:
        """Return the status with which an upload is refused beside the bytes `stored` by session; 0 if it has room."""
        counted_length = max(length, MIN_COUNTED)
        if self._arriving[session] + stored.get(session, 0) + counted_length > MAX_IN_SESSION + _FRAMING:
            return SESSION_IS_FULL
        if self._arriving.total() + sum(stored.values()) + counted_length > MAX_IN_ALL + _FRAMING:
            return SERVER_IS_FULL
        return 0

    def begin(self, session: str, length: int) -> None:
        """Count an accepted upload until its `end`."""
        self._arriving[session] += max(length, MIN_COUNTED)

    def end(self, session: str, length: int) -> None:
        """Stop counting an upload, which the server now either holds or has discarded."""
        self._arriving[session] -= max(length, MIN_COUNTED)
        self._arriving += Counter()  # this removes the sessions without an upload


def with_upload_limits(app: Asgi, budget: UploadBudget, stored: Stored) -> Asgi:
    """Return an ASGI app that refuses the uploads beyond the limits, and passes all other requests on."""

    async def limited_app(scope: Message, receive: Receive, send: Send) -> None:
        session = _session_of_upload(scope)
        if session is None:
            await app(scope, receive, send)
            return
        length = _content_length(scope["headers"])
        status = LENGTH_IS_MISSING if length is None else budget.refusal(session, length, _bytes_by_session(stored()))
        if length is None or status:
            if length is not None and length <= MAX_IN_SESSION:
                await _discard_body(receive)  # else the browser, which is still sending, sees a network error
            await PlainTextResponse(SENTENCES[status], status)(scope, receive, send)
            return
        budget.begin(session, length)
        try:
            await app(scope, receive, send)
        except ClientDisconnect:
            return  # the tab was closed meanwhile, which is no error
        finally:
            budget.end(session, length)

    return limited_app


def _session_of_upload(scope: Message) -> str | None:
    """Return the session to which a request uploads a file; None for another request."""
    if scope["type"] != "http" or scope["method"] != "PUT":
        return None
    *_, route, session, _ = ["", "", *scope["path"].rsplit("/", 2)]
    return session if route.endswith(streamlit_host.UPLOAD_ROUTE) else None


def _content_length(headers: Iterable[tuple[bytes, bytes]]) -> int | None:
    """Return the length that a request says its body has; None if it says none or more than one."""
    length_headers = [(name, value) for name, value in headers if name in (b"content-length", b"transfer-encoding")]
    if len(length_headers) != 1 or length_headers[0][0] != b"content-length" or not length_headers[0][1].isdigit():
        return None
    return int(length_headers[0][1])


def _bytes_by_session(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Return the bytes that the stored files count as, by session."""
    return {
        session: sum(max(len(file.data) + len(file.name) + len(file.type), MIN_COUNTED) for file in [*files.values()])
        for session, files in [*stored.items()]
    }


async def _discard_body(receive: Receive) -> None:
    """Read the body of a request and discard it."""
    while (message := await receive())["type"] == "http.request" and message.get("more_body"):
        pass


def middleware(markup: str, *scripts: str) -> list[Middleware]:
    """Return the middleware of the app, which holds uploads in memory, for inline scripts in this markup and others."""
    streamlit_host.hold_uploads_in_memory(MAX_UPLOAD_BODY)
    return [
        Middleware(with_security_headers, headers=response_headers(markup, *scripts)),
        Middleware(with_upload_limits, budget=UploadBudget(), stored=streamlit_host.uploaded_files),
    ]
