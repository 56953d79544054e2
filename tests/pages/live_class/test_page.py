"""The page that asks a class: what it says of reports, of a simulated class, and of hostile texts."""

import math
import pickle
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore import local
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout import markup
from pages.framework.session.data_files import Copy
from pages.live_class import page, widgets
from pages.live_class.results import OPTIONS, LiveResult, question_of
from pages.live_class.rooms import MAX_PHONES, MAX_ROOMS, Rooms, Round
from tests.pages.conftest import LIGHT, ROOT, figure_of, found_by, read_link

HOSTILE = "<img src=x onerror=alert(1)>**[a](javascript:b)**"


def with_class(reports: list[int], *, is_open: bool = False, **entries: str) -> LiveResult:
    setting = found_by("live_class", **entries).setting
    return LiveResult(setting, Round("8501-abc", 3, question_of(setting), is_open, bytes(reports)))


def title_of(result: LiveResult) -> dict[str, Any]:
    picture = page.answers_chart(result, LIGHT).picture
    assert isinstance(picture, dict)
    return picture["layout"]["title"]


def test_the_reports_of_a_class_are_estimated_with_their_exact_error():
    result = with_class([0] * 30 + [1] * 20, epsilon="2")
    p = math.exp(2) / (math.exp(2) + 1)
    assert result.estimate(0) == pytest.approx((0.6 - (1 - p)) / (2 * p - 1))
    sizes = [local.exact_half_width(2, 2, 50, "randomized_response", share) for share in (0, 0.25, 0.5, 0.75, 1)]
    assert result.error == pytest.approx(max(sizes))
    (said,) = page.answer_text(result)
    assert said.startswith("Of 50 reports, “Yes” has the largest share: **63.1 % ± ")
    assert "simulated" not in said
    assert result.truth is None
    assert result.over_answers["answers"].iloc[-1] == 50


def test_the_picture_has_the_whole_question():
    asked = "Is it enough? " + "x" * 226
    assert asked in title_of(with_class([0], ask_question=asked))["subtitle"]["text"]


def test_the_votes_are_as_many_as_were_sent_with_the_shares_that_follow():
    result = with_class([0] * 30 + [1] * 20, epsilon="2")
    asked, words = page.invitation(result).votes
    assert asked == result.question.words
    assert words.startswith("The class, 50 phones: “Yes” 30; “No” 20. Phones draw at random what they send (ε = 2): ")
    shares = [float(share) / 100 for share in re.findall(r"([\d.]+) %", words)]
    assert shares == pytest.approx(result.options["estimate"].tolist(), abs=0.006)
    stated = float(re.findall(r"each ± ([\d.]+) points\.$", words)[0]) / 100
    assert result.error <= stated <= 1.1 * result.error
    assert "nothing is learnt yet" in page.votes_text(with_class([1], epsilon="0.1"))
    for silent in (with_class([]), found_by("live_class")):
        assert page.votes_text(silent) == ""


def test_while_phones_answer_the_page_tells_how_many_have_and_nothing_of_what_they_sent():
    counting, other = with_class([0] * 30 + [1] * 20, is_open=True), with_class([1] * 50, is_open=True)
    for result, words in ((counting, "Here the shares of all answers appear"), (with_class([]), "No phone answered.")):
        assert words in figure_of(page.options_chart(result, LIGHT))["layout"]["annotations"][-1]["text"]
    assert page.answer_text(counting)[0].startswith("**50 reports** of up to ")
    assert page.answer_text(counting) == page.answer_text(other)
    shown, others = (
        [part for chart in (page.options_chart, page.answers_chart) for part in pictured(chart(result, LIGHT))]
        for result in (counting, other)
    )
    assert shown == others
    assert page.invitation_text(counting) == page.invitation_text(other)
    closed = with_class([0] * 30 + [1] * 20)
    assert [*page.parts(closed, LIGHT)][1:]
    assert not [*page.parts(counting, LIGHT)][1:]
    assert pictured(page.options_chart(closed, LIGHT)) != pictured(page.options_chart(counting, LIGHT))


def pictured(exhibit: Exhibit) -> list[str]:
    assert isinstance(exhibit.picture, dict)
    numbers = exhibit.table.to_csv()
    return [exhibit.alternative, str(exhibit.picture["data"]), numbers, str(exhibit.header)]


def test_a_band_holds_in_the_stated_part_of_classes():
    result, rng = with_class([0] * 40, epsilon="1"), np.random.default_rng(2)
    weight = result.question.weight / 2**53
    for n_true in (0, 13, 40):
        reports = rng.binomial(n_true, 1 - weight, 20_000) + rng.binomial(40 - n_true, weight, 20_000)
        off = abs((reports / 40 - weight) / (1 - 2 * weight) - n_true / 40)
        assert (off <= result.error * (1 + 1e-9)).mean() >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / 20_000)


