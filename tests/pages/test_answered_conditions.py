"""A condition that was answered on one page, or for one subject of a page, is answered for nothing else.

It is confirmed for the sentence that was confirmed, which the session keeps with the answer: where the setting changes
the sentence, the answer is withdrawn, and what was a limit is one that is being entered. An answer that stands in a
link is one for the setting of that link.
"""

from itertools import product

import pytest

from pages.framework.layout.page import load_page
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.site_map import PAGES
from tests.pages.conftest import ROOT, ask, enter, link_of, open_page, stage_of, text_of

DEFAULTS = {parameter.key: parameter.default for parameter in CONDITION_PARAMETERS}
ANSWERS = [
    dict(zip(DEFAULTS, choices, strict=True))
    for choices in product(("once", "unlimited"), ("yes", "some", "no"), ("office", "people"), ("none", "some"))
]
SUBJECTS = [
    (entry, section)
    for entry in PAGES
    for page in [load_page(entry)]
    if DEFAULTS.keys() <= {parameter.key for parameter in page.own_parameters}
    for section in {section.subject: section.key for section in reversed(page.sections)}.values()
]


def go(app, page, section):
    """Go to a page by a link without its section and conditions, and there to the section."""
    app.switch_page(str(ROOT / page.script)).run()
    return ask(app, set={"section": section})


def answers(app):
    link = link_of(app)
    return {key: link[key] for key in DEFAULTS}


def test_there_are_pages_with_conditions_and_pages_with_several_subjects():
    pages = [page for page, _ in SUBJECTS]
    assert len(set(pages)) >= 10
    assert len(pages) > len(set(pages))


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_answered_on_one_page_is_open_on_every_other_and_still_answered_on_its_own(order):
    subjects = SUBJECTS[::order]
    app = open_page()
    for (page, section), own in zip(subjects, ANSWERS, strict=False):
        assert answers(go(app, page, section)) == DEFAULTS, (page.name, section)
        assert answers(ask(app, set=own)) == own
    for (page, section), own in zip(subjects, ANSWERS, strict=False):
        assert answers(go(app, page, section)) == own, (page.name, section)


def test_a_link_says_what_is_answered_where_it_leads_to_another_subject():
    app = open_page("pages/14_Clipping.py", section="sum", contribution="once")
    ask(app, link="?section=contributions&fixed=yes")
    assert answers(app) == DEFAULTS | {"fixed": "yes"}
    ask(app, link="?section=sum")
    assert answers(app) == DEFAULTS | {"contribution": "once"}


def states(app):
    return {item["key"]: item["state"] for item in stage_of(app)["conditions"]["items"]}


CHANGED = "A condition that you confirmed has changed with the setting: confirm it again."
LIMITS = {"contribution": "limited", "per_person": "6"}


@pytest.mark.parametrize(
    ("page", "link", "edit"),
    [
        ("pages/6_Tables.py", LIMITS, ("per_person", "12")),
        ("pages/6_Tables.py", LIMITS, ("per_cell", "2")),
        (
            "pages/17_A_series.py",
            {"section": "time", "contribution": "limited", "in_periods": "6"},
            ("in_periods", "2"),
        ),
    ],
)
def test_a_confirmed_limit_that_changes_is_asked_again_and_the_rest_stays_confirmed(page, link, edit):
    app = open_page(page, **link | {"contribution": "limited", "fixed": "yes", "others": "none"})
    before = states(app)
    assert [before[key] for key in ("contribution", "fixed", "others")] == ["confirmed"] * 3
    enter(app, "epsilon", "2")
    assert states(app) == before
    enter(app, *edit)
    assert states(app) == before | {"contribution": "assumed"}
    assert answers(app)["contribution"] == "entering"
    assert CHANGED in stage_of(app)["notices"]
    enter(app, "contribution", "limited")
    assert states(app) == before
    assert CHANGED not in stage_of(app)["notices"]


def test_a_link_that_answers_is_one_for_its_own_setting_and_a_denial_stays():
    app = open_page("pages/6_Tables.py", **LIMITS)
    ask(app, link="?per_person=9&contribution=limited")
    assert states(app)["contribution"] == "confirmed"
    ask(app, link="?per_person=10")
    assert states(app)["contribution"] == "assumed"
    enter(app, "contribution", "unlimited")
    enter(app, "per_person", "3")
    assert states(app)["contribution"] == "denied"


