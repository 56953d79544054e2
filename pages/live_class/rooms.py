"""The rooms of classes that answer on their phones, in memory alone: questions, reports, limits, and the routes.

A room has a code that nobody can guess, and one question at a time. A phone draws at random what it reports, so that a
report is the number of an option and never an answer. Nothing is written to a disk or to a log, and there are no
names: of the phones that have answered a question, a room knows the random tokens, and not which report is whose.

One session at a time shows a room on its lecturer's screen. After a reload, a new session of the same tab takes the
room over: it proves by a secret, which only that tab and this process know, that it is of that tab.
"""

import re
import secrets
from asyncio import timeout
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from hmac import compare_digest
from importlib.resources import files
from threading import RLock, Timer
from time import monotonic

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pages.framework.layout.security_headers import is_same_origin

MAX_ROOMS, MAX_PHONES = 200, 500
MIN_OPTIONS, MAX_OPTIONS = 2, 6
MAX_QUESTION, MAX_OPTION = 240, 60  # characters
LIFETIME = 2 * 3600.0  # seconds of a room
GRACE = 120.0  # seconds of a room whose lecturer's screen is gone: it may come back
_WATCH = 60.0  # seconds between two looks for old rooms
MAX_TOKEN = 24  # characters of the token of a phone
_BURST, _PER_SECOND = 1_500, 250  # requests of the phones of one room: each loads the question, reports, and asks again
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
_CODE_LENGTH = 16  # 79 bits
_SECRET_BYTES = 24

TAKEN, IMPOSSIBLE, ANSWERED, OVER, TOO_MANY, FULL = 204, 400, 409, 410, 429, 503
"""The HTTP statuses of what becomes of a report."""


@dataclass(frozen=True)
class Question:
    """A question with its options, and how a phone draws what it reports.

    Of 2⁵³ draws, `weight` report a given option that is not the answer of the phone's owner. `promise` are the
    sentences that say so to the owner, and `epsilon` is the guarantee that it gives: ∞ of a vote without noise, whose
    weight is 0.
    """

    words: str
    options: tuple[str, ...]
    epsilon: float
    weight: int
    promise: str

    def __post_init__(self) -> None:
        """Refuse texts that are empty, too long, repeated, or not printable."""
        is_short = len(self.words) <= MAX_QUESTION and all(len(option) <= MAX_OPTION for option in self.options)
        are_printable = all(text.strip() and text.isprintable() for text in (self.words, *self.options))
        is_several = MIN_OPTIONS <= len(self.options) <= MAX_OPTIONS and len(set(self.options)) == len(self.options)
        if not (is_short and are_printable and is_several):
            raise ValueError("a question must be short and printable, with 2 to 6 different options")


@dataclass(frozen=True)
class Round:
    """A question at one moment: its number in the room, whether phones may answer, and the reports in their order.

    `spent` is ε of all questions of the room so far, which add up for somebody who answers each.
    """

    code: str
    number: int = 0
    question: Question | None = None
    is_open: bool = False
    reports: bytes = b""
    spent: Decimal = Decimal(0)


