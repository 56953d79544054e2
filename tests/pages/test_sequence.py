"""A lecturer's own sequence: what its text may say, what is refused in one sentence, and the steps that it opens."""

from dataclasses import replace
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import pytest

from pages.framework.classroom import demonstrations
from pages.framework.classroom.sequence import MAX_LENGTH, MAX_STEPS, OwnSequence, sequence_text
from pages.framework.link import SEQUENCE, step_names, steps_by_name
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.parameter import PartError
from pages.shared.site_map import MEDIAN, SERIES
from pages.start.page import own_text
from tests.pages.conftest import ROOT, ask, enter, found_by, link_of, open_page, parts_of, stage_of, topic_named

TEXT = "\n".join(
    (
        "Too little noise",
        "/Gaussian_bounds?epsilon=3&delta=1e-5&section=profile&l2_sensitivity=1&significance=0.05&picture=svg&present=on",
        "Beyond its proof.",
        "> epsilon 0.5",
        "? Is it enough at ε = 10?",
        "- Yes",
        "* No",
        "./Composition?releases=!laplace:0.1=Count&runs=100",
        "A hundred counts.",
        "? What do you say?",
    )
)
HOSTILE = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) "quoted" & **bold**'


def open_step(text: str, place: int = 1, script: str = "pages/1_Gaussian_bounds.py"):
    return open_page(script, demo=f"own-{place}", sequence=text)


def test_the_classroom_shortens_the_links_and_leads_to_the_first_step():
    app = open_page(section="class", sequence=TEXT)
    kept = link_of(app)["sequence"]
    steps = SEQUENCE.read(kept).steps
    assert [parse_qs(step.query).keys() - {"version"} for step in steps] == [
        {"epsilon", "delta", "view"},
        {"releases", "runs"},
    ]
    assert sequence_text(SEQUENCE.read(kept)) == kept
    assert "\n/Gaussian_bounds?epsilon=3&" in kept  # as it was typed
    assert link_of(open_page(section="class", sequence=kept))["sequence"] == kept
    answer = "".join(stage_of(app)["answer"])
    assert "steps with a question before each step, and one of your own, of 2 steps." in answer
    html = "".join(part.get("html", "") for cards in parts_of(app) for part in cards.get("parts", [cards]))
    assert "2 steps: Gaussian bounds, All releases together." in html
    assert "Too little noise</h2>" in html
    assert demonstrations.own_address(1, kept).replace("&", "&amp;") in html


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (("- Yes\n- No", "- a\n* b"), "The question of step 1 has no right answer"),
        (("- Yes\n- No", "- a\n- b"), "The questions of steps 1 and 2 have no right answer"),
        (("* Yes\n- No", ""), ""),
    ],
)
def test_a_question_of_which_no_answer_is_marked_as_right_is_named(answers, words):
    text = "\n".join(f"/Tables\n? What?\n{part}" for part in answers)
    said = " ".join(own_text(found_by("start", sequence=text)))
    assert (words in said) if words else "no right answer" not in said


def test_a_step_opens_its_setting_asks_and_leads_on():
    app = open_step(TEXT)
    demo = stage_of(app)["demo"]
    assert (link_of(app)["epsilon"], link_of(app)["view"], link_of(app)["demo"]) == ("3", "profile", "own-1")
    assert (demo["title"], demo["text"], demo["place"], demo["moved"]) == (
        *("Too little noise", "<p>Beyond its proof.</p>", 1),
        False,
    )
    room = "./Ask_the_class?ask_question=Is%20it%20enough%20at%20%CE%B5%20%3D%2010%3F&ask_options=Yes%2C%20No"
    question = "Is it enough at ε = 10?"
    assert demo["quiz"] == {"question": question, "choices": ["Yes", "No"], "right": 1, "room": room}
    assert demo["sweep"] == {"key": "epsilon", "start": "0.5", "end": "3"}
    second = urlsplit(demo["links"][1])
    assert (second.path, parse_qs(second.query)["demo"]) == ("./Composition", ["own-2"])
    assert "sequence" not in demo["code"]  # the phones of a class get the setting without the answers
    moved = stage_of(enter(app, "epsilon", "2"))["demo"]
    assert (moved["moved"], stage_of(ask(app, link=demo["links"][0].partition("?")[2]))["demo"]["moved"]) == (
        True,
        False,
    )
    last = stage_of(open_step(TEXT, 2, "pages/8_Composition.py"))["demo"]
    assert last["quiz"] == {"question": "What do you say?", "choices": [], "right": None, "room": ""}


