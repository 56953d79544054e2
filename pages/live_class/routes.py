"""The routes of the phones of a class: the page, its script, the question, and the report.

Nothing that a phone sends raises an error or is written anywhere: a request is refused with a status. The page is the
same for every code, and only its script learns whether there is a room.
"""

import re
from asyncio import timeout
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from secrets import token_urlsafe

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pages.framework.layout.security_headers import is_same_origin
from pages.live_class.rooms import IMPOSSIBLE, LIFETIME, ROOMS, TOO_MANY, Bucket, Room, Rooms

COOKIE = "dp_phone"
MISSING, FOREIGN = 404, 403
_MAX_REPORT = 16  # bytes
_PATIENCE = 5.0  # seconds for so few bytes
_REPORT = re.compile(rb"([0-9]{1,9}) ([0-9])")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16}")
_GUESSES = (200, 20)  # requests for rooms that do not exist: at once, and each second
_PAGE = (files("pages.live_class") / "phone.html").read_text(encoding="utf-8")
_SCRIPT = (files("pages.framework.browser") / "phone.bundle.js").read_text(encoding="utf-8")
_STYLE = b64encode(sha256(_PAGE.partition("<style>")[2].partition("</style>")[0].encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'sha256-{_STYLE}'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def routes(base_path: str, rooms: Rooms = ROOMS) -> list[Route]:
    """Return the routes below the base path of the app, for these rooms."""
    base, guesses = base_path.strip("/"), Bucket(*_GUESSES, rooms.clock)
    start = f"/{base}/class" if base else "/class"

    def room_of(request: Request) -> Room | int:
        """Return the room of a request, or the status with which it is refused."""
        room = rooms.find(request.path_params["code"])
        if room is None:
            return MISSING if guesses.take() else TOO_MANY
        return room if room.requests.take() else TOO_MANY

    async def question(request: Request) -> Response:
        room = room_of(request)
        if isinstance(room, int):
            return _refusal(room)
        current, phone = room.round, request.cookies.get(COOKIE, "")
        content: dict[str, object] = {"round": current.number, "open": current.is_open, "reports": len(current.reports)}
        if current.question is not None and current.is_open:
            asked = current.question
            content |= {"question": asked.words, "options": list(asked.options), "promise": asked.promise}
            content |= {"weight": asked.weight, "answered": room.has_answered(phone)}
        response = JSONResponse(content, headers={"Cache-Control": "no-store"})
        if not _TOKEN.fullmatch(phone):
            path, is_safe = f"{start}/{room.code}", request.url.scheme == "https"
            more = {"max_age": int(LIFETIME), "path": path, "httponly": True, "samesite": "strict", "secure": is_safe}
            response.set_cookie(COOKIE, token_urlsafe(12), **more)
        return response

    async def report(request: Request) -> Response:
        if not is_same_origin(request.scope["headers"]):
            return _refusal(FOREIGN)
        room, phone = room_of(request), request.cookies.get(COOKIE, "")
        if isinstance(room, int):
            return _refusal(room)
        sent = _REPORT.fullmatch(await _body(request))
        if sent is None or not _TOKEN.fullmatch(phone):
            return _refusal(IMPOSSIBLE)
        return _refusal(room.take(int(sent[1]), int(sent[2]), phone))

    return [
        Route(f"{start}/phone.js", _script),
        Route(f"{start}/{{code}}", _page),
        Route(f"{start}/{{code}}/question", question),
        Route(f"{start}/{{code}}/report", report, methods=["POST"]),
    ]


async def _page(_: Request) -> Response:
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
    return Response(_PAGE, media_type="text/html", headers=headers)


async def _script(_: Request) -> Response:
    return Response(_SCRIPT, media_type="text/javascript", headers={"Cache-Control": "max-age=600"})


def _refusal(status: int) -> Response:
    """Return a response without a content, for a report that was taken too."""
    return Response(status_code=status, headers={"Cache-Control": "no-store"})


async def _body(request: Request) -> bytes:
    """Return the body of a request; nothing if it is too long, or comes too slowly, or not at all."""
    body = b""
    try:
        async with timeout(_PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > _MAX_REPORT:
                    return b""
    except (TimeoutError, ClientDisconnect):
        return b""
    return body
