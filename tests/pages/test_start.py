import math
import re
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpcore import generalized_gaussian
from pages.composition.dp_sgd import text as training_words
from pages.composition.published.deployments import DEPLOYMENTS
from pages.composition.published.results import restate
from pages.framework import link
from pages.framework.parameters.number_format import format_down, format_input_up, format_up
from pages.generalized_gaussian import text as generalized_gaussian_words
from pages.laplace_gaussian import text as laplace_gaussian_words
from pages.shared import shared_parameters, site_map
from pages.start import glossary, presets
from pages.tradeoff.parameters import ALPHA
from tests.pages.conftest import ROOT, link_of, opened, parts_of, read_link, stage_of, text_of

EACH = pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=[each.name for each in DEPLOYMENTS])
LINKS = (
    *(each.link for each in presets.PRESETS),
    *(presets.RESET, presets.TOGETHER),
    *(presets.releases_link(each) for each in DEPLOYMENTS),
    *(found for each in DEPLOYMENTS if (found := presets.count_link(each)) is not None),
)


def test_the_start_page_answers_for_the_default_setting_and_names_every_page():
    app = opened()
    assert "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian needs σ = 4.225." in text_of(app)
    pages = sorted((ROOT / "pages").glob("[0-9]*.py"))
    assert len(pages) == len(site_map.PAGES) - 1
    leading = [
        unescape(each)
        for part in parts_of(app)
        for each in re.findall(r'href="./([^"?]*)[?](?!demo=)', part.get("html", ""))
    ]
    assert leading == [
        *(each.path for each in site_map.PAGES[1:]),
        *(each.link.page.path for each in presets.PRESETS),
        site_map.START.path,
    ]
    assert app.sidebar.get("html")[0].proto.body.count("<a ") == len(pages) + 2  # this page, and the glossary


def test_a_preset_leads_to_the_bounds_at_its_setting():
    (part,) = (each for each in parts_of(opened()) if "Settings to start from" in each.get("html", ""))
    links = {name: unescape(address) for address, name in re.findall(r'<a href="([^"]*)">([^<]*)</a>', part["html"])}
    assert "&epsilon=10&delta=1e-5&" in links["Where the classical formula breaks"]
    assert list(links) == [*(each.link.name for each in presets.PRESETS), "Reset"]


@pytest.mark.parametrize("term", ["(ε, δ)-DP", "μ", "Corollary 9", "Hull"])
def test_the_glossary_says_what_a_word_of_the_pages_means(term):
    app = opened(section="glossary")
    assert f"{term}: {glossary.TERMS[term]}" in text_of(app)
    assert stage_of(app)["strip"] == []
    assert link_of(app)["section"] == "glossary"


def test_corollary_9_is_the_exact_scale_at_p_1_and_larger_elsewhere_as_the_glossary_says():
    assert "At p = 1 and δ up to ½ it equals the exact scale; otherwise it is larger." in glossary.TERMS["Corollary 9"]
    p, delta = np.meshgrid([1, 1.01, 2, 3, 64], [1e-6, 0.05, 0.5])
    ratio = generalized_gaussian.pdp_scale_disjoint(1, delta, p) / generalized_gaussian.exact_pdp_scale(1, delta, p)
    assert ratio[:, 0] == pytest.approx(1, rel=1e-12)
    assert (ratio[:, 1:] > 1 + 1e-6).all()
    assert generalized_gaussian.pdp_scale_disjoint(1, 0.9, 1) > 1.1 * generalized_gaussian.exact_pdp_scale(1, 0.9, 1)


@pytest.mark.parametrize("link", LINKS, ids=[f"{each.page.name}: {each.name}" for each in LINKS])
def test_every_link_of_the_presets_opens_its_page_with_the_values_that_it_says(link):
    readings, problems = read_link(link.page.topic or "start", **link.entries)
    assert problems == []
    assert {key: readings[key].used for key in link.entries} == link.entries
    assert not any(each.problem for each in readings.values())


def test_reset_beside_the_settings_leads_to_the_start_page_with_every_default():
    app = opened(epsilon="3", delta="0.1", l2_sensitivity="7", significance="0.2")
    (shown,) = (each["html"] for each in parts_of(app) if ">Reset</a>" in each.get("html", ""))
    (href,) = re.findall('href="./[?]([^"]*)">Reset', shown)
    assert dict(parse_qsl(unescape(href))) == link_of(opened())
    assert "ε = 1, δ = 1e-6, ℓ₂ sensitivity = 1, significance level = 0.05." in text_of(app)


def test_every_setting_to_start_from_says_what_it_is_for_and_where_it_comes_from():
    text = text_of(opened())
    for preset in presets.PRESETS:
        assert f"{preset.link.name}. {preset.shows} Source: {preset.origin}" in text
        assert "released once" in preset.shows or "one release" in preset.shows
        assert "20" in preset.origin or "ours" in preset.origin  # the year of a text, or ours


@EACH
def test_a_published_promise_opens_as_exactly_the_releases_of_which_it_is_made(deployment):
    opened_link = presets.releases_link(deployment)
    values = link.values(read_link("composition", **opened_link.entries)[0])
    assert tuple(item.release for item in values["releases"]) == deployment.releases
    assert values["epsilon"] == deployment.printed_epsilon
    assert ("delta" in opened_link.entries) == (deployment.delta > 0)
    assert deployment.delta in (0, values["delta"])


