"""The routes of the phones, as a browser and as an attacker call them."""

import json
import logging
import re
from collections.abc import Iterable, Mapping

import pytest
from starlette.applications import Starlette

from pages.framework.layout import security_headers
from pages.live_class import rooms as live_class_rooms
from pages.live_class.rooms import ANSWERED, IMPOSSIBLE, OVER, TAKEN, TOO_MANY, Question, Room, Rooms
from tests.event_loops import run_apart

HOST = {"host": "dp.example.org"}
PHONE = {"cookie": f"dp_phone={'p' * 16}"}
HOSTILE = "<script>alert(1)</script> & \"'"


class Reply:
    def __init__(self, messages: list[dict]):
        start, *rest = messages
        self.status = start["status"]
        self.headers = [(name.decode(), value.decode()) for name, value in start["headers"]]
        self.body = b"".join(message.get("body", b"") for message in rest)

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


def call(app, path: str, parts: Iterable[bytes] | None = None, headers: Mapping[str, str] = PHONE, scheme="http"):
    """Send a request, a POST where it has a body, and return the reply."""
    messages: list[dict] = []
    left = [*(parts or ())]

    async def receive():
        if not left:
            return {"type": "http.disconnect"}
        part = left.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(left)}

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "method": "GET" if parts is None else "POST", "path": path, "raw_path": path.encode()}
    fields = [(name.encode(), value.encode("latin-1")) for name, value in (HOST | dict(headers)).items()]
    scope |= {"query_string": b"", "headers": fields, "scheme": scheme, "server": ("127.0.0.1", 80), "root_path": ""}
    run_apart(app(scope, receive, send))
    return Reply(messages)


def room_and_app(base: str = "") -> tuple[Room, Starlette]:
    rooms = Rooms(clock=lambda: 0.0)
    room = rooms.open("screen")
    assert room is not None
    room.ask(Question(HOSTILE, ("Yes", "<b>No</b>"), 1.0, 2**51, "Your phone may lie."))
    return room, Starlette(routes=live_class_rooms.routes(base, rooms))


def test_a_phone_loads_the_page_the_question_and_reports_once():
    room, app = room_and_app()
    page, script = call(app, f"/class/{room.code}"), call(app, "/class/phone.js")
    asked = call(app, f"/class/{room.code}/question", headers={})
    assert (page.status, script.status, asked.status) == (200, 200, 200)
    assert len(page.body) + len(script.body) < 10_000
    content = json.loads(asked.body)
    assert content == {
        "round": 1,
        "open": True,
        "question": HOSTILE,
        "options": ["Yes", "<b>No</b>"],
        "promise": "Your phone may lie.",
        "weight": 2**51,
        "answered": False,
        "reports": 0,
    }
    token = re.match(r"dp_phone=([\w-]{16});", asked.header("set-cookie"))
    assert token
    headers = {"cookie": f"dp_phone={token[1]}", "origin": "http://dp.example.org"}
    assert call(app, f"/class/{room.code}/report", [b"1 1"], headers).status == TAKEN
    assert call(app, f"/class/{room.code}/report", [b"1 ", b"0"], headers).status == ANSWERED
    again = call(app, f"/class/{room.code}/question", headers=headers)
    assert json.loads(again.body)["answered"] is True
    assert again.header("set-cookie") == ""
    assert room.round.reports == b"\x01"
    room.close_round()
    assert json.loads(call(app, f"/class/{room.code}/question").body) == {"round": 1, "open": False, "reports": 1}
    assert call(app, f"/class/{room.code}/report", [b"1 1"]).status == OVER


def test_the_cookie_is_for_one_room_and_no_script():
    room, app = room_and_app("dp")
    cookie = call(app, f"/dp/class/{room.code}/question", headers={}, scheme="https").header("set-cookie")
    assert {f"Path=/dp/class/{room.code}", "HttpOnly", "SameSite=strict", "Secure"} <= set(cookie.split("; "))
    assert "Secure" not in call(app, f"/dp/class/{room.code}/question", headers={}).header("set-cookie")
    assert call(app, f"/class/{room.code}/question").status == live_class_rooms.MISSING


