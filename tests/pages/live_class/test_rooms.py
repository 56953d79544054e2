"""The rooms of classes: what a room takes, what is deleted when, and what attackers and large classes cost."""

import gc
import re
import tracemalloc
from threading import Thread

import pytest

from pages.live_class.rooms import (
    ANSWERED,
    FULL,
    GRACE,
    IMPOSSIBLE,
    LIFETIME,
    MAX_PHONES,
    MAX_ROOMS,
    OVER,
    TAKEN,
    Question,
    Room,
    Rooms,
)

SCREEN = "screen"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def question(words: str = "Have you ever cheated?", options: tuple[str, ...] = ("Yes", "No")) -> Question:
    return Question(words, options, 1.0, 2**51, "Your phone may lie for you.")


def open_room(rooms: Rooms) -> Room:
    room = rooms.open(SCREEN)
    assert room is not None
    return room


def phone(number: int) -> str:
    return f"{number:016d}"


def test_codes_are_long_random_and_say_where_the_room_is():
    rooms = Rooms("8501")
    codes = [open_room(rooms).code for _ in range(MAX_ROOMS)]
    assert len(set(codes)) == MAX_ROOMS
    assert all(re.fullmatch(r"8501-[2-9a-hjkmnp-z]{16}", code) for code in codes)
    assert 31**16 > 2**64
    assert len({character for code in codes for character in code[5:]}) == 31
    assert re.fullmatch(r"[2-9a-z]{16}", open_room(Rooms()).code)


def test_a_phone_has_one_report_in_each_round():
    room = open_room(Rooms())
    assert room.take(0, 0, phone(1)) == OVER
    room.ask(question())
    assert room.take(1, 1, phone(1)) == TAKEN
    assert room.take(1, 0, phone(1)) == ANSWERED
    assert room.take(1, 0, phone(2)) == TAKEN
    assert (room.has_answered(phone(1)), room.has_answered(phone(3))) == (True, False)
    assert room.round.reports == b"\x01\x00"
    room.ask(question("And now?"))
    assert room.round.reports == b""
    assert room.take(1, 1, phone(3)) == OVER
    assert room.take(2, 1, phone(1)) == TAKEN
    room.close_round()
    assert room.take(2, 1, phone(2)) == OVER
    assert (room.round.is_open, room.round.reports) == (False, b"\x01")


@pytest.mark.parametrize("report", [-1, 2, 255, 10**9])
def test_a_report_that_is_no_option_is_refused_and_does_not_use_up_the_vote(report):
    room = open_room(Rooms())
    room.ask(question())
    assert room.take(1, report, phone(1)) == IMPOSSIBLE
    assert room.take(1, 1, phone(1)) == TAKEN


@pytest.mark.parametrize("token", ["", "x" * 25, "é" * 13])
def test_a_phone_without_a_token_of_the_server_is_refused(token):
    room = open_room(Rooms())
    room.ask(question())
    assert room.take(1, 1, token) == IMPOSSIBLE


def test_the_record_of_a_round_changes_only_with_the_round():
    room = open_room(Rooms())
    room.ask(question())
    before = room.round
    assert room.round is before
    room.take(1, 7, phone(1))
    assert room.round is before
    room.take(1, 1, phone(1))
    assert room.round is not before


def test_no_room_takes_more_phones_and_no_server_more_rooms_than_the_limits():
    rooms = Rooms()
    room = open_room(rooms)
    room.ask(question())
    assert {room.take(1, 0, phone(number)) for number in range(MAX_PHONES)} == {TAKEN}
    assert room.take(1, 0, phone(MAX_PHONES)) == FULL
    assert room.take(1, 0, phone(0)) == ANSWERED
    assert len(room.round.reports) == MAX_PHONES
    others = [open_room(rooms) for _ in range(MAX_ROOMS - 1)]
    assert rooms.open(SCREEN) is None
    rooms.close(others[0])
    assert rooms.open(SCREEN) is not None


def test_all_rooms_full_of_phones_fit_into_20_megabytes():
    rooms, asked = Rooms(), question("Q" * 240, tuple(f"{number}" * 60 for number in range(6)))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(MAX_ROOMS):
        room = open_room(rooms)
        room.ask(asked)
        for number in range(MAX_PHONES):
            room.take(1, 0, f"{number:08d}{room.code[:8]}")
        assert len(room.round.reports) == MAX_PHONES
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 5e6 < used < 20e6