@EACH
def test_beside_every_printed_number_stand_its_unit_its_period_and_what_is_computed(deployment):
    text, row = presets.description(deployment), restate(deployment, deployment.delta)
    assert f"**Printed** ε = {deployment.printed_epsilon:g} at δ = " in text
    assert f"**Unit** {deployment.unit}. **Period** {deployment.period}. **Neighbours** {deployment.adjacency}." in text
    assert f"**Computed here** ε ≤ {format_up(row.proved)} at δ = {format_input_up(deployment.delta)}" in text
    assert f"[{deployment.source}]({deployment.url})" in text
    if deployment.kind == "zcdp":
        assert (
            f"{format_up(row.standard)} by the standard one; were it one Gaussian, {format_up(row.exact)} (an estimate)"
            in text
        )
    if deployment.kind == "sampled":
        assert f"by RDP {format_up(row.tight)} (tight conversion) and {format_up(row.standard)} (standard)" in text
    assert ("**A year, by basic composition**" in text) == (deployment.per_year > 0)
    assert text.count("not said here") == (not deployment.mechanism) + (not deployment.accounting)
    assert "nan" not in text


def test_a_year_of_a_daily_promise_is_its_yearly_sum_with_its_delta():
    text = {each.name: presets.description(each) for each in DEPLOYMENTS}
    assert "**A year, by basic composition** ε ≤ 963.6 at δ = 0, for who is in every period." in text["Google mobility"]
    assert (
        "**A year, by basic composition** ε ≤ 799.4 at δ = 0.00365, for who is in every period."
        in text["Google vaccine"]
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Census 2020, persons", "the tight conversion, rounded down: what is proved is a little more"),
        ("Census 2020, housing", "the tight conversion, rounded down"),
        ("Gboard, Spanish", "the tight conversion, rounded down"),
        ("Census DHC, persons", "the standard conversion, rounded"),
        ("Opacus, MNIST", "the standard conversion, rounded"),
        ("Abadi et al., example", "of Poisson sampling, by which the batches were not drawn"),
        ("TensorFlow tutorial", "by which the batches were not drawn. The lower bound refutes it"),
        ("Wikimedia views", "the standard conversion, rounded"),
        ("Facebook URLs", "Neither conversion gives the printed number, and what is proved of the printed ρ is more"),
        ("Google mobility", "this is the printed parts by basic composition"),
        ("LinkedIn engagement", "this is what was printed, taken on trust"),
    ],
)
def test_a_promise_says_why_what_is_computed_is_not_what_was_printed(name, why):
    (deployment,) = (each for each in DEPLOYMENTS if each.name == name)
    assert why in presets.description(deployment)
    row = restate(deployment, deployment.delta)
    if not deployment.is_covered:
        assert f"ε ≥ {format_down(row.at_least)} if they are shuffled, both for neighbours" in presets.description(
            deployment
        )
    assert (row.proved > deployment.printed_epsilon) == (
        not deployment.is_covered or "is a little more" in why or "is more" in why or "down" in why
    )


def test_the_section_of_presets_has_a_card_with_a_link_for_every_published_promise():
    app = opened(section="presets")
    links = {each.proto.label: dict(parse_qsl(each.proto.query_string)) for each in app.main.get("page_link")}
    text = text_of(app)
    assert "Published promises." in text
    for deployment in DEPLOYMENTS:
        link = presets.releases_link(deployment)
        assert links[link.name].items() >= link.entries.items()
        assert presets.description(deployment) in text
    assert len(links) == len(DEPLOYMENTS) + 2  # all in one picture, and one count at a whole ε


def test_only_a_promise_of_one_release_that_is_not_local_leads_to_the_accuracy_of_one_count():
    leading = {each.name for each in DEPLOYMENTS if presets.count_link(each) is not None}
    assert leading == {"LinkedIn engagement", "Google symptoms", "Google vaccine"}


def test_delta_is_said_to_be_about_sets_of_outcomes_wherever_it_is_explained():
    """Who publishes everything beside one of n random numbers: each outcome has probability 1/n, and yet δ is 1."""
    n, epsilon = 10**7, 1.0
    here, there = 1 / n, 0.0  # the probability of each outcome with one data set and with its neighbour
    assert here <= math.exp(epsilon) * there + 1e-6  # a bound on every outcome holds
    assert n * here - math.exp(epsilon) * n * there == pytest.approx(1)  # and on the set of all of them none below 1
    texts = (
        *(
            shared_parameters.EPSILON.help,
            shared_parameters.DELTA.help,
            glossary.TERMS["δ"],
            glossary.TERMS["ε, the privacy loss parameter"],
        ),
        *(
            training_words.limits_sentence(1, 1e-6),
            laplace_gaussian_words.GUARANTEES,
            generalized_gaussian_words.GUARANTEE_HELP,
        ),
    )
    for text in texts:
        assert "set of outcomes" in text
        assert "of an outcome" not in text


def test_the_unit_of_privacy_and_adaptive_composition_are_explained():
    assert "one record, or all records of one person" in glossary.TERMS["Neighbours"]
    assert "adaptive composition" in glossary.TERMS["Composition"]
    assert "filter or odometer" in glossary.TERMS["Composition"]
    for text in ("false positive rate", "not in the data"):
        assert text in ALPHA.help
        assert text in glossary.TERMS["Trade-off curve f"]
