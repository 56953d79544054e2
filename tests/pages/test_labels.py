"""The labels of the controls: a symbol with a name, and one quantity for a symbol on a page."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from pages.framework.layout.page import Page, load_page
from pages.framework.link import COMMON_PARAMETERS, parse_link
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.rendering import stage
from pages.framework.rendering.render import RenderRequest
from pages.framework.site import site
from pages.plan.quantities import FIXED_EPSILON, FIXED_SCALE, HALF_WIDTH, SIZE
from pages.plan.query_kinds import KINDS as QUERY_KINDS
from pages.shared.releases import COUNT
from pages.shared.releases import KINDS as RELEASE_KINDS
from pages.shared.site_map import PAGES
from pages.tradeoff.curve_kinds import KINDS as CURVE_KINDS
from pages.tradeoff.curve_kinds import RELEASES

TOPICS = [load_page(page) for page in PAGES]
SECTIONS = [(topic, key) for topic in TOPICS for key in topic.keys_of_links]
PLAN_QUANTITIES = (
    *(HALF_WIDTH, FIXED_EPSILON, FIXED_SCALE, SIZE),
    *(quantity for kind in QUERY_KINDS.values() for quantity in kind.quantities),
)
OF_LISTS = {
    "Plan": PLAN_QUANTITIES,
    "Composition": (COUNT, *(quantity for kind in RELEASE_KINDS.values() for quantity in kind.quantities)),
    "Trade-off curves": (RELEASES, *(quantity for kind in CURVE_KINDS.values() for quantity in kind.quantities)),
}
"""The quantities of the entries of the lists that users edit, by page."""


def parameters_of(topic: Page, kind: type) -> Iterator:
    return (item for item in topic.all_parameters if isinstance(item, kind))


def visible_fields(script: str, link: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return the fields of a page at a setting, by key."""
    return stage_at(script, link)["fields"]


def stage_at(script: str, link: dict[str, str]) -> dict[str, Any]:
    """Return what the browser draws of a page at a setting."""
    topic = next(topic for topic in TOPICS if topic.entry.script == script)
    entries, _ = parse_link({key: [text] for key, text in link.items()}, topic.all_parameters)
    return stage.unpack(RenderRequest(script, tuple(entries.items()), "light")())


@cache
def stage_of_section(script: str, section: str) -> dict[str, Any]:
    """Return what the browser draws of a section at the defaults."""
    topic = next(topic for topic in TOPICS if topic.entry.script == script)
    return stage_at(script, {"section": section} if len(topic.keys_of_links) > 1 else {})


def names_of_symbol(labels: list[str]) -> dict[str, set[str]]:
    """Return the names that stand beside each symbol, without what follows a comma or stands in parentheses."""
    names: dict[str, set[str]] = {}
    for symbol, point, name in (label.partition(" · ") for label in labels):
        if point:
            names.setdefault(symbol, set()).add(re.split(r",| \(", name)[0])
    return names


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.entry.name)
def test_no_sentence_on_a_text_that_cannot_be_used_has_the_name_of_a_parameter_in_the_link(topic):
    for parameter in topic.all_parameters:
        _, problems = parse_link({parameter.key: ["\x00?", "\x00?"]}, (parameter,))
        assert f"({parameter.key})" not in " ".join(problems)


@pytest.mark.parametrize(("topic", "section"), SECTIONS, ids=[f"{topic.entry.name}-{key}" for topic, key in SECTIONS])
def test_every_visible_control_has_a_name_of_at_least_three_letters(topic, section):
    for key, field in stage_of_section(topic.entry.script, section)["fields"].items():
        assert re.search("[A-Za-z]{3}", field.get("caption", field["label"])), key


FIELD_ORDER = (
    *("query", "places", "data", "source", "signal", "table", "sums", "counts", "quantiles", "median", "p90"),
    *("per_person", "trips", "in_periods", "runs", "n_options", "n_cells", "n_people", "length", "n_records", "high"),
    *("known", "epsilon", "delta", "significance"),
)
"""The statistic, the values, how often a person counts, how many there are, what is known, ε, δ, the confidence."""


def test_fields_stand_in_one_order_in_every_section():
    before: dict[str, set[str]] = {}
    for topic, section in SECTIONS:
        keys = stage_of_section(topic.entry.script, section)["controls"]
        known = [key for key in keys if key in FIELD_ORDER]
        assert known == sorted(known, key=FIELD_ORDER.index), (topic.entry.name, section)
        for place, key in enumerate(keys):
            assert before.get(key, set()).isdisjoint(keys[place + 1 :]), (topic.entry.name, section, key)
            before.setdefault(key, set())
            before[key].update(keys[:place])


