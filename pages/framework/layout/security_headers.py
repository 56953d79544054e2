"""The security headers of every response, and the refusal of WebSocket connections from pages of other sites.

Streamlit 1.67 sends no such headers. The Content-Security-Policy names each inline script by its SHA-256, so that no
other script runs, even if foreign markup ever gets into a page.
"""

import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

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
    all_scripts = [*_SCRIPT.findall(markup), *_SCRIPT.findall(streamlit_host.page_markup()), *scripts]
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