def test_the_links_of_tabs_leave_out_what_was_answered_for_another_subject():
    app = open_page("pages/16_A_median.py", contribution="once")
    left_out = {key: names for _, key, _, names in stage_of(app)["tabs"]}
    assert left_out == {"quantile": [], "several": [], "largest": sorted(DEFAULTS)}


def test_a_number_names_the_page_on_which_it_was_changed_last_and_what_it_was_here():
    app = open_page("pages/6_Tables.py", per_person="4")
    assert stage_of(app)["carried"] == {}
    app.switch_page(str(ROOT / "pages/13_Plan.py")).run()
    enter(app, "epsilon", "3")
    app.switch_page(str(ROOT / "pages/9_Report.py")).run()
    app.switch_page(str(ROOT / "pages/6_Tables.py")).run()
    assert stage_of(app)["carried"] == {"epsilon": ["Several statistics", "1"]}
    enter(app, "epsilon", "2")
    assert stage_of(app)["carried"] == {}
    app.switch_page(str(ROOT / "pages/17_A_series.py")).run()
    assert {"epsilon": ["A table", ""], "per_person": ["A table", ""]}.items() >= stage_of(app)["carried"].items()
    assert "epsilon" in stage_of(app)["carried"]


def follow(app, page, **entries):
    """Follow a link to a page."""
    app.switch_page(str(ROOT / page))
    app.query_params.clear()
    for key, entry in entries.items():
        app.query_params[key] = entry
    return app.run()


def test_what_a_link_shows_aside_changes_no_setting_of_another_page():
    app = open_page("pages/13_Plan.py", epsilon="5", direction="total")
    aside = stage_of(follow(app, "pages/5_Accuracy.py", epsilon="0.37", query="mean", aside="on"))
    assert (aside["aside"], link_of(app)["epsilon"], link_of(app)["aside"]) == (True, "0.37", "on")
    assert "aside" not in aside["shortLink"]
    enter(app, "delta", "1e-9")
    plan = stage_of(follow(app, "pages/13_Plan.py"))
    link = link_of(app)
    assert (link["epsilon"], link["delta"], link["direction"], "aside" in link) == ("5", "1e-6", "total", False)
    assert (plan["carried"], plan["aside"]) == ({}, False)
    follow(app, "pages/5_Accuracy.py")
    assert (link_of(app)["epsilon"], link_of(app)["query"]) == ("5", "count")


def test_months_and_cells_have_each_their_own_limit_noise_and_answers():
    app, keys = open_page("pages/17_A_series.py"), ("in_periods", "series_noise", "contribution")

    def used():
        return tuple(link_of(app)[key] for key in keys)

    ask(app, set=dict(zip(keys, of_months := ("6", "gaussian", "limited"), strict=True)))
    ask(app, set={"section": "ranges"})
    assert used() == ("1", "gaussian", "unknown")
    ask(app, set=dict(zip(keys, of_cells := ("2", "geometric", "once"), strict=True)))
    ask(app, set={"section": "time"})
    assert used() == of_months
    ask(app, link="?section=ranges&in_periods=6")
    assert used() == ("6", *of_cells[1:])


def test_a_confirmed_limit_that_changes_on_another_page_is_asked_again():
    app = open_page("pages/6_Tables.py", **LIMITS)
    enter(follow(app, "pages/17_A_series.py"), "per_cell", "3")
    assert states(follow(app, "pages/6_Tables.py"))["contribution"] == "assumed"


def test_a_changed_limit_of_an_own_table_is_confirmed_again_before_there_is_an_answer():
    own = {"table": "own", "own": "North=100;South=120", "fixed": "yes"}
    app = open_page("pages/6_Tables.py", **LIMITS | own)
    assert states(app)["contribution"] == "confirmed"
    enter(app, "per_person", "4")
    assert "Check the limit, then confirm it." in text_of(app)
    assert answers(app)["contribution"] == "entering"
    enter(app, "contribution", "limited")
    assert states(app)["contribution"] == "confirmed"