def test_the_office_is_nearer_and_a_simulated_class_is_marked_as_such():
    result = found_by("live_class", simulated_students="200")
    assert result.office_error == pytest.approx(math.log(20) / 200)
    assert with_class([0, 1, 2, 1], ask_options="a,b,c").office_error == pytest.approx(2 * math.log(20) / 4)
    assert result.office_error < result.error
    first, second = page.answer_text(result)
    assert first.startswith("Of 200 simulated students,")
    assert "the simulated truth is " in second
    assert "simulated students" in title_of(result)["subtitle"]["text"]
    assert (found_by("live_class", simulated_students="201").reports[:200] == result.reports).all()


def test_before_the_first_report_the_page_says_so_and_draws_nothing():
    result = with_class([])
    assert page.answer_text(result)[0].startswith("**No reports yet**")
    for exhibit in (page.answers_chart(result, LIGHT), page.options_chart(result, LIGHT), page.reveal(result, LIGHT)):
        assert exhibit.alternative
    assert result.over_answers.empty
    assert "no reports yet" in page.reveal_html(result)
    assert page.snippets(result)[0].code == ""
    assert "**nothing is learnt yet**" in page.answer_text(with_class([0, 1], epsilon="0.1"))[0]


@pytest.mark.parametrize("epsilon", ["0.1", "1", "8", "10"])
@pytest.mark.parametrize("options", ["Yes, No", "a, b, c, d, e, f"])
def test_the_phones_have_no_more_than_the_epsilon_that_they_promise(epsilon, options):
    question = question_of(found_by("live_class", epsilon=epsilon, ask_options=options).setting)
    d, total = len(question.options), 2**53
    truth = Fraction(total - (d - 1) * question.weight, total)
    assert truth / Fraction(question.weight, total) <= Fraction(math.exp(float(epsilon)) * (1 + 1e-15))
    assert f"(ε = {epsilon})" in question.promise
    stated = Fraction(question.promise.partition("probability ")[2].partition(" %")[0]) / 100
    others = (1 - stated) / (d - 1)
    assert truth - Fraction(1, 1000) <= stated <= truth
    assert stated / others <= Fraction(math.exp(float(epsilon)) * (1 + 1e-15))
    assert d == 2 or Fraction(question.promise.partition("other one with ")[2].partition(" %")[0]) / 100 == others


def test_what_one_report_tells_lies_between_nothing_and_nearly_all():
    frame = with_class([0, 1] * 50).reveal
    assert frame["after_0.5"].tolist() == pytest.approx([0.5, 0.7310586, 0.9996647, 0.7310586])
    assert frame["half_width"].iloc[0] == math.inf
    assert frame["half_width"].iloc[2] < frame["half_width"].iloc[3] < frame["half_width"].iloc[1]
    html = page.reveal_html(with_class([0, 1] * 50))
    assert "nothing is learnt" in html
    assert "A trusted office, ε = 1" in html


def test_a_hostile_question_is_text_everywhere():
    result = with_class([0, 1, 1] * 9, ask_question=HOSTILE, ask_options="<b>Yes</b>, *No*")
    shown = [page.invitation(result).words, *page.answer_text(result), page.student_text(result)]
    for words in map(markup.html, shown):
        assert "<img" not in words
        assert "<b>" not in words
        assert "<em>" not in words
        assert 'javascript:b"' not in words
    title = title_of(result)
    assert "<b>" not in title["text"]
    assert "<img" not in title["subtitle"]["text"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("Yes", "options must be 2 to 6 different options"),
        ("a, b, c, d, e, f, g", "options must be 2 to 6 different options"),
        ("Yes, Yes", "option 2 must have 1 to 60 printable characters and differ from those before; Yes was given."),
        ("Yes,", "option 2 must have 1 to 60 printable characters and differ from those before; nothing was given."),
        ("Yes, " + "x" * 61, "option 2 must have"),
        ("Yes, \x07", "option 2 must have"),
    ],
)
def test_options_that_no_question_can_have_are_named_in_a_sentence(entry, words):
    readings, problems = read_link("live_class", ask_options=entry)
    assert words in " ".join(problems)
    assert readings[OPTIONS.key].value == ("Yes", "No")


@pytest.mark.parametrize("epsilon", ["0", "0.05", "11", "1e6"])
def test_an_epsilon_beyond_a_class_is_named_and_replaced(epsilon):
    readings, _ = read_link("live_class", epsilon=epsilon)
    assert readings["epsilon"].value == 1
    assert "must be from 0.1 to 10 for a class" in readings["epsilon"].problem