def test_folded_fields_that_several_pages_have_stand_in_one_order():
    order = site().field_order
    for topic, section in SECTIONS:
        folded = [key for key in stage_of_section(topic.entry.script, section)["moreSettings"]["keys"] if key in order]
        assert folded == sorted(folded, key=order.index), (topic.entry.name, section)


def test_the_first_picture_of_a_section_has_at_most_five_named_lines():
    for topic, section in SECTIONS:
        charts = (
            part for part in stage_of_section(topic.entry.script, section)["parts"][:1] if part["kind"] == "chart"
        )
        traces = [trace for chart in charts for trace in chart["figure"]["data"] if "lines" in trace.get("mode", "")]
        names = {trace["name"] for trace in traces if trace.get("name") and trace.get("showlegend", True)}
        assert len(names) <= 5, (topic.entry.name, section, names)


@pytest.mark.parametrize(
    ("script", "link", "keys"),
    [
        ("pages/6_Tables.py", {"section": "noise", "table": "own"}, {"table"}),
        ("pages/6_Tables.py", {"section": "table", "table": "own"}, {"table"}),
        ("pages/6_Tables.py", {"section": "release", "table": "own"}, {"table"}),
        ("pages/7_Denoising.py", {"section": "counts", "table": "own"}, {"signal", "table", "show"}),
        ("pages/7_Denoising.py", {"section": "map", "places": "own"}, {"places"}),
        ("pages/14_Clipping.py", {"section": "sum", "source": "own"}, {"source"}),
        ("pages/14_Clipping.py", {"section": "contributions", "source": "own"}, {"source"}),
    ],
)
def test_without_own_data_only_the_choice_of_the_data_is_offered(script, link, keys):
    assert visible_fields(script, link).keys() == keys


@pytest.mark.parametrize(
    ("script", "link", "folded"),
    [
        ("pages/6_Tables.py", {"section": "table", "mechanism": "geometric"}, {"promise", "delta"}),
        ("pages/6_Tables.py", {"section": "release", "mechanism": "geometric"}, {"promise", "delta", "rounded"}),
        ("pages/3_Trade-off_curves.py", {"section": "quote"}, {"quote"}),
        ("pages/3_Trade-off_curves.py", {"section": "quote", "curves": "!truncated:1,0.01"}, {"view", "epsilon"}),
        ("pages/5_Accuracy.py", {"known": "epsilon"}, {"accuracy"}),
        ("pages/14_Clipping.py", {"noise": "laplace"}, {"delta"}),
        ("pages/8_Composition.py", {"section": "training", "solve": "noise"}, {"noise_multiplier"}),
    ],
)
def test_a_control_without_effect_is_folded_away(script, link, folded):
    assert visible_fields(script, link).keys().isdisjoint(folded)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.entry.name)
def test_every_parameter_has_a_name_and_every_option_is_a_word(topic):
    for quantity in (*parameters_of(topic, Quantity), *OF_LISTS.get(topic.entry.name, ())):
        assert re.search("[A-Za-z]{3}", quantity.caption or quantity.label), quantity.key
    for choice in parameters_of(topic, Choice):
        for option, name in choice.options.items():
            assert re.search("[A-Za-z]{2}", name), (choice.key, option)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.entry.name)
def test_no_two_quantities_of_a_page_share_a_symbol(topic):
    quantities = (*parameters_of(topic, Quantity), *OF_LISTS.get(topic.entry.name, ()))
    names = names_of_symbol([quantity.caption or quantity.label for quantity in quantities])
    assert {symbol: shared for symbol, shared in names.items() if len(shared) > 1} == {}


@pytest.mark.parametrize(("entry", "level"), [("0.05", 0.05), ("1-(19/20)", 0.05), ("1-(0,9)", 0.1)])
def test_a_significance_level_can_be_entered_as_a_confidence(entry, level):
    significance = next(item for item in COMMON_PARAMETERS if item.key == "significance")
    assert significance.read(entry) == pytest.approx(level, rel=1e-12)


@pytest.mark.parametrize("name", ["A table", "Clipping", "One number", "Trade-off curves"])
def test_a_sentence_on_an_unusable_value_names_the_field_as_its_label_does(name):
    """The sentence has the symbol; the label is the caption, but for the significance level, whose field is 1 − α."""
    (topic,) = (topic for topic in TOPICS if topic.entry.name == name)
    quantities = [item for item in topic.all_parameters if isinstance(item, Quantity)]
    wrong = [item.symbol for item in quantities if item.caption and item.symbol not in item.caption]
    assert wrong == ["significance level"]
