"""The stage: what the browser is told of a page, and what is kept of it for all sessions."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from pages.framework.chart.theme import hairline, layout, log_axis
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout import markup
from pages.framework.layout.page import PageView, load_page
from pages.framework.layout.section import Conditions, Field, Fields, Fold, Row, Section, exhibits_in
from pages.framework.link import steps_by_name
from pages.framework.parameters.kinds import Choice, FreeText, read_text
from pages.framework.rendering import stage, uploaded_files
from pages.framework.rendering.render import tabs_of
from pages.shared import site_map
from pages.shared.looks import COLOURS
from pages.shared.shared_parameters import DELTA, EPSILON
from tests.pages.conftest import ask, open_page, read_link, stage_of

VIEW = Choice("view", "view", {"a": "A", "b": "B"}, "a")
NAME = FreeText("name", "name", "people")
EVERY = (EPSILON, DELTA, VIEW, NAME)
READINGS = {entry.key: read_text(entry, entry.default, entry.default) for entry in EVERY}
SETTING = stage.Setting(None, EVERY, READINGS, COLOURS["light"])


def picture(title="A <b>title</b>", subtitle="ε = 1 &amp; more"):
    figure = layout(COLOURS["light"], title, subtitle, log_axis("ε", -3, 2), log_axis("σ", 0, 1))
    hairline(figure, COLOURS["light"], 1.0, "ε = 1", "epsilon")
    return {"data": [{"x": np.array([1.0, 2.0]), "y": np.array([np.nan, 3.0], np.float32)}], "layout": figure}


def stage_head(*parts, controls=(EPSILON,)):
    first = Section[Any](key="one", name="One", controls=lambda _: controls, parts=lambda _, __: parts)
    return stage.unpack(stage.stage_bytes(SETTING, first, stage.Answer(("**At** 5 %",))))


@pytest.mark.parametrize("is_asking", [False, True])
def test_conditions_come_with_their_answer_and_none_while_they_are_asked(is_asking):
    asked = (Fields(()),) if is_asking else ()
    conditions = Conditions((), assumptions=("all is counted",), questions=asked)
    one = Section[Any](key="one", name="One", controls=lambda _: (), parts=lambda *_: ())
    head = stage.unpack(stage.stage_bytes(SETTING, one, stage.Answer(("It is 5.",), {}, conditions)))
    assert head["isAsking"] is is_asking
    said = {"key": "", "words": "all is counted", "state": "assumed"}
    shown = {"lead": "", "items": []} if is_asking else {"lead": "Holds only if", "items": [said]}
    assert head["conditions"] == shown


@pytest.mark.parametrize(("value", "side"), [(1e-3, "left"), (1.0, "center"), (1e2, "right")])
def test_the_label_of_a_line_stays_inside_the_plot_at_both_edges(value, side):
    figure = layout(COLOURS["light"], "", "", log_axis("ε", -3, 2), log_axis("σ", 0, 1))
    hairline(figure, COLOURS["light"], value, "ε")
    assert figure["annotations"][-1]["xanchor"] == side


def test_a_chart_comes_with_its_words_its_handle_and_its_arrays_as_they_are():
    (part,) = stage_head(Exhibit("sigma", picture(), "In words", pd.DataFrame, picks=("epsilon", "delta")))["parts"]
    assert (part["kind"], part["name"], part["alt"]) == ("chart", "sigma", "In words")
    assert (part["marks"], part["picks"]) == (["epsilon"], ["epsilon", "delta"])
    x, y = (part["figure"]["data"][0][axis] for axis in "xy")
    assert (x.tolist(), y.dtype, np.isnan(y[0]), y[1]) == ([1.0, 2.0], np.float32, True, 3.0)


@pytest.mark.parametrize(
    "hostile", ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;", "<svg/onload=x>"]
)
def test_a_title_is_words_and_never_markup(hostile):
    (part,) = stage_head(Exhibit("sigma", picture(hostile, hostile), "", pd.DataFrame))["parts"]
    for line in (part["title"], part["subtitle"]):
        assert "<img" not in line
        assert "<svg" not in line


def test_words_of_a_page_are_markdown_without_markup_or_pictures():
    (part,) = stage_head("**Bold** <img src=x> ![x](http://127.0.0.1/x.png)")["parts"]
    assert "<strong>Bold</strong>" in part["html"]
    assert "<img" not in part["html"]


@pytest.mark.parametrize(
    ("words", "together"),
    [
        ("at 1e-6 it", "1e-6"),
        ("53 % more", "53 %"),
        ("ε-DP keeps", "ε-DP"),
        ("(ε, δ)-DP keeps", "(ε, δ)-DP"),
        ("here σ = 4.225 is", "σ = 4.225"),
        ("to ±8.281 of", "±8.281"),
        ("within −3 of", "−3"),
        ("μ-GDP is", "μ-GDP"),
    ],
)
def test_a_number_its_sign_its_unit_and_its_name_stay_on_one_line(words, together):
    assert f'<span class="nb">{together}</span>' in markup.html(words)


def test_a_paragraph_of_words_bold_words_and_links_is_what_a_parser_of_markdown_makes_of_it():
    pieces = [
        "**",
        "*",
        " ",
        "\xa0",
        "\x85",
        "a",
        "1.",
        "- ",
        "#",
        "[",
        "](./A?b=1&c=%20)",
        "](x)",
        '"',
        "&",
        "<b>",
        "`",
    ]
    pieces += ["[A](./Tables?e=1&d=2)", "**bold**", " **b c:** ", "\\", "_", "~~", "!", "\n", "(", "⚠ ", "<b>"]
    rng = np.random.default_rng(1)
    samples = ["".join(["a", *rng.choice(pieces, size)]) for size in rng.integers(1, 6, 1500)]
    samples += ["**bold** a", "⚠ a", "1. a", "- a", "# a", "**a"]
    simple = [words for words in samples if markup.is_simple(words)]
    assert len(simple) > 100
    parser = MarkdownIt("commonmark", {"html": False})
    assert [markup.html(words) for words in simple] == [markup.unbroken(parser.render(words)) for words in simple]


def test_text_inside_a_tag_stays_unchanged():
    assert markup.unbroken('<td title="5 %">x</td>') == '<td title="5 %">x</td>'


def test_a_fold_holds_its_parts_under_its_name_and_its_charts_are_exhibits():
    inner = Exhibit("sigma", picture(), "", pd.DataFrame, picks=("epsilon", "delta"))
    fold = Fold(lambda: ("**Why**", inner, None), "Compare the noises")
    description = stage_head(fold)
    (part,) = description["parts"]
    assert (part["kind"], part["name"]) == ("fold", "Compare the noises")
    assert [content["kind"] for content in part["parts"]] == ["words", "chart"]
    assert "delta" in description["fields"]  # which a click in its chart sets
    assert list(exhibits_in([fold])) == [inner]


def test_the_charts_of_a_fold_are_made_when_it_is_opened():
    made = []

    def content():
        made.append(1)
        return "**Why**", Exhibit("sigma", picture(), "", pd.DataFrame)

    section = Section[Any](key="one", name="", controls=lambda _: (), parts=lambda _, __: [Fold(content, "Compare")])
    for names, n_parts in (((), 0), (("Another",), 0), (("Compare",), 2), ((stage.ALL_FOLDS,), 2)):
        raw = stage.stage_bytes(SETTING, section, stage.Answer(()), open_folds=names)
        (part,) = stage.unpack(raw)["parts"]
        assert (part["kind"], part["name"], part["isLate"], len(part["parts"])) == ("fold", "Compare", True, n_parts)
    assert len(made) == 2


def test_a_session_renders_the_folds_that_are_open_in_its_browser():
    app, name = open_page(site_map.SERIES.script), "A trial"

    def fold(**request: object):
        return next(part for part in stage_of(ask(app, **request))["parts"] if part.get("name") == name)["parts"]

    closed, folds = stage_of(app)["view"], [site_map.SERIES.path, "time", name, "x" * 1000]
    assert fold(how="none") == []
    assert [part["kind"] for part in fold(how="none", folds=folds)] == ["fields", "chart", "chart"]
    opened = stage_of(app)["view"]
    assert opened.startswith(closed)
    assert len(opened) < len(closed) + 200
    assert fold(set={"length": "24"}, folds=folds) != []
    for others in ([], "A trial", [1, 2, 3], [site_map.SERIES.path, "ranges", name]):
        assert fold(how="none", folds=others) == []
    assert fold(set={"length": "36"}) == []
    assert stage_of(app)["view"] == closed


def test_a_step_that_shows_a_picture_of_a_fold_has_all_folds():
    step = next(name for name, step in steps_by_name().items() if step.page == site_map.MEDIAN and step.picture)
    folds = [part for part in stage_of(open_page(site_map.MEDIAN.script, demo=step))["parts"] if part["kind"] == "fold"]
    names = [part["name"] for fold in folds for part in fold["parts"] if part["kind"] == "chart"]
    assert steps_by_name()[step].picture in names


def test_every_field_of_the_strip_the_parts_and_the_clicks_is_sent_once():
    clicked = Exhibit("sigma", picture(), "", pd.DataFrame, picks=("", "delta"))
    description = stage_head(Row((clicked, None)), Fields((Field(VIEW, "Show"), NAME)), None, "")
    assert description["controls"] == ["epsilon"]
    assert [part["kind"] for part in description["parts"]] == ["side-by-side", "fields"]
    assert description["parts"][1]["keys"] == ["view", "name"]
    assert set(description["fields"]) == {"epsilon", "delta", "view", "name"}
    assert description["fields"]["epsilon"]["steps"] == list(EPSILON.scale)
    assert (description["fields"]["view"]["label"], description["fields"]["view"]["options"]) == ("Show", VIEW.options)
    assert description["fields"]["name"]["used"] == "people"


def test_the_tabs_are_the_sections_of_one_question_that_have_something_to_show():
    def tabs(topic, **link):
        page = load_page(topic)
        readings = read_link(topic.topic, **link)[0]
        return [tab[:2] for tab in tabs_of(PageView(page, readings, "light"))]

    assert tabs(site_map.ACCURACY) == [(None, "accuracy"), ("Clipping", "sum")]
    assert tabs(site_map.ACCURACY, query="mean") == [(None, "accuracy"), (None, "records"), ("Clipping", "sum")]
    assert tabs(site_map.CLIPPING) == [("Accuracy", "accuracy"), (None, "sum")]
    assert tabs(site_map.COMPOSITION, section="batching") == []
    assert tabs(site_map.REPORT) == []


def test_the_cache_of_all_sessions_is_bounded_and_has_the_latest_used_entries():
    cache, rendered = uploaded_files.ByteCache(100), []

    def make(name):
        rendered.append(name)
        return bytes(40)

    for name in ("a", "b", "a", "c", "a", "b"):
        assert cache.get(name, lambda name=name: make(name)) == bytes(40)
    assert rendered == ["a", "b", "c", "b"]


def test_an_entry_larger_than_the_cache_stays_until_the_next_so_that_its_waiter_gets_it():
    cache = uploaded_files.ByteCache(10)
    cache.store("a", bytes(40))
    assert cache.find("a") == bytes(40)
    cache.store("b", bytes(5))
    assert (cache.find("a"), cache.find("b")) == (None, bytes(5))


def test_a_message_keeps_numbers_of_numpy_texts_and_tables_of_numbers():
    message = {"a": np.int64(3), "b": np.array(["x", "y"]), "c": np.arange(6.0).reshape(2, 3), "d": np.array([True])}
    read = stage.unpack(stage.pack(message))
    assert (read["a"], read["b"], read["c"].tolist(), read["d"].tolist()) == (
        3,
        ["x", "y"],
        [[0, 1, 2], [3, 4, 5]],
        [1.0],
    )


def test_both_colour_schemes_draw_the_same_traces():
    assert COLOURS["light"].keys() == COLOURS["dark"].keys()