def test_the_invitation_has_the_buttons_of_its_room():
    result = with_class([0], is_open=True)
    assert page.invitation(result).link == "class/8501-abc"
    assert page.invitation(result).state == (3, True, 1)
    assert [key for key, _ in page.invitation(result).actions] == ["close", "ask", "ask_larger", "ask_exactly", "leave"]
    closed = LiveResult(result.setting, Round("8501-abc", 3, result.question, False, b"\x00"))
    assert [key for key, _ in page.invitation(closed).actions] == ["ask", "ask_larger", "ask_exactly", "leave"]
    assert "Closed" in page.invitation(closed).words
    assert [key for key, _ in page.invitation(found_by("live_class", epsilon="8")).actions] == ["ask", "ask_exactly"]


class Browser:
    """A tab of the page, whose buttons are pressed."""

    def __init__(self, rooms: Rooms, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(widgets, "ROOMS", rooms)
        self.app = AppTest.from_file(str(ROOT / "pages/19_Ask_the_class.py"), default_timeout=60).run()

    def press(self, action: str) -> None:
        self.app.session_state["dp_session"].request = {"n": 1, "act": action}
        self.app.run()
        assert not self.app.exception

    @property
    def room(self):
        return self.app.session_state["dp_room"]


def test_the_buttons_open_a_room_ask_again_close_the_round_and_end_the_room(monkeypatch):
    rooms = Rooms("8501")
    tab = Browser(rooms, monkeypatch)
    tab.press("close")
    tab.press("leave")
    tab.press("nonsense")
    assert "dp_room" not in tab.app.session_state
    tab.press("ask")
    room = tab.room
    assert rooms.find(room.code) is room
    assert (room.round.number, room.round.is_open) == (1, True)
    assert room.round.question.words == "Have you ever cheated in an exam?"
    tab.press("ask")
    assert tab.room is room
    assert room.round.number == 2
    tab.press("close")
    assert not room.round.is_open
    tab.press("leave")
    assert room.is_deleted
    assert rooms.find(room.code) is None
    tab.press("ask")
    assert tab.room is not room


def test_a_new_session_of_the_same_tab_takes_its_room_over_once_the_session_before_has_gone(monkeypatch):
    rooms = Rooms("8501")
    before = Browser(rooms, monkeypatch)
    before.press("ask")
    room, sent = before.room, before.app.session_state["dp_session"].copies["room"]
    assert sent.packed == room.secret
    room.take(1, 1, "0" * 16)
    after = Browser(rooms, monkeypatch)
    after.app.session_state["dp_session"].restored = {"room": sent}
    after.app.run()
    assert "dp_room" not in after.app.session_state
    assert after.app.session_state["dp_session"].link_problems == [widgets.HELD]
    assert rooms.find(room.code) is room
    rooms.leave(room, before.app.session_state["dp_session"].id)
    after.app.run()
    assert after.room is room
    assert after.app.session_state["dp_session"].copies["room"] is sent
    assert after.app.session_state["dp_session"].link_problems == []
    before.press("close")
    before.press("leave")
    assert (room.round.is_open, room.round.reports, room.is_deleted) == (True, b"\x01", False)
    after.press("close")
    assert not room.round.is_open


@pytest.mark.parametrize("secret", ["", "a", "é" * 40, "x" * 10**5])
def test_a_wrong_or_outdated_secret_opens_no_room_and_leaves_the_tab(monkeypatch, secret):
    rooms = Rooms()
    other = rooms.open("")
    tab = Browser(rooms, monkeypatch)
    tab.app.session_state["dp_session"].restored = {"room": Copy("token", secret)}
    tab.app.run()
    assert "dp_room" not in tab.app.session_state
    assert tab.app.session_state["dp_session"].copies["room"].packed == ""
    assert tab.app.session_state["dp_session"].link_problems == [widgets.OVER]
    assert other is not None
    assert rooms.show(other, "its own tab")


def test_that_a_room_has_ended_is_said_again_where_the_run_that_found_it_was_interrupted(monkeypatch):
    tab = Browser(Rooms(), monkeypatch)
    tab.app.session_state["dp_session"].restored = {"room": Copy("token", "gone")}
    tab.app.run()
    for _ in range(2):
        tab.app.session_state["dp_session"].request = {"n": 1, "link": "?epsilon=2"}
        tab.app.run()
        assert tab.app.session_state["dp_session"].link_problems == [widgets.OVER]
    tab.app.run()
    tab.app.session_state["dp_session"].request = {"n": 2, "link": "?epsilon=3"}
    tab.app.run()
    assert tab.app.session_state["dp_session"].link_problems == []


def test_the_secret_of_a_room_is_in_no_link_and_on_no_screen_and_goes_with_the_room(monkeypatch):
    tab = Browser(Rooms(), monkeypatch)
    tab.press("ask")
    room = tab.room
    result = found_by("live_class")
    shown = LiveResult(result.setting, room.round)
    assert room.secret not in f"{shown.reveal}{page.answer_text(shown)}{page.invitation(shown)}{pickle.dumps(shown)}"
    assert room.secret not in f"{tab.app.query_params}{tab.app.session_state['dp_session'].used}"
    assert "room" in tab.app.session_state["dp_session"].copies
    tab.press("leave")
    assert tab.app.session_state["dp_session"].copies["room"].packed == ""


def test_a_server_without_room_says_so(monkeypatch):
    rooms = Rooms()
    for _ in range(MAX_ROOMS):
        rooms.open("screen")
    tab = Browser(rooms, monkeypatch)
    tab.press("ask")
    assert "dp_room" not in tab.app.session_state
    assert tab.app.session_state["dp_session"].link_problems == [
        "200 classes have a room at present, the most that this server has. Try again in a few minutes."
    ]


def test_the_questions_of_a_room_add_up_on_the_phones_and_on_the_screen():
    room = Rooms().open("screen")
    assert room is not None
    setting = found_by("live_class", epsilon="0.1").setting
    for number in range(3):
        question = question_of(setting, room.round.spent)
        assert ("together" in question.promise) == (number > 0)
        room.ask(question)
    assert room.round.question is not None
    assert room.round.question.promise.endswith("it is ε = 0.3 together.")
    words = page.invitation_text(LiveResult(setting, room.round))
    assert words.endswith("Questions add up: 3 so far, ε = 0.3 for a student who answers each.")
    assert "add up" not in page.invitation_text(LiveResult(setting, Round("a", 1, question_of(setting), True)))


def test_the_simulated_students_are_at_most_as_many_as_phones():
    assert found_by("live_class", simulated_students=str(MAX_PHONES)).n_reports == MAX_PHONES


def test_shares_are_shown_from_0_to_100_percent_and_the_most_frequent_option_leads():
    result = with_class([2] * 13 + [1] * 2, ask_options="a, b, c", epsilon="1")
    assert result.estimate(2) > 1
    first = page.answer_text(result)[0]
    assert "“c” has the largest share: **100 % ± " in first
    assert first.endswith("to 100 %, cut to what a share can be** (95 % of classes).")
    words = f"{page.answer_text(result)}{page.options_chart(result, LIGHT).alternative}{page.votes_text(result)}"
    assert all(0 <= float(part) <= 100 for part in re.findall(r"(-?[\d.]+) %", words))
    assert "cut to 0 to 100 %" in title_of(result)["subtitle"]["text"]


@pytest.mark.parametrize("options", ["a, b", "a, b, c", "a, b, c, d, e, f"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "10"])
def test_the_probabilities_of_a_phone_sum_to_one(options, epsilon):
    question = question_of(found_by("live_class", epsilon=epsilon, ask_options=options).setting)
    stated = [Fraction(part) for part in re.findall(r"([\d.]+) %", question.promise)]
    others = len(question.options) - 1
    assert len(stated) == (1 if others == 1 else 2)
    assert others == 1 or stated[0] + others * stated[1] == 100


def test_a_small_class_is_told_how_many_a_vote_needs_and_what_else_it_can_do():
    result = found_by("live_class", ask_options="a, b, c")
    words = page.invitation(result).words
    first, second = (int(part) for part in re.findall(r"about (\d+) students", words))
    for n, epsilon in ((first, 1.0), (second, 3.0)):
        assert result.half_widths(n, epsilon)[0] <= 0.28  # "about": a normal approximation
        assert result.half_widths(n // 2, epsilon)[0] > 0.25
    assert ("ask_larger", "Ask at ε = 3") in page.invitation(result).actions


def test_a_vote_without_noise_has_exact_shares_and_promises_no_privacy(monkeypatch):
    tab = Browser(Rooms(), monkeypatch)
    tab.press("ask_exactly")
    question = tab.room.round.question
    assert question.weight == 0
    assert "without noise" in question.promise
    for report, phone in ((1, "1"), (1, "2"), (0, "3")):
        tab.room.take(1, report, phone * 16)
    tab.press("close")
    result = LiveResult(found_by("live_class").setting, tab.room.round)
    assert result.options["estimate"].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert page.answer_text(result)[0] == "Of 3 votes, **66.7 %** are for “No”."
    assert list(page.claims(result)) == []
    tab.press("ask_larger")
    assert tab.room.round.question.epsilon > 1
    assert "An earlier question of this room had no noise." in tab.room.round.question.promise


@pytest.mark.parametrize(("entries", "is_named"), [({}, True), ({"epsilon": "8"}, False)])
def test_the_legend_names_the_band_only_where_it_is_wide_enough_to_be_seen(entries, is_named):
    picture = page.answers_chart(found_by("live_class", **entries), LIGHT).picture
    assert isinstance(picture, dict)
    (band,) = (trace for trace in picture["data"] if trace["name"] == "with its ±")
    assert band["showlegend"] is is_named