class Bucket:
    """A limit of requests: so many at once, and so many more each second."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._rate, self._clock = burst, per_second, clock
        self._left, self._time = burst, clock()

    def take(self) -> bool:
        """Return whether one more request is within the limit, and count it."""
        now = self._clock()
        self._left, self._time = min(self._most, self._left + (now - self._time) * self._rate), now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass(eq=False)
class Room:
    """A room: `end` is when it is deleted, by the clock of its rooms, at `latest` if nobody leaves it before.

    `screen` is the id of the session that shows it, empty while there is none. The tab of that session knows `secret`.
    """

    code: str
    latest: float
    requests: Bucket
    screen: str
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(_SECRET_BYTES), repr=False)
    end: float = field(init=False)
    is_deleted: bool = False
    _lock: RLock = field(default_factory=RLock)
    _round: Round = field(init=False)
    _reports: bytearray = field(default_factory=bytearray)
    _phones: set[bytes] = field(default_factory=set)
    _spent: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        self._round = Round(self.code)
        self.end = self.latest

    @property
    def round(self) -> Round:
        """The round at this moment, the same record as before if nothing has changed."""
        with self._lock:
            if len(self._round.reports) != len(self._reports):
                self._set_round(self._round.number, self._round.question, self._round.is_open)
            return self._round

    def ask(self, question: Question) -> None:
        """Open a round with a new question; the reports to the one before are deleted."""
        with self._lock:
            self._reports, self._phones = bytearray(), set()
            self._spent += Decimal(repr(question.epsilon))
            self._set_round(self._round.number + 1, question, is_open=True)

    def close_round(self) -> None:
        """Take no more reports to the question."""
        with self._lock:
            self._phones = set()
            self._set_round(self._round.number, self._round.question, is_open=False)

    def delete(self) -> None:
        """Delete the question and its reports, and take no others."""
        with self._lock:
            self.is_deleted = True
            self._reports, self._phones = bytearray(), set()
            self._set_round(self._round.number, None, is_open=False)

    def has_answered(self, phone: str) -> bool:
        """Return whether a phone has reported to the open question."""
        return phone.encode() in self._phones

    def take(self, number: int, report: int, phone: str) -> int:
        """Take a report of a phone to the question of this number; return the status that says what became of it."""
        with self._lock:
            question, token = self._round.question, phone.encode()
            if question is None or not self._round.is_open or number != self._round.number:
                return OVER
            if not 0 <= report < len(question.options) or not 0 < len(token) <= MAX_TOKEN:
                return IMPOSSIBLE
            if token in self._phones:
                return ANSWERED
            if len(self._phones) >= MAX_PHONES:
                return FULL
            self._phones.add(token)
            self._reports.append(report)
            return TAKEN

    def _set_round(self, number: int, question: Question | None, is_open: bool) -> None:
        self._round = Round(self.code, number, question, is_open, bytes(self._reports), self._spent)


class Rooms:
    """The rooms of this process. `place` is the part of their codes by which a proxy finds the process."""

    def __init__(self, place: str = "", clock: Callable[[], float] = monotonic) -> None:
        self.place = place
        self.clock, self._lock = clock, RLock()
        self._rooms: dict[str, Room] = {}
        self._timer: Timer | None = None

    def open(self, screen: str) -> Room | None:
        """Return a new room, which a session shows; None if there are too many."""
        with self._lock:
            self.delete_old()
            if len(self._rooms) >= MAX_ROOMS:
                return None
            code = "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))
            code = f"{self.place}-{code}" if self.place else code
            room = Room(code, self.clock() + LIFETIME, Bucket(_BURST, _PER_SECOND, self.clock), screen)
            self._rooms[code] = room
            self._watch()
            return room

    def find(self, code: str) -> Room | None:
        """Return the room of a code; None if there is none."""
        with self._lock:
            self.delete_old()
            return self._rooms.get(code)

    def find_by_secret(self, secret: str) -> Room | None:
        """Return the room of a secret; None if there is none."""
        with self._lock:
            self.delete_old()
            token = secret.encode()
            return next((room for room in self._rooms.values() if compare_digest(room.secret.encode(), token)), None)

    def close(self, room: Room) -> None:
        """Delete a room."""
        with self._lock:
            self._rooms.pop(room.code, None)
            room.delete()

    def leave(self, room: Room, screen: str) -> None:
        """Delete a room soon, as the session that shows it has lost its browser, unless its tab comes back."""
        with self._lock:
            if room.screen == screen:
                room.screen, room.end = "", min(room.latest, self.clock() + GRACE)

    def show(self, room: Room, screen: str) -> bool:
        """Let a session show a room, and keep the room, unless another session shows it; return whether it does."""
        with self._lock:
            if room.is_deleted or room.screen not in ("", screen):
                return False
            room.screen, room.end = screen, room.latest
            return True

    def delete_old(self) -> None:
        """Delete the rooms whose time is over."""
        with self._lock:
            now = self.clock()
            for room in [room for room in self._rooms.values() if room.end <= now]:
                self.close(room)

    def _watch(self) -> None:
        """Delete old rooms when their time is over, whether or not somebody asks for one."""
        if self._timer is None and self._rooms:
            self._timer = Timer(_WATCH, self._wake)
            self._timer.daemon = True
            self._timer.start()

    def _wake(self) -> None:
        with self._lock:
            self._timer = None
            self.delete_old()
            self._watch()


ROOMS = Rooms()
"""The rooms of this process."""

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
            response.set_cookie(COOKIE, secrets.token_urlsafe(12), **more)
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