def test_what_a_lecturer_writes_is_shown_as_text():
    text = f"{HOSTILE[:70]}\n/Gaussian_bounds\n{HOSTILE}\n? {HOSTILE}\n- {HOSTILE}"
    demo = stage_of(open_step(text))["demo"]
    assert "<" not in demo["text"].removeprefix("<p>").removesuffix("</p>")
    assert (demo["quiz"]["question"], demo["quiz"]["choices"]) == (HOSTILE, [HOSTILE])  # which the browser sets as text
    html = "".join(str(part) for part in parts_of(open_page(section="class", sequence=text)))
    assert "<script" not in html
    assert "onerror" not in html.replace(quote("onerror"), "").replace(quote(text), "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("https://evil.example/Gaussian_bounds?epsilon=3", "link 1 must be one of this app"),
        ("//evil.example/Gaussian_bounds", "link 1 must be one of this app"),
        ("/Gaussian_bounds\n/No_page?x=1", "link 2 must be one of this app"),
        ("/../Gaussian_bounds", "link 1 must be one of this app"),
        ("http://[", "link 1 must be one of this app"),
        ("javascript:alert(1)", "a line must be a link of this app"),
        ("Words alone", "a line must be a link of this app"),
        ("\n".join(["/Tables"] * (MAX_STEPS + 1)), f"it must have at most {MAX_STEPS} links"),
        ("/Tables\n" + "ε" * MAX_LENGTH, "characters in the link"),
        ("/Tables\n" + "x" * 500, "no text may have more than 400 characters"),
        ("/Tables\n? a\n* b\n* c", "step 1 must have one right answer"),
        ("/Tables\n? a\n- b\n- b", "different answers"),
        ("/Tables\n? a\n" + "\n".join(f"- {n}" for n in range(5)), "up to 4 different answers"),
        ("/Tables\n\x07", "each line must be printable"),
        ("/Tables\n> epsilon", "step 1 must name a parameter and a value after >"),
        ("x" * 81 + "\n/Tables", "the title must have at most 80 characters"),
    ],
)
def test_a_text_that_cannot_be_used_has_one_calm_sentence(text, words):
    with pytest.raises(PartError) as error:
        SEQUENCE.read(text)
    assert words in str(error.value)
    assert len(str(error.value)) < 200
    (notice,) = stage_of(open_page(section="class", sequence=text))["notices"]
    assert words in notice
    assert "sequence" not in link_of(open_page(section="class", sequence=text))
    typed = stage_of(enter(open_page(section="class", sequence="/Tables?k=2"), "sequence", text))
    assert words in typed["entered"]["sequence"][1]
    assert SEQUENCE.read(dict(parse_qs(urlsplit(typed["link"]).query))["sequence"][0]).steps[0].page.path == "Tables"


def test_own_data_in_a_link_stay_out_of_a_sequence():
    app = open_page(section="class", sequence="/Tables?table=own&own=Confidential=5;Second=7")
    assert "Confidential" not in link_of(app).get("sequence", "")
    assert "data of your own, which a sequence leaves out" in " ".join(stage_of(app)["notices"])


@pytest.mark.parametrize("sweep", ["nothing 1", "epsilon -1", "view ratio", "sequence x"])
def test_what_no_slider_can_move_is_left_out_with_a_sentence(sweep):
    app = open_page(section="class", sequence=f"/Gaussian_bounds?epsilon=3\n> {sweep}")
    assert f"no slider of its page moves from {sweep}, which is left out." in " ".join(stage_of(app)["notices"])
    assert ">" not in link_of(app)["sequence"]
    demo = stage_of(open_step(f"/Gaussian_bounds?epsilon=3\n> {sweep}"))["demo"]
    assert demo["sweep"] is None


def test_a_step_that_a_sequence_does_not_have_is_named():
    stage = stage_of(open_step(TEXT, 5))
    assert stage["demo"] is None
    assert "a sequence of 2 steps was given. none is used instead." in " ".join(stage["problems"])
    assert stage_of(open_page("pages/1_Gaussian_bounds.py", demo="own-13"))["demo"] is None


def test_only_the_classroom_and_the_steps_have_the_sequence_in_their_address():
    app = open_step(TEXT)
    assert "sequence" in link_of(app)
    left = enter(app, "demo", "none")
    assert "sequence" not in link_of(left)
    assert "sequence" not in stage_of(left)["shortLink"]
    assert "sequence" not in link_of(open_page(sequence=TEXT))


