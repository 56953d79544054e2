"""The limits of uploaded bytes, for one session and for all, checked before the body of an upload is read."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, Request

from pages.framework.layout import security_headers
from pages.framework.layout.security_headers import (
    LENGTH_IS_MISSING,
    MAX_IN_ALL,
    MAX_IN_SESSION,
    MAX_UPLOAD_BODY,
    MEGABYTE,
    SENTENCES,
    SERVER_IS_FULL,
    SESSION_IS_FULL,
    UploadBudget,
    with_upload_limits,
)
from pages.framework.streamlit_host import hold_uploads_in_memory
from tests.event_loops import run_apart

FILE = 39 * MEGABYTE


async def _answered(app: Any, scope: Any) -> None:
    """Let an app answer a request of which nothing is read and to which nothing is said."""
    await app(scope, None, None)


class Server:
    """A server that keeps every upload, as Streamlit's endpoint does, and counts the bodies that it begins to read."""

    def __init__(self):
        self.stored, self.n_read = {}, 0
        self.gate: asyncio.Event | None = None
        self.app = with_upload_limits(self._keep, UploadBudget(), lambda: self.stored)

    async def _keep(self, scope, receive, send):
        self.n_read += 1
        if self.gate is not None:
            await self.gate.wait()
        *_, session, name = scope["path"].split("/")
        length = int(dict(scope["headers"]).get(b"content-length", b"0"))
        file = SimpleNamespace(data=range(length), name="a.csv", type="text/csv")
        self.stored.setdefault(session, {})[name] = file
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def ask(self, path, length, method="PUT", headers=None) -> tuple[int, str]:
        """Send a request with a body of this length; return the status and what was said."""
        sent: list[Any] = []
        chunks = iter([True, False])

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": next(chunks)}

        async def send(message):
            sent.append(message)

        headers = [(b"content-length", str(length).encode())] if headers is None else headers
        await self.app({"type": "http", "method": method, "path": path, "headers": headers}, receive, send)
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:]).decode()

    def upload(self, session, name, length=FILE, **more):
        return run_apart(self.ask(f"/dp/_stcore/upload_file/{session}/{name}", length, **more))


def test_a_session_that_is_full_gets_no_more_in_whatever_the_files_are_called():
    server = Server()
    statuses = [server.upload("me", f"invented-{place}")[0] for place in range(10)]
    assert statuses == [204] * 4 + [SESSION_IS_FULL] * 6
    assert server.n_read == 4, "the body of a refused upload must not reach Streamlit"
    assert sum(len(file.data) for file in server.stored["me"].values()) <= MAX_IN_SESSION
    assert server.upload("me", "another") == (SESSION_IS_FULL, SENTENCES[SESSION_IS_FULL])
    assert server.upload("you", "first")[0] == 204


def test_all_sessions_together_get_no_more_in_than_the_server_holds():
    server = Server()
    statuses = [server.upload(f"session-{place // 4}", f"{place}")[0] for place in range(20)]
    assert statuses == [204] * 12 + [SERVER_IS_FULL] * 8
    assert server.n_read == 12
    assert sum(len(file.data) for files in server.stored.values() for file in files.values()) <= MAX_IN_ALL
    assert server.upload("another", "first") == (SERVER_IS_FULL, SENTENCES[SERVER_IS_FULL])
    server.stored.pop("session-0")  # whose tab was closed
    assert server.upload("another", "first")[0] == 204


def test_uploads_that_are_on_their_way_count_and_those_that_have_failed_do_not():
    server = Server()

    async def at_once():
        server.gate = gate = asyncio.Event()
        path = "/_stcore/upload_file/me/"
        requests = [asyncio.create_task(server.ask(f"{path}{place}", FILE)) for place in range(10)]
        await asyncio.sleep(0)
        for request in requests[:2]:
            request.cancel()  # two tabs are closed
        await asyncio.gather(*requests[:2], return_exceptions=True)
        late = asyncio.create_task(server.ask(f"{path}late", FILE))
        await asyncio.sleep(0)
        gate.set()
        return [status for status, _ in await asyncio.gather(*requests[2:], late)]

    assert sorted(run_apart(at_once())) == [204] * 3 + [SESSION_IS_FULL] * 6
    assert server.n_read == 5


def test_a_tab_that_is_closed_during_an_upload_is_no_error_and_its_bytes_are_let_go():
    async def closed(scope, receive, send):
        raise ClientDisconnect

    budget = UploadBudget()
    app = with_upload_limits(closed, budget, dict)
    scope: dict[str, Any] = {"type": "http", "method": "PUT", "path": "/_stcore/upload_file/me/a"}
    scope["headers"] = [(b"content-length", str(FILE).encode())]
    for _ in range(20):
        run_apart(_answered(app, scope))
        assert budget.refusal("me", MAX_IN_SESSION, {}) == 0


def test_many_small_files_are_no_way_around_the_limit(monkeypatch):
    monkeypatch.setattr(security_headers, "MAX_IN_SESSION", 9 * MEGABYTE)
    server, n_largest = Server(), 10 * MEGABYTE // 100_000

    async def statuses() -> list[int]:
        return [(await server.ask(f"/_stcore/upload_file/me/{place}", 1))[0] for place in range(n_largest + 9)]

    assert run_apart(statuses()) == [204] * n_largest + [SESSION_IS_FULL] * 9


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"transfer-encoding", b"chunked")],
        [(b"content-length", b"1"), (b"transfer-encoding", b"chunked")],
        [(b"content-length", b"1"), (b"content-length", b"9999")],
        [(b"content-length", b"-1")],
        [(b"content-length", b"")],
    ],
)
def test_an_upload_that_does_not_say_how_long_it_is_is_refused(headers):
    server = Server()
    assert server.upload("me", "a", headers=headers) == (LENGTH_IS_MISSING, SENTENCES[LENGTH_IS_MISSING])
    assert server.n_read == 0


@pytest.mark.parametrize("path", ["/", "/_stcore/upload_file", "/_stcore/upload_file/me", "/dp/_stcore/health"])
def test_a_request_that_is_no_upload_is_not_looked_at(path):
    server = Server()
    assert run_apart(server.ask(path, 10**12))[0] == 204


def test_a_file_may_be_removed_while_its_session_is_full():
    server = Server()
    for place in range(5):
        server.upload("me", str(place))
    assert server.upload("me", "0", 0, method="DELETE")[0] == 204


def test_an_upload_of_the_largest_size_is_never_written_to_disk(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a file was opened")

    hold_uploads_in_memory(MAX_UPLOAD_BODY)
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n' + bytes(FILE) + b"\r\n--x--\r\n"

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def length():
        headers = [(b"content-type", b"multipart/form-data; boundary=x")]
        async with Request({"type": "http", "headers": headers}, receive).form() as form:
            file = form["f"]
            assert isinstance(file, UploadFile)
            return len(await file.read())

    assert run_apart(length()) == FILE
