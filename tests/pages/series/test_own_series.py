"""The trial of the user's own series: read, drawn in the session alone, and what is missing of it."""

import numpy as np
import pytest

from dpcore import linear_queries
from pages.framework.export.exhibit import CONFIDENTIAL_RELEASE
from pages.framework.session.data_files import LINKED, DataFiles
from pages.series.over_time import section, text
from pages.series.results import series_conditions
from pages.series.statements import range_statements, series_statements
from pages.series.upload import CHOICES, column_fields, read_series
from pages.shared.site_map import SERIES
from tests.pages.conftest import LIGHT, ask, found_by, link_of, open_page, parts_of, read_link, stage_of, text_of

OWN = {"series": "own", "own": "120;150;201;400", "contribution": "once", "fixed": "yes"}
SECRET = "48123\n51777\n60911\n"


def read(data: bytes, **choices: str):
    return read_series(DataFiles({"file": ("a.csv", data)}, CHOICES | choices))


def test_a_column_is_read_in_its_order_and_fits_a_link():
    reading = read(b"month;births\n1;512\n2;498,5\n3;530\n", column="births")
    assert reading.content.counts is not None
    assert reading.content.counts.tolist() == [512, 498.5, 530]
    assert reading.link_text == "512;498.5;530"
    assert reading.notes == ("3 periods with a number in column births.",)
    linked = read_series(DataFiles({LINKED: ("", reading.link_text.encode())}, CHOICES))
    assert linked.content.counts is not None
    assert linked.content.counts.tolist() == [512, 498.5, 530]


def test_a_file_with_several_columns_has_a_field_for_the_column():
    files = DataFiles({"file": ("a.csv", b"a,b\n1,2\n3,4\n")}, CHOICES)
    memory = read_series(files).memory
    (field,) = column_fields(DataFiles(files.files, files.choices, memory))
    assert (field.name, field.used, field.options) == ("column", "a", ("a", "b"))
    assert list(column_fields(DataFiles(memory={"columns": ("a",), "column": "a"}))) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"births\n512\n498\nmany\n", "not a number"),
        (
            b"month,births\n1,512\n2,\n3,530\n",
            r"1 row has no number \(line 3\), and a series needs one",
        ),
        (b"month,births\n1,512\n" + b"2,\n" * 7, r"7 rows have no number \(lines 3, 4, 5, 6, 7, …\), and a series"),
        (b"1\n" * 1001, "a series has at most 1,000 periods, and there are 1,001 numbers"),
        (b"", "empty"),
    ],
)
def test_what_is_no_series_is_refused_with_a_reason(data, words):
    with pytest.raises(ValueError, match=words):
        read(data, column="births" if b"month" in data else "")


def test_an_ambiguous_number_is_a_question_with_offers():
    reading = read(b"births\n1,200\n2,500\n")
    assert reading.content.counts is None
    assert "1,200" in reading.problem
    assert len(reading.offers) == 2
    counts = read(b"births\n1,200\n2,500\n", decimal=".").content.counts
    assert counts is not None
    assert counts.tolist() == [1200, 2500]


def test_a_long_series_fits_no_link():
    reading = read(b"7\n" * 101)
    assert (reading.link_text, bool(reading.unlinkable)) == ("", True)


def test_the_trial_is_of_the_own_series():
    result = found_by("series", **OWN, totals="window", window="2")
    assert result.trial is not None
    assert result.trial["truth"].tolist() == [120, 270, 351, 601]
    exhibit = section.trial(result, LIGHT)
    assert exhibit is not None
    assert exhibit.confidential == CONFIDENTIAL_RELEASE
    off = section.trial_errors(result, LIGHT)
    assert off is not None
    assert off.confidential == CONFIDENTIAL_RELEASE
    invented = section.trial(found_by("series"), LIGHT)
    assert invented is not None
    assert invented.confidential == ""


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"length": "3"}, "Your series has 4 months, and T is 3: the first 3 months are drawn."),
        ({"publication": "once"}, "Your series has 4 months. All at the end, nothing appears before all 36 months"),
        ({"own": "none"}, "Your own series is missing: the link does not contain it."),
        ({}, ""),
    ],
)
def test_what_of_an_own_series_is_not_drawn_is_said(link, words):
    result = found_by("series", **OWN | link)
    found = section.own_series_text(result)
    assert found.startswith(words)
    assert bool(found) == bool(words)
    is_drawn = link.keys() <= {"length"}
    for draw in (section.trial, section.trial_errors):
        assert (draw(result, LIGHT) is not None) == is_drawn
    assert (result.trial is not None) == is_drawn
    assert section.own_series_text(found_by("series")) == ""


