import math
import re
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore import generalized_gaussian
from pages.composition.dp_sgd import text as training_words
from pages.composition.published import text as details_text
from pages.composition.published.deployments_data import DEPLOYMENTS
from pages.framework.layout.page import load_page
from pages.generalized_gaussian import text as generalized_gaussian_words
from pages.laplace_gaussian import text as laplace_gaussian_words
from pages.shared import shared_parameters, site_map
from pages.shared.shared_parameters import ALPHA
from pages.start import page as start_page
from pages.start.results import ENTRIES
from tests.pages.conftest import ROOT, link_of, open_page, parts_of, read_link, text_of

LINKS = (
    *(link for link, _, _ in start_page.PRESETS),
    start_page.RESET,
    *(details_text.releases_link(deployment) for deployment in DEPLOYMENTS),
    *(link for deployment in DEPLOYMENTS if (link := details_text.count_link(deployment)) is not None),
)


def test_the_start_page_answers_for_the_default_setting_and_names_every_page():
    app = open_page()
    assert "At ε = 1, at least 95 of 100 releases fall within ±3 people of the truth" in text_of(app)
    pages = sorted((ROOT / "pages").glob("[0-9]*.py"))
    assert len(pages) == len(site_map.PAGES) - 1
    linked = {
        unescape(path)
        for part in parts_of(app)
        for inner in (part, *part.get("parts", ()))
        for path in re.findall(r'(?:href="|^)./([^"?]*)[?]', inner.get("link", inner.get("html", "")))
    }
    assert linked >= {entry.path for entry in site_map.PAGES} - {"Report", "Clipping"}
    n_entries = sum(len(group.entries) for group in site_map.GROUPS)
    assert app.sidebar.get("html")[0].proto.body.count("<a ") == n_entries


def test_every_section_has_one_place_in_the_navigation():
    places = [
        (tabs.page.path, section)
        for group in site_map.GROUPS
        for entry in group.entries
        for tabs in entry.tabs
        for section in tabs.keys or load_page(tabs.page).section_by_key
    ]
    sections = [(page.path, section) for page in site_map.PAGES for section in load_page(page).section_by_key]
    assert sorted(places) == sorted(sections)


def test_a_string_that_stands_alone_in_a_page_script_is_not_shown():
    app = AppTest.from_string("name = 1\n'What it is.'\nname\n").run()
    assert not app.main.children


def test_a_preset_leads_to_the_bounds_at_its_setting():
    (part,) = (
        part_of_page
        for part_of_page in parts_of(open_page(section="class"))
        if "Settings to start from" in part_of_page.get("html", "")
    )
    links = {name: unescape(address) for address, name in re.findall(r'<a href="([^"]*)">([^<]*)</a>', part["html"])}
    assert "&epsilon=10&delta=1e-5&" in links["Where the classical formula breaks"]
    assert list(links) == [*(link.name for link, _, _ in start_page.PRESETS), "Reset"]


def test_corollary_9_is_the_exact_scale_at_p_1_and_larger_elsewhere_as_the_glossary_says():
    assert "At p = 1 and δ up to ½ it equals the exact scale; otherwise it is larger." in ENTRIES["corollary_9"].more
    p, delta = np.meshgrid([1, 1.01, 2, 3, 64], [1e-6, 0.05, 0.5])
    ratio = generalized_gaussian.pdp_scale_disjoint(1, delta, p) / generalized_gaussian.exact_pdp_scale(1, delta, p)
    assert ratio[:, 0] == pytest.approx(1, rel=1e-12)
    assert (ratio[:, 1:] > 1 + 1e-6).all()
    assert generalized_gaussian.pdp_scale_disjoint(1, 0.9, 1) > 1.1 * generalized_gaussian.exact_pdp_scale(1, 0.9, 1)


@pytest.mark.parametrize("link", LINKS, ids=[f"{link.page.name}: {link.name}" for link in LINKS])
def test_every_link_of_the_presets_opens_its_page_with_the_values_that_it_says(link):
    readings, problems = read_link(link.page.topic or "start", **link.entries)
    assert problems == []
    assert {key: readings[key].used for key in link.entries} == link.entries
    assert not any(reading.problem for reading in readings.values())


def test_reset_beside_the_settings_leads_to_the_start_page_with_every_default():
    app = open_page(epsilon="3", delta="0.1", l2_sensitivity="7", significance="0.2", section="class")
    (html,) = (part["html"] for part in parts_of(app) if ">Reset</a>" in part.get("html", ""))
    (href,) = re.findall('href="./[?]([^"]*)">Reset', html)
    assert dict(parse_qsl(unescape(href))) == link_of(open_page())
    assert "ε = 1, δ = 1e-6, ℓ₂ sensitivity = 1, significance level = 0.05." in text_of(app)


def test_every_setting_to_start_from_says_what_it_is_for_and_where_it_comes_from():
    text = text_of(open_page(section="class"))
    for link, shows, source in start_page.PRESETS:
        assert f"{link.name}. {shows} Source: {source}" in text
        assert "released once" in shows or "one release" in shows
        assert "20" in source or "ours" in source  # the year of a text, or ours


def test_every_explanation_of_delta_speaks_of_sets_of_outcomes():
    """Who publishes everything beside one of n random numbers: each outcome has probability 1/n, and yet δ is 1."""
    n, epsilon = 10**7, 1.0
    share, there = 1 / n, 0.0  # the probability of each outcome with one data set and with its neighbour
    assert share <= math.exp(epsilon) * there + 1e-6  # a bound on every outcome holds
    assert n * share - math.exp(epsilon) * n * there == pytest.approx(1)  # and on the set of all of them none below 1
    texts = (
        *(
            shared_parameters.EPSILON.help,
            shared_parameters.DELTA.help,
            ENTRIES["delta"].words,
            ENTRIES["epsilon"].words,
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


def test_the_unit_of_privacy_and_the_false_positive_rate_are_explained():
    assert "one record, or all records of one person" in ENTRIES["neighbours"].more
    for text in ("false positive rate", "not in the data"):
        assert text in ALPHA.help
        assert text in ENTRIES["tradeoff_curve"].meaning
