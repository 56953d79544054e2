"""The conditions of a plan: what their menus offer, and that an answer holds for the text that was answered."""

import pytest

from pages.plan.page import PAGE
from tests.pages.conftest import ask, enter, field, found_by, link_of, open_page, stage_of

SCRIPT = "pages/13_Plan.py"
LIMITED, ONCE = "!groups:60,3,1=Codes;count:20=People", "!count:20=People"
CONFIRMED = {"contribution": "limited", "fixed": "yes", "curator": "office", "others": "none"}
CHANGED = "A condition that you confirmed has changed"


def answers(app):
    link = link_of(app)
    return {key: link[key] for key in CONFIRMED}


def is_said(app) -> bool:
    return any(CHANGED in notice for notice in stage_of(app)["notices"])


def confirmed(queries: str):
    return ask(open_page(SCRIPT, queries=queries, promise="delta"), set=CONFIRMED)


def test_a_changed_limit_is_asked_again_and_what_did_not_change_stays_confirmed():
    app = confirmed(LIMITED)
    assert answers(app) == CONFIRMED
    assert not is_said(app)
    field(app, "query_groups_per_person").set_value("12").run()
    assert answers(app) == CONFIRMED | {"contribution": "entering"}
    assert is_said(app)
    options = stage_of(app)["fields"]["contribution"]["options"]
    assert options["entering"] == "Changed: not confirmed yet"
    enter(app, "contribution", "limited")
    assert answers(app) == CONFIRMED
    assert not is_said(app)
    enter(app, "epsilon", "3")
    field(app, "query_half_width_0").set_value("70").run()
    assert answers(app) == CONFIRMED


def test_a_query_whose_groups_come_from_the_data_is_asked_about():
    app = confirmed(ONCE)
    ask(app, link=f"?queries={LIMITED.replace(';', '%3B')}")
    assert answers(app) == CONFIRMED | {"contribution": "entering", "fixed": "unknown"}


def test_a_limit_that_changes_elsewhere_is_noticed_when_the_list_is_replaced_by_that_of_a_link():
    app = confirmed(LIMITED)
    ask(app, link="?queries=!groups%3A60%2C5%2C1%3DCodes%3Bcount%3A20%3DPeople&contribution=limited")
    assert answers(app) == CONFIRMED  # the link answers for its own setting
    ask(app, link="?queries=!groups%3A60%2C6%2C1%3DCodes%3Bcount%3A20%3DPeople")
    assert answers(app) == CONFIRMED | {"contribution": "entering"}


def test_what_was_denied_stays_denied_whatever_changes():
    app = ask(open_page(SCRIPT, queries=LIMITED, promise="delta"), set={"contribution": "unlimited", "fixed": "no"})
    field(app, "query_groups_per_person").set_value("12").run()
    assert (link_of(app)["contribution"], link_of(app)["fixed"], is_said(app)) == ("unlimited", "no", False)


@pytest.mark.parametrize("choice", ["once", "limited"])
@pytest.mark.parametrize(
    ("queries", "yes"),
    [(LIMITED, "Yes: these limits are enforced"), (ONCE, "Yes: nobody counts more than once")],
)
def test_the_menu_of_the_limit_says_what_the_plan_says_in_few_words(queries, yes, choice):
    conditions = PAGE.conditions_of(found_by("plan", queries=queries, promise="delta", contribution=choice))
    assert conditions is not None
    item = conditions.items[0]
    assert item.state == "confirmed"
    assert item.options[choice] == yes
    assert len(item.options) == 3
    assert max(map(len, item.options.values())) <= 50
    open_conditions = PAGE.conditions_of(found_by("plan", queries=queries, promise="delta"))
    assert open_conditions is not None
    assert yes in open_conditions.items[0].options.values()