def test_the_page_is_the_same_for_every_code_and_allows_its_own_script_and_style_alone():
    room, app = room_and_app()
    page, other = call(app, f"/class/{room.code}"), call(app, "/class/another")
    assert page.body == other.body
    policy = page.header("content-security-policy")
    style = page.body.decode().partition("<style>")[2].partition("</style>")[0]
    assert security_headers.script_hash(style) in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert re.findall(r"<script[^>]*>", page.body.decode()) == ['<script type="module" src="phone.js">']
    assert "http" not in page.body.decode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"1",
        b"1 2",
        b"1 9",
        b"1 -1",
        b"1 1 1",
        b"1  1",
        b"x" * 10**6,
        b"\xff\xfe",
        b'{"round": 1}',
        "１ １".encode(),
    ],
)
def test_a_report_that_is_no_report_is_refused(body):
    room, app = room_and_app()
    assert call(app, f"/class/{room.code}/report", [body]).status == IMPOSSIBLE
    assert room.round.reports == b""


@pytest.mark.parametrize("body", [b"0 1", b"2 1", b"999999999 1"])
def test_a_report_to_another_round_is_refused(body):
    room, app = room_and_app()
    assert call(app, f"/class/{room.code}/report", [body]).status == OVER


@pytest.mark.parametrize("cookie", ["", "dp_phone=", "dp_phone=short", f"dp_phone={'é' * 16}", "=;;dp_phone", "\xff"])
def test_a_report_without_a_token_of_the_server_is_refused(cookie):
    room, app = room_and_app()
    assert call(app, f"/class/{room.code}/report", [b"1 1"], {"cookie": cookie}).status == IMPOSSIBLE


def test_a_phone_that_disconnects_or_sends_nothing_for_long_raises_nothing(monkeypatch):
    room, app = room_and_app()
    assert call(app, f"/class/{room.code}/report", []).status == IMPOSSIBLE
    monkeypatch.setattr(live_class_rooms, "_PATIENCE", 0.0)
    assert call(app, f"/class/{room.code}/report", [b"1 1"]).status in (IMPOSSIBLE, TAKEN)


def test_a_page_of_another_site_cannot_report():
    room, app = room_and_app()
    headers = {**PHONE, "origin": "https://evil.example"}
    assert call(app, f"/class/{room.code}/report", [b"1 1"], headers).status == live_class_rooms.FOREIGN
    assert room.round.reports == b""


def test_guesses_find_nothing_and_are_slowed_down():
    _, app = room_and_app()
    statuses = [call(app, f"/class/{number:016d}/question").status for number in range(230)]
    assert set(statuses) == {live_class_rooms.MISSING, TOO_MANY}
    assert statuses[0] == live_class_rooms.MISSING
    assert call(app, f"/class/{'0' * 16}/report", [b"1 1"]).status == TOO_MANY


def test_a_flood_is_refused_and_the_room_of_another_class_answers():
    rooms = Rooms(clock=lambda: 0.0)
    flooded, quiet = rooms.open("screen"), rooms.open("screen")
    assert flooded is not None
    assert quiet is not None
    app = Starlette(routes=live_class_rooms.routes("", rooms))
    while flooded.requests.take():
        pass
    assert call(app, f"/class/{flooded.code}/question").status == TOO_MANY
    assert call(app, f"/class/{quiet.code}/question").status == 200


def test_nothing_of_a_phone_is_logged(caplog, capsys):
    logging.getLogger().setLevel(logging.DEBUG)
    room, app = room_and_app()
    call(app, f"/class/{room.code}/question")
    call(app, f"/class/{room.code}/report", [b"1 1"])
    captured = capsys.readouterr()
    assert room.code not in captured.out + captured.err
