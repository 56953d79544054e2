"""The items of a report as text: what is written is read again, and what can't be read is left out with a sentence."""

import re
from urllib.parse import parse_qsl, quote, urlsplit

import numpy as np
import pytest

from pages.framework.export.exhibit import MAX_ITEMS, MAX_NOTE, MAX_TEXT, Item, read_item
from pages.framework.export.report_items import rebuild, report_item
from pages.framework.layout.page import load_page
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.parameter import PartlyUsableError
from pages.report.parameters import ITEMS, NOTES
from pages.report.results import ReportResult
from pages.shared import site_map

SHOWN = [page for page in site_map.PAGES if page != site_map.REPORT]
SERIES = "answer", "over_time", "trial"
LETTERS = "aÅε/?#&=%~+;,!*'\"<>\\|. 表😀"


def words(rng):
    return "".join(rng.choice(list(LETTERS), 8)).strip()


def random_item(rng):
    entries = tuple((words(rng) or "a", words(rng)) for _ in range(rng.integers(3)))
    token = str(rng.choice(["", "0123456789abcdef"]))
    return Item(SHOWN[rng.integers(len(SHOWN))], str(rng.choice(["answer", "map_2"])), entries, words(rng), token)


def left_out(entry):
    with pytest.raises(PartlyUsableError) as mended:
        ITEMS.read(entry)
    return mended.value.problems, ITEMS.read(mended.value.entry)


@pytest.mark.parametrize("seed", range(40))
def test_every_item_is_read_as_it_was_written_even_from_within_a_link(seed):
    rng = np.random.default_rng(seed)
    items = tuple(random_item(rng) for _ in range(rng.integers(5)))
    assert ITEMS.read("~".join(item.text() for item in items)) == items
    linked = tuple(item for item in items if not item.session_token)
    link = urlsplit(ReportResult("A title", "", items).link)
    parameters = dict(parse_qsl(link.query, keep_blank_values=True))
    assert (link.query != "") == bool(linked)
    if linked:
        assert (parameters["title"], ITEMS.read(parameters["items"])) == ("A title", linked)


def test_an_item_has_the_parameters_that_are_not_the_default_and_none_of_appearance():
    own = (*COMMON_PARAMETERS, *load_page(site_map.TABLES).parameters)
    used = {field.key: field.default for field in own}
    item = report_item(site_map.TABLES, "cells", own, used | {"per_person": "2", "present": "on", "picture": "pdf"})
    assert item.text() == "Tables/cells?per_person=2"
    assert report_item(site_map.START, "answer", own, used).text() == "/answer"


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("ratio", "ratio is not of the form page/exhibit?parameters."),
        ("Nothing/ratio", "Its page must be one of Accuracy, Tables, "),
        ("Report/answer", "Report was given."),
        ("Gaussian_bounds/../../etc", "is not of the form page/exhibit?parameters."),
        ("Gaussian_bounds/<script>", "Gaussian_bounds/<script> is not of the form page/exhibit?parameters."),
        (f"Gaussian_bounds/ratio#{'a' * (MAX_NOTE + 1)}", "Its note must be at most 300 printable characters."),
        ("Gaussian_bounds/ratio#%E2%80%AEabc", "Its note must be at most 300 printable characters."),
    ],
)
def test_an_item_that_cant_be_read_is_left_out_with_a_sentence_and_the_others_stay(entry, sentence):
    (problem,), items = left_out(f"Tables/answer~{entry}~Tables/cells")
    assert problem.startswith("Item 2: ")
    assert sentence in problem
    assert problem.endswith(" It is left out.")
    assert [item.name for item in items] == ["answer", "cells"]


def test_more_items_than_a_report_has_and_a_longer_list_than_a_link_may_have_are_named():
    (problem,), items = left_out("~".join(["Tables/answer"] * (MAX_ITEMS + 3)))
    assert problem == "The link lists 27 items; only the first 24 are shown."
    assert len(items) == MAX_ITEMS
    long = f"Tables/answer?own={quote('a=1;' * 250)}"
    problems, items = left_out("~".join([long] * 5))
    assert problems == [
        f"Item {place}: The items have {MAX_TEXT:,} characters at most. It is left out." for place in (4, 5)
    ]
    assert len(items) == 3


def test_a_note_changes_nothing_that_is_shown():
    plain, noted = read_item("Tables/cells?epsilon=2"), read_item("Tables/cells?epsilon=2#Mine")
    assert (noted.note, noted.unnoted) == ("Mine", plain)


def test_notes_may_have_lines_and_nothing_else_that_cant_be_printed():
    assert NOTES.read("one\ntwo ") == "one\ntwo"
    assert NOTES.read("") == ""
    for bad in ("a\tb", "a\u202eb", "a" * 1501):
        with pytest.raises(ValueError, match=r"^a"):
            NOTES.read(bad)


def test_a_table_of_my_table_is_called_a_table_once():
    entries = (("section", "table"), ("contribution", "once"), ("fixed", "yes"))
    assert rebuild(Item(site_map.TABLES, "cells_table", entries)).heading == "My table"


@pytest.mark.parametrize("series", ["invented", "own"])
def test_a_report_has_no_text_that_sends_its_reader_to_a_box_of_the_page(series):
    item = Item(site_map.SERIES, "over_time", (("section", "time"), ("series", series)))
    rebuilt = rebuild(item)
    texts = (*rebuilt.words, rebuilt.steps)
    assert any("What to do" in text for text in texts)
    assert not any("](#" in text or "is missing" in text for text in texts)


def test_the_settings_of_an_item_have_no_fields_of_another_exhibit_in_a_fold():
    settings = {name: dict(rebuild(Item(site_map.SERIES, name, (("section", "time"),))).parameters) for name in SERIES}
    seed, periods = "Seed of what is random", "Periods in the series, T"
    assert [seed in settings[name] for name in SERIES] == [False, False, True]
    assert all(periods in settings[name] for name in SERIES)


def test_a_setting_is_listed_as_it_is_used_and_not_where_it_is_solved_for():
    def settings(page, name, **entries):
        return dict(rebuild(Item(page, name, tuple(entries.items()))).parameters)

    appear = settings(site_map.TABLES, "over_size", section="appear", threshold="20", epsilon="0.5")
    (threshold,) = (text for name, text in appear.items() if name.startswith("Threshold"))
    found = re.fullmatch(r"(\d+) \(20 was entered\)", threshold)
    assert found is not None
    assert int(found[1]) > 20
    solved = {"section": "training", "epochs": "15", "noise_multiplier": "3", "batch": "512"}
    for solve, label in (("steps", "Epochs"), ("noise", "Noise multiplier"), ("rate", "Expected batch size")):
        for view in ("steps", "batching"):
            listed = settings(site_map.COMPOSITION, "answer", **solved, solve=solve, training_view=view)
            assert not [name for name in listed if name.startswith(label)], listed
    for page, entries in (
        (site_map.PLAN, {"direction": "errors"}),
        (site_map.ACCURACY, {"known": "accuracy"}),
        (site_map.SURVEY, {"known": "accuracy"}),
    ):
        assert not [name for name in settings(page, "answer", epsilon="2.5", **entries) if "loss" in name]