def test_a_text_is_read_as_it_is_written():
    sequence = SEQUENCE.read(TEXT)
    assert SEQUENCE.read(sequence_text(sequence)) == sequence
    assert SEQUENCE.read("") == OwnSequence()
    assert replace(sequence, title="").title == ""
    assert not set(step_names()) & steps_by_name().keys()


MOVING = {name: step for name, step in steps_by_name().items() if step.sweep}


@pytest.mark.parametrize("name", MOVING)
def test_a_picture_moves_through_at_least_two_settings_of_its_page_to_its_step(name):
    step, record = MOVING[name], demonstrations.step_description(name)["sweep"]
    topic = topic_named(step.page.topic)
    stage = stage_of(open_page(step.page.script, demo=name))
    field = stage["fields"][record["key"]]
    assert field["used"] == record["end"]
    (quantity,) = (item for item in topic.all_parameters if item.key == record["key"])
    assert isinstance(quantity, Quantity)
    low, high = sorted((quantity.read(record["start"]), quantity.read(record["end"])))
    assert sum(low < float(text) < high for text in field["steps"]) >= 1
    assert low < high


HIDING = {  # what is left of the curves of a picture, by step
    "months-1": {"noise in each period"},
    "months-2": {"noise in each period"},
    "classical-1": {"Analytic", "Classical", "target"},
    "classical-2": {"Analytic", "Classical", "target"},
    "classical-3": {"Analytic", "Classical: FAILS", "target"},
    "classical-4": {"Analytic", "Classical", "Classical: unproved", "Classical: FAILS", "Lower bound"},
    "classical-5": {"Analytic", "Classical", "Classical: unproved", "Classical: FAILS", "Lower bound"},
    "classical-6": {"Analytic", "Classical: FAILS", "target"},
    "adding-6": {"Laplace", "Analytic Gaussian"},
    "response-1": {"reported", "the truth, simulated"},
    "response-4": {"randomised response"},
    "response-5": {"randomised response", "a trusted office"},  # for which the step before asked
}


def test_curves_that_would_tell_or_are_not_the_subject_are_hidden():
    assert {name for name, step in steps_by_name().items() if step.hidden} == HIDING.keys()
    for name, remaining in HIDING.items():
        step = steps_by_name()[name]
        parts = parts_of(open_page(step.page.script, demo=name))
        figure = next(part["figure"] for part in parts if not step.picture or part.get("name") == step.picture)
        names = {trace["name"] for trace in figure["data"] if trace.get("name")}
        assert any(trace in step.hidden for trace in names)
        assert names - {*step.hidden} == remaining


def test_what_a_class_compares_stands_on_the_same_axes():
    total = parts_of(open_page(SERIES.script, demo="months-2"))[0]["figure"]["layout"]["yaxis"]["range"]
    assert demonstrations.step_description("months-1")["axes"] == {"yaxis": (total[0], total[1])}
    for name in (f"maximum-{place}" for place in range(1, 7)):
        record = demonstrations.step_description(name)
        parts = parts_of(open_page(MEDIAN.script, demo=name))
        (figure,) = (part["figure"] for part in parts if part.get("name") == record["picture"])
        high = max(np.max(trace["y"]) for trace in figure["data"])
        assert record["axes"]["yaxis"][0] == 0 < high <= record["axes"]["yaxis"][1] + 1e-6


def test_a_demonstration_leaves_no_settings_behind():
    app = open_page("pages/1_Gaussian_bounds.py", epsilon="2", view="profile")
    assert link_of(ask(app, link="?demo=classical-3"))["epsilon"] == "10"
    app.query_params.clear()
    app.query_params["demo"] = "adding-1"
    step = app.switch_page(str(ROOT / "pages/8_Composition.py")).run()
    assert link_of(enter(step, "delta", "1e-3"))["delta"] == "1e-3"
    app.query_params.clear()
    accuracy = app.switch_page(str(ROOT / "pages/5_Accuracy.py")).run()
    assert (link_of(accuracy)["epsilon"], link_of(accuracy)["delta"]) == ("2", "1e-6")
    app.query_params.clear()
    bounds = app.switch_page(str(ROOT / "pages/1_Gaussian_bounds.py")).run()
    assert (link_of(bounds)["epsilon"], link_of(bounds)["view"]) == ("2", "profile")
