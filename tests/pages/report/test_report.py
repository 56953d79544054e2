"""A report of a link: what its items show, its files, and what strangers' words can do in them."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from urllib.parse import quote
from zipfile import ZipFile

import pandas as pd
import pytest

import dpcore
from pages.framework import link as links
from pages.framework.export import report_items
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, read_item
from pages.framework.export.exhibit_files import csv_text
from pages.framework.export.report_items import DATA_LOST, item_to_add, readings_of, rebuild, rebuild_from
from pages.framework.layout.page import Page, PageView, load_page
from pages.framework.layout.section import ReportEntry, exhibits_in
from pages.framework.rendering.uploaded_files import UploadedFiles
from pages.framework.session.tab_copies import split_item
from pages.framework.site import site
from pages.report import document, results, text
from pages.report import page as report_page
from pages.report.parameters import ITEMS
from pages.shared import site_map
from pages.shared.counts.table import Counts, Upload
from tests.pages.conftest import LIGHT, ask, exhibits_by_name, found_by, open_page, read_link, stage_of, text_of
from tests.pages.conftest import title_of as drawn_title

LIST = "Gaussian_bounds/ratio?epsilon=10&delta=1e-5~Gaussian_bounds/bounds?epsilon=10&delta=1e-5#Mine~Tables/answer"
ADDRESS, DAY = "https://dp.example.org/app", "2026-11-22"
RATIO = drawn_title("gaussian_bounds", "ratio")
EVIL = "<img src=https://x.example/a onerror=alert(1)></script><script>alert(2)</script>=1+1"


def report(items=LIST, title="What we guarantee", notes=""):
    return results.ReportResult(title, notes, ITEMS.read(items))


def quoted(words):
    return quote(words, safe="")


class Tags(HTMLParser):
    """What a browser makes of a file: its tags with their attributes, and its words."""

    def __init__(self, markup):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)


def every_answer():
    """Return the answer of each section of each page, as items."""
    for page in site_map.PAGES:
        topic = load_page(page)
        for section in topic.section_by_key if page != site_map.REPORT else ():
            yield f"{page.path}/answer" + (f"?section={section}" if len(topic.sections) > 1 else "")


def drawn_once(topic: Page) -> Page:
    """Return a page that computes a result once for the same values,
    and makes the parts of each section once for it.
    """
    results, parts = {}, {}

    def compute(values):
        key = repr(values)
        if key not in results:
            results[key] = topic.compute(values)
        return results[key]

    def with_kept_parts(section):
        def parts_of(result, colours):
            key = section.key, id(result)  # each result is kept
            if key not in parts:
                parts[key] = tuple(section.parts(result, colours))
            return parts[key]

        return replace(section, parts=parts_of)

    return replace(topic, compute=compute, sections=[with_kept_parts(section) for section in topic.sections])


@pytest.mark.parametrize("entry", [*every_answer()])
def test_the_answer_of_every_section_is_rebuilt_with_its_parameters_and_how_it_is_computed(entry):
    item = rebuild(read_item(entry))
    assert item.problems == ()
    assert item.answer
    assert item.answer[0]
    assert item.link.startswith(f"/{item.item.page.path}?epsilon=1&")
    section = dict(item.item.entries).get("section", "")
    assert item.source.split(": ")[0] == site().menu_entry(item.item.page, section).name
    html = "".join(text.html(word) for word in item.words)
    assert html or not item.item.page.topic  # all but the start page say how they compute
    assert "$" not in re.sub(r"<[^>]*>", "", html)  # every formula is set
    assert not re.search(r"\\[a-z]{2,}", re.sub(r"<[^>]*>", "", html))
    names = [name for name, _ in item.parameters]
    assert len(set(names)) == len(names)


def test_the_pinned_setting_of_an_item_is_stated_by_what_differs_in_words():
    pins = {
        "epsilon=2&delta=1e-6&error=each&per_person=3": "Privacy loss parameter ε 2, error bound One cell",
        "epsilon=1&per_person=3": "the same",
        "2,1e-6,1,0.05": "2,1e-6,1,0.05",  # of an older link
    }
    for pin, words in pins.items():
        item = rebuild(read_item(f"Tables/answer?per_person=3&pinned={quoted(pin)}"))
        assert dict(item.parameters)["pinned setting"] == words


def test_a_page_and_its_report_item_have_the_same_numbers_and_the_same_link():
    app = ask(open_page("pages/1_Gaussian_bounds.py", epsilon="10", delta="1e-5"), add="bounds")
    ((_, body),) = stage_of(app)["others"]
    answer = json.loads(body)
    assert answer["item"].startswith("Gaussian_bounds/bounds?epsilon=10&delta=1e-5")
    item = rebuild(read_item(answer["item"]))
    table = exhibits_by_name(found_by("gaussian_bounds", epsilon="10", delta="1e-5"), "gaussian_bounds")["bounds"]
    assert item.exhibit is not None
    assert csv_text(item.exhibit, "/", DAY) == csv_text(table, "/", DAY)
    assert item.link == stage_of(app)["link"]
    assert "its σ = 0.4845 gives δ = 2.266e-5, not 1e-5" in item.answer[1]


@pytest.mark.parametrize(
    "page", [entry for entry in site_map.PAGES if entry != site_map.REPORT], ids=lambda entry: entry.name
)
def test_everything_that_a_page_shows_can_be_added_since_its_item_alone_rebuilds_the_same(page, monkeypatch):
    topic, rebuilding = drawn_once(load_page(page)), drawn_once(load_page(page))
    monkeypatch.setattr(report_items, "load_page", lambda _: rebuilding)
    for section in topic.section_by_key:
        _, read, _ = readings_of(page, {"section": [section], "epsilon": ["1.3"]})
        view = PageView(topic, read, "light")
        parts = topic.section_by_key[section].parts(view.result, LIGHT)
        for exhibit in (None, *exhibits_in(parts)):
            name = exhibit.name if exhibit else "answer"
            answer = json.loads(item_to_add(view, name))
            assert answer["item"].partition("?")[0] == f"{quote(page.path)}/{name}", (section, answer)
            assert answer["is_rebuilt"], (section, answer)


@pytest.mark.parametrize("name", ["cells", "answer"])
def test_an_item_of_an_uploaded_table_is_rebuilt_from_the_uploads_and_from_nothing_else(name):
    answers = {"contribution": "once", "fixed": "yes"}
    topic, (read, problems) = load_page(site_map.TABLES), read_link("tables", table="own", section="table", **answers)
    assert problems == []
    table = Counts(pd.DataFrame({"cell": [f"c{place}" for place in range(70)], "count": range(70)}), "mine.csv")
    result = topic.compute(links.values(read), Upload(table))
    view = PageView(topic, read, "light", UploadedFiles("a", (Upload(table),)))
    light = None if name == "answer" else view.exhibit(name, "light")
    answer = json.loads(item_to_add(view, name))
    assert answer["is_rebuilt"] is False
    item, data = split_item(read_item(answer["item"]), UploadedFiles("a", (Upload(table),)))
    own = rebuild_from(replace(item, session_token="0" * 16), data)
    assert (own.answer, own.link, own.problems) == (topic.answer_text(result), "", ())
    assert (
        own.exhibit is None if light is None else own.exhibit is not None and csv_text(own.exhibit) == csv_text(light)
    )


def test_an_item_of_data_that_this_session_does_not_have_says_so_and_shows_nothing():
    item = rebuild(read_item(f"Tables/cells@{'0' * 16}?table=own"))
    assert (item.exhibit, item.answer, item.link, item.problems) == (None, (), "", (DATA_LOST,))
    page = Tags(document.document(report(f"Tables/cells@{'0' * 16}?table=own~Tables/answer"), ADDRESS, DAY))
    assert f"! {DATA_LOST}" in page.words
    targets = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert f"{ADDRESS}/Report?title=What%20we%20guarantee&notes=&items=Tables%2Fanswer" in targets


def test_the_page_says_before_a_reload_which_items_it_would_lose_and_after_it_which_are_lost():
    items = ITEMS.read(f"Tables/answer~Tables/cells@{'0' * 16}?table=own~Tables/cells@{'1' * 16}?table=own")
    exact = {"": "", items[1].session_token: CONFIDENTIAL_FIGURES, items[2].session_token: CONFIDENTIAL_FIGURES}
    answer = rebuild(items[0])
    rebuilt = {item: replace(answer, item=item, confidential=exact[item.session_token]) for item in items}
    before = results.ReportResult("", "", items, results.RebuiltItems(rebuilt))
    assert text.answer_text(before)[1] == (
        "Items 2 and 3 are made from your own data, of which the report has a copy until you reload or close this tab: "
        "save its files before that."
    )
    kept = replace(before, rebuilt=results.RebuiltItems(rebuilt, is_kept=True))
    assert "has a copy until you close this tab" in text.answer_text(kept)[1]
    lost = results.ReportResult("", "", items, results.RebuiltItems(rebuilt | {items[2]: rebuild(items[2])}))
    assert text.answer_text(lost)[1].startswith("Item 3 was made from own data that this tab does not have")
    page = document.document(before, ADDRESS, DAY, "")
    assert [page.count(sentence) for sentence in (text.SESSION_DATA, CONFIDENTIAL_FIGURES)] == [2, 2]
    assert text.SESSION_DATA not in document.document(report(f"Tables/cells@{'0' * 16}?table=own"), ADDRESS, DAY, "")


def test_the_common_parts_of_items_stand_in_the_file_once():
    content = report("Tables/answer~Tables/noise_persons~Tables/mechanisms~Tables/cells_table?section=table")
    page = document.document(content, ADDRESS, DAY, "")
    assert [page.count(f'{text.SAME_SETTING} <a href="#item-{place}">') for place in (1, 2, 3, 4)] == [2, 0, 0, 0]
    answers = [item.answer for item in content.rebuilt_items if item is not None]
    second, fourth = (text.html(answers[place][1]) for place in (0, 3))
    assert [page.count(sentence) for sentence in (second, fourth)] == [1, 1]
    assert page.count("<strong>Staircase</strong>") == 1
    assert page.count("<b>0.95</b>") == 2  # the confidence, for each of two sections


def test_an_item_has_its_answer_then_its_picture_then_conditions_and_numbers():
    page = document.document(report("Tables/noise_persons?epsilon=2"), ADDRESS, DAY, "")
    marks = (
        'class="said lead"',
        "Use geometric noise",
        'data-figure="0"',
        "Holds only if",
        'class="appendix"',
        "Settings of item",
        'class="parameters"',
    )
    places = [page.index(mark, page.index("<main>")) for mark in marks]
    assert places == sorted(places)
    without = document.document(replace(report("Tables/noise_persons?epsilon=2"), appendix="without"), ADDRESS, DAY, "")
    assert without.index("Holds only if") < without.index('class="parameters"')


def test_the_appendix_of_a_report_can_be_left_out_and_its_link_says_so():
    content = replace(report(), appendix="without")
    page, with_appendix = (document.document(each, ADDRESS, DAY, "") for each in (content, report()))
    assert ["Balle &amp; Wang 2018" in each for each in (page, with_appendix)] == [False, True]
    assert ['class="appendix"' in each for each in (page, with_appendix)] == [False, True]
    assert ["appendix=without" in each.link for each in (content, report())] == [True, False]


def test_a_long_table_has_small_type_and_a_longer_one_its_first_rows_with_a_note():
    rows = ["<tr><th>a</th><td>1</td></tr>"] * 150
    table, n_rows = text.shortened(f"<table><tbody>{''.join(rows)}</tbody></table>")
    assert (table.count("<tr>"), table.count("</tr>"), n_rows) == (text.MAX_ROWS, text.MAX_ROWS, 150)
    assert table.endswith("</tbody></table>")
    assert "first 100 of 150 rows" in text.shortened_table_text(n_rows)
    assert text.shortened_table_text(text.MAX_ROWS) == ""
    page = document.document(report("Tables/cells_table?section=table~Tables/mechanisms"), ADDRESS, DAY, "")
    assert page.count('<div class="shown long">') == 1


def test_a_missing_exhibit_leaves_a_sentence_in_its_place():
    item = rebuild(read_item("Gaussian_bounds/nope?epsilon=x&foo=1"))
    assert item.exhibit is None
    assert item.problems == (
        "ε must be from 0 to 1e6; x was given, which is not a number. 1 is used instead.",
        "This page has no parameter foo; the link’s value for it is left out.",
        "Its page has nothing named nope at this setting.",
    )
    page = Tags(document.document(report("Gaussian_bounds/nope?epsilon=x"), "", DAY))
    assert "! Its page has nothing named nope at this setting." in page.words


def test_the_file_has_every_item_with_all_that_it_needs_to_be_cited():
    content = report()
    page = document.document(content, ADDRESS, DAY, "")
    words_in = "".join(Tags(page).words)
    for item in filter(None, content.rebuilt_items):
        assert f'href="{ADDRESS}{item.link}"'.replace("&", "&amp;") in page
    assert page.count(f"DP Trade-off Explorer {dpcore.__version__}, {DAY}") == 2  # its head, each sheet
    for words_of in (RATIO, "gives δ = 2.266e-5, not 1e-5.", "✗ FAILS"):
        assert words_of in words_in
    assert '<p class="note">Mine</p>' in page
    for words_of in (
        "Privacy loss parameter ε",
        "Balle & Wang 2018, Theorem 8",
        "Open in the Explorer",
        "What we guarantee",
    ):
        assert words_of in words_in
    assert f'href="{ADDRESS}{content.link}"'.replace("&", "&amp;") in page
    assert not re.search(r"%[0-9A-F]{2}|[?&][a-z_]+=", words_in.partition('{"data"')[0])  # links are words


def test_a_file_loads_nothing_and_contains_the_words_of_strangers_letter_by_letter():
    curves = f"curves?curves=gdp%3A1%40blue%3D{quoted(EVIL)}#{quoted(EVIL)}"
    hostile = f"Trade-off_curves/{curves}~Accuracy/answer?unit={quoted('<b>x</b>')}"
    item = report(hostile, EVIL, f"{EVIL}\n[a](https://x.example) ![b](https://x.example/c.png) `d`")
    page = Tags(document.document(item, "", DAY, ""))
    assert [tag for tag, _ in page.tags if tag in ("img", "iframe", "link", "object", "form", "base", "svg")] == []
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert len(scripts) == 3  # Plotly's, the report's own, and the numbers of one chart
    assert [attributes for _, attributes in page.tags if {"src", "onerror", "onclick"} & set(attributes)] == []
    targets = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    assert [target for target in targets if not target.startswith("#")] == []  # no server: links are text
    assert EVIL in page.words[page.words.index(EVIL) :]
    (policy,) = [
        values["content"] for tag, values in page.tags if values.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy.partition("style-src")[0]


@pytest.mark.parametrize(
    ("address_of_request", "address"),
    [
        ("https://dp.example.org/app/", "https://dp.example.org/app"),
        ("http://127.0.0.1:8501", "http://127.0.0.1:8501"),
        ("http://[::1]:8501/a%20b", ""),
        ("javascript:alert(1)", ""),
        ("https://user:word@x.example", ""),
        ('https://x.example/"><script>', ""),
        ("//x.example", ""),
        ("", ""),
    ],
)
def test_links_lead_to_where_the_app_is_or_are_text(address_of_request, address):
    assert document.address_of(address_of_request) == address


def test_words_of_a_page_are_set_without_pictures_foreign_links_or_raw_tags():
    html = text.html(r"**σ** of \$5, $\sigma\le\frac12$ [x](javascript:a) [y](https://a.example) [z](./Tables?p=1)")
    assert "<strong>σ</strong> of $5" in html
    assert "<mfrac>" in html
    assert "<a" not in html
    assert "y (https://a.example) z" in html
    assert '<a href="https://h/Tables?p=1">z</a>' in text.html("[z](./Tables?p=1)", "https://h")
    assert text.html("![a](https://x.example/b.png) <img src=x>").count("<") == 2
    assert text.mathml(r"\left(a") == r"<code>\left(a</code>"


def test_the_zip_has_the_numbers_of_every_exhibit_under_safe_names_and_what_the_report_says():
    item = report(f"{LIST}~Accuracy/mechanisms?unit={quoted('=x()')}", "=HYPERLINK(1)", "Notes")
    with ZipFile(BytesIO(report_page.archive(item, ADDRESS, DAY))) as archive:
        names = archive.namelist()
        first = archive.read(names[1]).decode()
        answer = archive.read("report.txt").decode()
    assert names == [
        "report.txt",
        "01_Gaussian_bounds_ratio.csv",
        "02_Gaussian_bounds_bounds.csv",
        "04_Accuracy_mechanisms.csv",
    ]
    assert first.splitlines()[0].startswith(f"# link: {ADDRESS}/Gaussian_bounds?epsilon=10&delta=1e-5&")
    assert next(csv.reader(line for line in first.splitlines() if not line.startswith("#")))[:2] == ["bound", "epsilon"]
    for part in ("=HYPERLINK(1)\n", "Mine\n", "the analytic Gaussian requires σ = 0.4999.", f"{ADDRESS}/Report?title="):
        assert part in answer


def test_items_are_made_until_the_time_of_a_link_is_over_and_then_on_request():
    missing = ITEMS.read("Tables/answer~Accuracy/answer~Tables/cells")
    item, shares = {}, []
    assert not results.rebuild_missing(dict.fromkeys(missing), -1.0, 0, item.__setitem__, shares.append, "me")
    assert (item, shares) == ({}, [0.0])
    assert not results.rebuild_missing(dict.fromkeys(missing), 60.0, 0, item.__setitem__, shares.append, "me")
    assert list(item) == list(missing)
    assert shares[-1] == 1.0
    half = results.ReportResult("", "", missing, results.RebuiltItems({missing[0]: item[missing[0]]}))
    assert half.missing == missing[1:]
    assert text.continue_label(half) == "Compute the remaining 2 items"


def test_items_that_are_too_large_together_are_refused_with_a_sentence():
    missing = ITEMS.read("Tables/answer~Generalized_Gaussian/best_map?section=best")
    item = {}
    nearly, items = results.MAX_BYTES - 100_000, dict.fromkeys(missing)
    assert results.rebuild_missing(items, 60.0, nearly, item.__setitem__, lambda _: None, "me")
    assert list(item) == [missing[0]]
    full = results.ReportResult("", "", missing, results.RebuiltItems(item, is_full=True))
    last = list(load_page(site_map.REPORT).section_by_key["report"].parts(full, {}))[-1]
    assert isinstance(last, ReportEntry)
    assert last.parts == (text.TOO_LARGE,)


def test_the_page_of_a_report_shows_every_item_still_and_in_the_colours_of_paper():
    app = open_page("pages/9_Report.py", items=LIST, title="What we guarantee")
    stage = stage_of(app)
    assert stage["answer"][0] == "<p>What we guarantee: 3 items from 2 pages.</p>\n"
    items = [part for part in stage["parts"] if part["kind"] == "item"]
    assert [(item["place"], item["heading"], item["note"]) for item in items] == [
        (0, RATIO, ""),
        (1, "Which bound, table", "Mine"),
        (2, items[2]["heading"], ""),
    ]
    (chart,) = (part for part in items[0]["parts"] if part["kind"] == "chart")
    assert (chart["marks"], chart["picks"]) == ([], ["", ""])
    assert chart["name"] == "01_Gaussian_bounds_ratio"
    assert chart["figure"]["layout"]["font"]["color"] == "#1B1F24"
    assert "the classical formula fails here" in str(items[0]["parts"])


def test_an_empty_report_says_how_to_fill_it_and_has_no_files():
    app = open_page("pages/9_Report.py")
    assert "This report has no items yet." in text_of(app)
    assert stage_of(app)["parts"] == [{"kind": "files", "names": [], "missing": ""}]


def test_the_browser_gets_the_files_of_a_report_when_it_asks_for_them():
    app = ask(open_page("pages/9_Report.py", items="Tables/answer"), file="report.html", at=ADDRESS, plotly=True)
    (script, plotly), (page, body) = stage_of(app)["others"]
    assert (script, page) == (["plotly"], ["file", "report.html"])
    assert document.PLOTLY in body.decode()
    assert f"{ADDRESS}/Tables?" in body.decode()
    assert len(plotly) > 1_000_000
    assert stage_of(ask(app, file="../secret", at=ADDRESS))["others"] == []