def test_a_room_ends_after_two_hours_or_when_it_is_closed_and_keeps_nothing():
    clock = Clock()
    rooms = Rooms(clock=clock)
    old, closed = open_room(rooms), open_room(rooms)
    for room in (old, closed):
        room.ask(question())
        room.take(1, 1, phone(1))
    clock.now = LIFETIME - 1
    young = open_room(rooms)
    rooms.close(closed)
    assert rooms.find(closed.code) is None
    assert rooms.find(old.code) is old
    clock.now = LIFETIME
    rooms.delete_old()
    assert rooms.find(old.code) is None
    assert rooms.find(young.code) is young
    for room in (old, closed):
        assert room.is_deleted
        assert (room.round.question, room.round.is_open, room.round.reports) == (None, False, b"")
        assert room.take(1, 1, phone(2)) == OVER
        assert not room.has_answered(phone(1))


def test_a_room_whose_screen_is_gone_is_deleted_soon_unless_it_comes_back():
    clock = Clock()
    rooms = Rooms(clock=clock)
    left, kept = open_room(rooms), open_room(rooms)
    clock.now = 50.0
    rooms.leave(left, SCREEN)
    rooms.leave(kept, SCREEN)
    clock.now = 49 + GRACE
    assert rooms.show(kept, SCREEN)
    assert rooms.find(left.code) is left
    clock.now = 50 + GRACE
    assert rooms.find(left.code) is None
    assert rooms.find(kept.code) is kept
    clock.now = LIFETIME - 1
    rooms.leave(kept, SCREEN)
    clock.now = LIFETIME
    assert rooms.find(kept.code) is None


def test_one_session_at_a_time_shows_a_room_and_a_late_end_of_the_one_before_does_not_end_it():
    clock = Clock()
    rooms = Rooms(clock=clock)
    room = open_room(rooms)
    assert not rooms.show(room, "second")
    rooms.leave(room, SCREEN)
    assert rooms.show(room, "second")
    assert not rooms.show(room, SCREEN)
    rooms.leave(room, SCREEN)
    clock.now = LIFETIME - 1
    assert rooms.find(room.code) is room
    rooms.close(room)
    assert not rooms.show(room, "second")


def test_the_secret_of_a_room_cannot_be_guessed_and_finds_that_room_alone():
    rooms = Rooms("8501")
    opened = [open_room(rooms) for _ in range(9)]
    assert len({room.secret for room in opened}) == 9
    assert all(re.fullmatch(r"[\w-]{32}", room.secret) for room in opened)
    assert [rooms.find_by_secret(room.secret) for room in opened] == opened
    for wrong in ("", "é", opened[0].code, opened[0].secret[:-1], opened[0].secret + "a", "x" * 10**6):
        assert rooms.find_by_secret(wrong) is None
    assert not any(room.secret in f"{room}{room.round}" for room in opened)
    rooms.close(opened[0])
    assert rooms.find_by_secret(opened[0].secret) is None


def test_old_rooms_are_deleted_even_if_nobody_asks_for_one(monkeypatch):
    woken = []

    class FakeTimer:
        daemon = False

        def __init__(self, seconds, wake):
            assert seconds <= GRACE
            self.wake = wake

        def start(self):
            assert self.daemon
            woken.append(self.wake)

    monkeypatch.setattr("pages.live_class.rooms.Timer", FakeTimer)
    clock = Clock()
    rooms = Rooms(clock=clock)
    rooms.open(SCREEN)
    room = open_room(rooms)
    assert len(woken) == 1
    woken[0]()
    assert len(woken) == 2
    clock.now = LIFETIME
    woken[1]()
    assert room.is_deleted
    assert len(woken) == 2


def test_requests_are_limited_in_bursts_and_per_second():
    clock = Clock()
    bucket = open_room(Rooms(clock=clock)).requests
    taken = sum(bucket.take() for _ in range(10_000))
    assert 3 * MAX_PHONES <= taken < 5 * MAX_PHONES
    clock.now = 1.0
    assert 100 <= sum(bucket.take() for _ in range(10_000)) < 500
    clock.now = 1e6
    assert sum(bucket.take() for _ in range(10_000)) == taken


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("", ("Yes", "No")),
        ("   ", ("Yes", "No")),
        ("x" * 241, ("Yes", "No")),
        ("Well?", ("Yes",)),
        ("Well?", ("Yes", "Yes")),
        ("Well?", ("Yes", " ")),
        ("Well?", ("Yes", "N" * 61)),
        ("Well?", tuple("abcdefg")),
        ("Well?\nNo", ("Yes", "No")),
        ("Well\u202e?", ("Yes", "No")),
        ("Well?", ("Yes", "No\x00")),
    ],
)
def test_a_hostile_question_is_refused(words, options):
    with pytest.raises(ValueError, match="a question must be short"):
        question(words, options)


def test_threads_that_report_at_once_lose_nothing_and_vote_once():
    room = open_room(Rooms())
    room.ask(question())
    statuses: list[int] = []

    def report() -> None:
        statuses.extend(room.take(1, number % 2, phone(number)) for number in range(200))

    threads = [Thread(target=report) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (statuses.count(TAKEN), statuses.count(ANSWERED)) == (200, 600)
    assert len(room.round.reports) == 200
