"""The limits of the uploaded bytes that the server holds, for one session and for all, and the sentences of a refusal.

Streamlit limits a single file, but neither their number nor their sum: the address of an upload names the file, so that
one browser could send any number of files under invented names. The limits are checked before a body is read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse

from pages.framework import streamlit_host
from pages.framework.layout.security_headers import Asgi, Message, Receive, Send

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
        """Return the status with which an upload of this length is refused; 0 if there is room for it.

        `stored` are the bytes that the server holds, by session.
        """
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
    return {session: sum(map(_file_size, list(files.values()))) for session, files in list(stored.items())}


def _file_size(file: Any) -> int:
    """Return the bytes that a file counts as."""
    return max(len(file.data) + len(file.name) + len(file.type), MIN_COUNTED)


async def _discard_body(receive: Receive) -> None:
    """Read the body of a request and discard it."""
    while (message := await receive())["type"] == "http.request" and message.get("more_body"):
        pass
