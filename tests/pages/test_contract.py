"""Links that were made before the pages were rebuilt around their topics still open the same settings."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from pages.export import page_of
from pages.framework.export.report_items import rebuild
from pages.framework.layout.page import redirected_link
from pages.report.parameters import ReportItems
from pages.shared import site_map
from tests.pages.conftest import read_link

NEW = {  # what old links do not have
    *("present", "demo", "aside", "section", "view", "pinned", "shown", "promise", "points", "mechanisms", "function"),
    *("against", "best_view", "bounded_view", "over", "sequence", "drawn", "show"),
    *("risk", "noise", "baseline", "max_power", "max_advantage", "max_posterior", "max_success", "max_reconstruction"),
    *(
        "sampling_rate",
        "steps",
        "contribution",
        "fixed",
        "curator",
        "others",
        "per_total",
        "n_periods",
        "per_person",
        "cells",
    ),
}
COMMON = {"epsilon": 1, "delta": 1e-6, "l2_sensitivity": 1, "significance": 0.05, "picture": "svg"}
BOUNDS = COMMON | {"pinned": None}
GENERALIZED = COMMON | {
    "p": 3,
    "guarantee": "adp",
    "match": "guarantee",
    "shapes": (1, 1.5, 2, 3),  # the curves that are drawn; citations and reports without them have p = 4 too
    "size": "deviation",
    "statistics": "one",
    "sensitivities": (1, 0.1, 0.05),
    "monte_carlo": "off",
    "draws": 3e4,
    "measure": "variance",
    "deltas": (0.01, 0.05, 0.1, 0.2),
    "seed": 1,
    "bound_low": 0,
    "bound_high": 10,
    "true_value": 2,
    "bounded_error": "rmse",
}
LAPLACE = COMMON | {
    "case": "counts",
    "k": 1,
    "gaussian": "analytic",
    "hold": "epsilon",
    "t": 5,
    "measure": "variance",
    "l1_sensitivity": 1,
    "seed": 1,
}
ACCURACY = COMMON | {
    "known": "epsilon",
    "accuracy": 3,
    "unit": "people",
    "query": "count",
    "neighbours": "add_remove",
    "low": 0,
    "high": 100,
    "n_records": 1000,
    "l1_sensitivity": 1,
}
TRADEOFF = COMMON | {
    "alpha": 0.05,
    "prior": 0.1,
    "view": "errors",
    "quote": "delta",
    "attack": None,
    "confidence": 0.95,
    "seed": 1,
}
PINNED = "/Gaussian_bounds?epsilon=10&delta=1e-5&l2_sensitivity=2&significance=0.1&picture=png&bound=classical"
NUMERIC = "/Generalized_Gaussian?epsilon=2&statistics=own&sensitivities=1,1,2&monte_carlo=on&draws=20000&seed=7"
BOUNDED = "/Generalized_Gaussian?bound_low=-5&bound_high=5&true_value=-1&bounded_error=bias&bounded_scale=scale&p=2"
OWN_NORMS = "/Laplace_vs_Gaussian?case=own&l1_sensitivity=12&l2_sensitivity=4&cutoff=0.01&deltas=0.1,0.001&seed=3"
MEAN = "/Accuracy?query=mean&low=-10&high=30.5&n_records=500&neighbours=replace&known=accuracy&accuracy=0.25"
READ = "/Trade-off_curves?alpha=1e-5&prior=0.3&view=log&quote=epsilon&confidence=0.9&seed=2&delta=1e-9"
CASES = (
    ("/Gaussian_bounds?epsilon=0.5&delta=1e-5", BOUNDS | {"epsilon": 0.5, "delta": 1e-5}),
    (
        PINNED,
        BOUNDS | {"epsilon": 10, "delta": 1e-5, "l2_sensitivity": 2, "significance": 0.1, "picture": "png"},
    ),
    (
        "/Generalized_Gaussian?epsilon=0.5&delta=0.01&p=1.5&guarantee=exact_pdp&shapes=1,2&match=scale&size=accuracy",
        GENERALIZED
        | {"epsilon": 0.5, "delta": 0.01, "p": 1.5, "guarantee": "exact_pdp", "shapes": (1, 2)}
        | {"match": "scale", "size": "accuracy"},
    ),
    (
        NUMERIC,
        GENERALIZED
        | {"epsilon": 2, "statistics": "own", "sensitivities": (1, 1, 2), "monte_carlo": "on", "draws": 2e4, "seed": 7},
    ),
    (
        BOUNDED,
        GENERALIZED | {"bound_low": -5, "bound_high": 5, "true_value": -1, "bounded_error": "bias"} | {"p": 2},
    ),
    (
        "/Laplace_vs_Gaussian?epsilon=0.5&k=9&gaussian=pdp&hold=tail&t=0.5&measure=accuracy",
        LAPLACE | {"epsilon": 0.5, "k": 9, "gaussian": "pdp", "hold": "tail", "t": 0.5, "measure": "accuracy"},
    ),
    (
        OWN_NORMS,
        LAPLACE | {"case": "own", "l1_sensitivity": 12, "l2_sensitivity": 4, "seed": 3},
    ),
    (
        MEAN,
        ACCURACY
        | {"query": "mean", "low": -10, "high": 30.5, "n_records": 500, "neighbours": "replace"}
        | {"known": "accuracy", "accuracy": 0.25, "unit": "units"},  # a suggestion, which follows the query
    ),
    (
        "/Accuracy?epsilon=0.5&query=own&l1_sensitivity=3&l2_sensitivity=2&unit=US+dollars",
        ACCURACY
        | {"epsilon": 0.5, "query": "own", "l1_sensitivity": 3, "l2_sensitivity": 2, "unit": "US dollars"}
        | {"accuracy": 9},  # suggested: every link that a page wrote before has one of its own
    ),
    (
        READ,
        TRADEOFF
        | {"alpha": 1e-5, "prior": 0.3, "view": "log", "quote": "epsilon", "confidence": 0.9, "seed": 2, "delta": 1e-9},
    ),
)


def values_of_link(link):
    read, problems = read_link(page_of(link).topic, **parse_qs(urlsplit(link).query))
    assert problems == []
    assert [reading.problem for reading in read.values() if reading.problem] == []
    return {key: reading.value for key, reading in read.items()}


@pytest.mark.parametrize(("link", "setting"), CASES, ids=lambda part: part if isinstance(part, str) else "")
def test_an_old_link_opens_the_same_setting(link, setting):
    values = values_of_link(link)
    assert set(values) - set(setting) <= {"curves", "releases", *NEW}
    assert {key: values[key] for key in setting} == setting


def test_an_old_link_with_a_pinned_setting_opens_both():
    pinned_values = values_of_link("/Gaussian_bounds?epsilon=2&pinned=0.5,1e-5,2,0.1")["pinned"]
    assert [pinned_values[key] for key in ("epsilon", "delta", "l2_sensitivity", "significance")] == [0.5, 1e-5, 2, 0.1]


def test_an_old_link_whose_pinned_setting_had_a_bound_for_the_counts_opens_both_without_it():
    pinned_values = values_of_link(
        "/Gaussian_bounds?epsilon=2&bound=pdp&pinned=epsilon%3D0.5%26delta%3D1e-5%26bound%3Dpdp"
    )["pinned"]
    assert [pinned_values[key] for key in ("epsilon", "delta", "l2_sensitivity", "significance")] == [
        0.5,
        1e-5,
        1,
        0.05,
    ]
    assert "bound" not in pinned_values


def test_an_old_link_to_the_counts_of_the_gaussian_bounds_says_where_they_are():
    read, (sentence,) = read_link("gaussian_bounds", section="counts", epsilon="2", bound="exact_pdp")
    assert (
        sentence
        == "Tables of counts have a page of their own now, “A table”; this page opens at “Which bound” instead."
    )
    assert (read["section"].value, read["section"].problem, read["epsilon"].value) == ("bounds", "", 2)


def test_an_old_link_with_a_list_of_curves_opens_the_same_curves():
    link = (
        "/Trade-off_curves?curves=gdp:1.5@blue=;!approx:1,1e-6*3@green=Three%20times;laplace:0.5@orange=;"
        "geometric:1,5@purple=;gg:3,2,1@ochre=;sgm:1,0.01,1000@teal=;zcdp:0.5@rose=;"
        "points:0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2@grey=Seen"
    )
    items = values_of_link(link)["curves"]
    assert [(item.kind, item.numbers, item.releases, item.colour) for item in items] == [
        ("gdp", ("1.5",), "1", "blue"),
        ("approx", ("1", "1e-6"), "3", "green"),
        ("laplace", ("0.5",), "1", "orange"),
        ("geometric", ("1", "5"), "1", "purple"),
        ("gg", ("3", "2", "1"), "1", "ochre"),
        ("sgm", ("1", "0.01", "1000"), "1", "teal"),
        ("zcdp", ("0.5",), "1", "rose"),
        ("points", ("0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2",), "1", "grey"),
    ]
    assert [item.chosen for item in items] == [False, True, *[False] * 6]
    assert (items[1].name, items[7].name) == ("Three times", "Seen")


def test_an_old_link_with_the_counts_of_an_attack_opens_them():
    attack = values_of_link("/Trade-off_curves?attack=3_1000_930_1000~25_1000_760_1000")["attack"].measurements
    assert np.allclose(attack.alpha, [0.003, 0.025])
    assert np.allclose(attack.beta, [0.93, 0.76])


def test_an_old_link_with_a_budget_opens_the_same_queries():
    old = {"section": ["budget"], "budget": ["!2,1=Rent;5,3,0.1=Food;1,2="], "epsilon": ["2"], "promise": ["pure"]}
    old |= {"known": ["epsilon"], "pinned": ["epsilon=3&known=epsilon&query=mean"]}
    page, query = redirected_link(site_map.ACCURACY, old)
    assert page == site_map.PLAN
    readings, problems = read_link("plan", **{key: texts[-1] for key, texts in query.items()})
    assert problems == []
    items = readings["queries"].value
    assert [(item.kind, item.half_width, item.numbers, item.name, item.chosen) for item in items] == [
        ("own", "6", ("2", "2"), "Rent", True),
        ("own", "5", ("5", "5"), "Food", False),
        ("own", "1.5", ("1", "1"), "", False),
    ]
    assert [(item.lock, item.lock_number) for item in items] == [("", ""), ("epsilon", "0.1"), ("", "")]
    assert (readings["direction"].value, readings["promise"].value, readings["epsilon"].value) == ("total", "pure", 2)
    assert (readings["pinned"].value["queries"], readings["pinned"].value["epsilon"]) == (items, 3)
    _, without = redirected_link(site_map.ACCURACY, {"section": ["budget"]})
    assert [item.name for item in read_link("plan", queries=without["queries"][0])[0]["queries"].value] == [
        *("People", "Sum of ages", "Histogram of regions"),
    ]


def test_an_item_of_an_old_report_on_a_budget_is_rebuilt_from_the_plan():
    (item,) = ReportItems().read("Accuracy/budget_table?section=budget&budget=!2,1=Rent;5,3=Food&epsilon=2#note")
    assert (item.page, item.name, item.note) == (site_map.PLAN, "plan_table", "note")
    rebuilt = rebuild(item)
    assert rebuilt.problems == ()
    assert rebuilt.exhibit is not None
    assert rebuilt.exhibit.table["query"].tolist() == ["Rent", "Food"]


def test_a_row_of_an_old_budget_that_cannot_be_read_is_named_on_the_plan():
    _, query = redirected_link(site_map.ACCURACY, {"section": ["budget"], "budget": ["1,0=a;heavy;1,1,-1;2,1=b"]})
    readings, (*sentences,) = read_link("plan", queries=query["queries"][0])
    assert [item.name for item in readings["queries"].value] == ["b"]
    assert [sentence.partition(":")[0] for sentence in sentences] == ["Query 1", "Query 2", "Query 3"]


def test_every_link_of_the_contract_has_a_page_of_its_own_kind():
    topics = {page_of(link).topic for link, _ in CASES}
    assert topics == {"gaussian_bounds", "generalized_gaussian", "laplace_gaussian", "accuracy", "tradeoff"}