def with_series(content=SECRET, **link):
    app = open_page(SERIES.script, **link)
    app.session_state.own_series_box = True
    app.run()
    app.text_area(key="series_pasted").set_value(content).run()
    return app


def test_a_pasted_series_asks_for_the_conditions_and_stays_out_of_the_link():
    app = with_series()
    assert "Two questions before the answer." in text_of(app)
    ask(app, set={"contribution": "once", "fixed": "yes"})
    assert (link_of(app)["series"], link_of(app)["own"]) == ("own", "none")
    assert not any(number in stage_of(app)["link"] for number in SECRET.split())
    (trial,) = [part for part in parts_of(app) if part.get("name") == "trial"]
    assert trial["confidential"]
    assert "3 periods with a number" in text_of(app)
    app.button(key="series_include").click().run()
    assert link_of(app)["own"] == "48123;51777;60911"
    app.button(key="series_away").click().run()
    assert (link_of(app)["series"], link_of(app)["own"]) == ("invented", "none")


def test_a_pasted_text_that_is_no_series_is_answered_by_a_sentence():
    app = with_series("birds\nmany\n")
    assert "can’t be read" in text_of(app)
    assert "no column holds numbers" in text_of(app)


def test_the_fields_for_an_own_series_stand_where_the_trial_is():
    app = open_page(SERIES.script, section="ranges")
    assert not any(box.key == "series_pasted" for box in app.text_area)
    assert not any("Use your own series" in str(element.label) for element in app.expander)


def test_the_statements_have_the_numbers_of_the_page_and_nothing_of_an_own_series():
    result = found_by("series", **OWN | {"own": "73131;84242"})
    stated = series_statements(result)
    assert "±16.84" in stated.paper
    assert "σ = 4.225" in stated.experts
    assert "over all 36 months together" in stated.public
    assert not any(number in " ".join(stated.by_length.values()) for number in ("73131", "84242", "73,131"))
    ranges = range_statements(found_by("series", section="ranges", n_cells="16"))
    size = linear_queries.half_widths(linear_queries.error("ranges", "normalized_square_root", 16), 1, 1e-6).max()
    assert f"±{np.ceil(size * 100) / 100:.2f}" in ranges.paper
    assert "16 cells in their order" in ranges.public


def test_the_map_says_from_which_k_on_noisy_periods_are_best():
    result = found_by("series")
    words = text.map_alternative_text(result)
    frame = result.over_time.best_methods
    last = frame[(frame["length"] == 128) & (frame["method"] == "per_period")]
    assert words.endswith(f"from k = {last['in_periods'].min()} on noise in each period.")
    assert (frame["times"].dropna() >= 1 - 1e-9).all()
    assert frame["method"].isna().sum() == (frame["in_periods"] > frame["length"]).sum()


def test_a_limit_is_stated_by_the_same_button_as_for_a_table_before_the_answer():
    def asked(**link):
        return series_conditions(found_by("series", section="time", **{**OWN, "contribution": "limited", **link}))

    assert "Enter the whole limit" in asked().request[1]
    entering = asked(contribution="entering", in_periods="3")
    done = entering.questions[0].done
    assert done is not None
    assert (done.text, done.name) == ("limited", "That is the whole limit")
    assert asked(in_periods="3").questions == ()
    used = read_link("series", section="time", **{**OWN, "contribution": "limited"})[0]["contribution"].used
    assert used == "entering"
    assert read_link("series", section="time", contribution="limited")[0]["contribution"].used == "limited"
