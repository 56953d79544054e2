"""The glossary: every number is computed here by another path, and every link opens its section."""

import math
import re
from html import unescape
from statistics import NormalDist

import pytest

from dpcore import audit, composition, gaussian, geometric, laplace, staircase, tradeoff
from dpcore.families import FAMILIES
from pages.composition.published.deployments_data import DEPLOYMENTS
from pages.framework.layout import markup
from pages.framework.layout.page import load_page
from pages.framework.link import COMMON_PARAMETERS
from pages.shared import site_map
from pages.start import results
from pages.start.glossary.text import menu_name
from pages.start.results import ENTRIES, index_name
from tests.pages.conftest import ROOT, link_of, open_page, parts_of, read_link, stage_of, text_of

MEANINGS = {key: entry.words for key, entry in ENTRIES.items()}


def binomial_audit() -> float:
    """No error in 500 runs of each kind: Clopper and Pearson's bound at 97.5 % for each of the two errors."""
    worst = 1 - 0.025 ** (1 / 500)
    return math.log((1 - 1e-6 - worst) / worst)


NUMBERS = {
    "delta": [(100 * (1 - (1 - 1e-4) ** 10_000), "63 %"), (100 * (1 - (1 - 1e-6) ** 10_000), "1 %")],
    "local_dp": [
        (math.sqrt(10_000 * math.e) / (math.e - 1), "of 96 by"),
        (math.sqrt(2 / math.e) / (1 - 1 / math.e), "of 1.4 with"),
    ],
    "sampling_amplification": [(math.log1p(0.01 * math.expm1(1)), "0.01704")],
    "shuffle_model": [(float(composition.shuffled_epsilon(1e-6, 1, 10_000)), "0.05301")],
    "advantage": [(100 * (math.e - 1) / (math.e + 1), "46.22 %")],
    "posterior": [(100 * float(tradeoff.pure_posterior(1, 0.1)), "23.2 %")],
    "zcdp": [(float(composition.epsilon_from_rho(1e-6, 0.5, conversion="tight")), "5.222")],
    "audit": [(binomial_audit(), "4.905")],
    "sampling_error": [
        (0.5 / math.sqrt(1000), "0.0158 by"),
        (math.sqrt(2) / 1000, "0.0014 by"),
        (math.hypot(0.5 / math.sqrt(1000), math.sqrt(2) / 1000), "0.0159 together"),
        (0.5 / math.sqrt(20), "0.112,"),
        (math.sqrt(2) / 20, "0.071 and"),
        (math.hypot(0.5 / math.sqrt(20), math.sqrt(2) / 20), "0.132"),
    ],
}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_of_an_entry_is_that_of_another_computation(name: str):
    for value, words in NUMBERS[name]:
        assert words in MEANINGS[name]
        number = float(words.split(" ")[1] if words.startswith("of ") else words.split(" ")[0].rstrip(","))
        assert number == pytest.approx(value, rel=0.04 if len(words.split(" ")[0]) < 3 or "1.4" in words else 0.011)


@pytest.mark.parametrize(
    ("name", "value", "is_upper"),
    [
        ("sampling_amplification", 0.01704, True),
        ("shuffle_model", 0.05301, True),
        ("zcdp", 5.222, True),
        ("audit", 4.905, False),
    ],
)
def test_the_privacy_numbers_of_entries_are_rounded_to_the_safe_side(name: str, value: float, is_upper: bool):
    ((exact, _),) = NUMBERS[name]
    assert 0 <= (value - exact) * (1 if is_upper else -1) < 1e-3


def test_the_audit_of_the_glossary_is_that_of_the_page():
    attack = audit.attack_from_counts([0], 500, [0], 500)
    assert float(audit.epsilon_lower(audit.band(None, attack, 0.95), 1e-6).value) == pytest.approx(binomial_audit())


def test_the_totals_of_equal_counts_are_those_of_the_accountant_rounded_up():
    laplace, sigma = math.log(20) / 5, 5 / NormalDist().inv_cdf(0.975)
    for count, noises in ((10, ("5.991", "6.252")), (30, ("15.93", "11.99"))):
        lists = composition.laplace_release(laplace, count), composition.gaussian_release(sigma, count)
        for release, entry in zip(lists, noises, strict=True):
            total = float(composition.epsilon([release], 1e-6).value)
            assert entry in MEANINGS["release_plan"]
            assert total <= float(entry) < total * 1.001


def test_as_many_published_guarantees_are_local_as_the_glossary_says():
    assert "Three of the published guarantees are local" in MEANINGS["local_dp"]
    assert sum(deployment.adjacency == "local" for deployment in DEPLOYMENTS) == 3


def test_the_numbers_of_noise_are_those_of_a_count_at_epsilon_1_rounded_up():
    sigma, theta = gaussian.analytic_sigma(1, 1e-6), staircase.theta_from_epsilon(5)
    whole = FAMILIES["truncated_geometric"].functions.bound_from_epsilon(1, 1e-6)
    for key, value, text, unit in (
        ("laplace", laplace.half_width(0.05, 1), "3", "within ±3 of"),
        ("geometric", geometric.half_width(0.05, 1), "3", "within ±3 of"),
        ("geometric", math.sqrt(geometric.variance(1)), "1.36", "deviation is 1.36."),
        ("gaussian", sigma, "4.225", "σ = 4.225,"),
        ("gaussian", NormalDist().inv_cdf(0.975) * sigma, "8.3", "within ±8.3 of"),
        ("staircase", math.sqrt(staircase.variance(theta, staircase.variance_gamma(theta))), "0.173", "is 0.173,"),
        ("staircase", math.sqrt(2) / 5, "0.283", "noise 0.283."),
        ("truncated_laplace", math.log1p(math.expm1(1) / 2e-6), "13.67", "beyond ±13.67."),
        ("truncated_geometric", whole, "14", "beyond ±14."),
        ("epsilon", math.e, "2.72", "factor is 2.72,"),
        ("epsilon", math.exp(0.1), "1.11", "it is 1.11."),
        ("epsilon", 100 * float(tradeoff.pure_posterior(1, 0.5)), "73.2", "above 73.2 %."),
    ):
        assert unit in ENTRIES[key].words
        decimals = len(text.partition(".")[2])
        assert 0 <= float(text) - float(value) < 10**-decimals, key


def test_randomised_response_is_true_no_more_often_than_epsilon_allows():
    assert "true with probability 73.1 %" in ENTRIES["randomised_response"].words
    assert 0.731 / (1 - 0.731) <= math.e < 0.732 / (1 - 0.732)


@pytest.mark.parametrize(("key", "entry"), ENTRIES.items(), ids=list(ENTRIES))
def test_an_entry_is_short_and_its_links_open_the_sections_where_it_is_used(key, entry):
    """At most 40 words are in sight; what is folded has a source where it is not a definition of this program."""
    assert 5 <= len([word for word in entry.meaning.split() if any(sign.isalnum() for sign in word)]) <= 40
    assert entry.meaning.endswith(".")
    article = entry.article(key, {"epsilon": "2"})
    assert len({menu_name(page, section) for page, section in entry.places}) == len(entry.places)
    for page, section in entry.places:
        link = {"section": section} if section else {}  # a page of one section has none in its link
        assert not link or section in load_page(page).keys_of_links
        assert read_link(page.topic or "start", **link)[1] == []
        assert f"./{page.path}?epsilon=2{f'&section={section}' if section else ''}" in article.more
    assert entry.source in article.more
    assert entry.source or key in {"confidence", "nat", "sigma", "simultaneous_error"}


def test_the_entries_are_in_alphabetical_order_with_one_key_and_one_name_each():
    names = [index_name(entry) for entry in ENTRIES.values()]
    assert names == sorted(names)
    assert len(set(names)) == len(ENTRIES) == sum(len(module.ENTRIES) for module in results.MODULES)
    assert names.index("mu and gaussian dp") == names.index("membership attack") + 1


def test_the_glossary_shows_every_entry_and_a_link_opens_one():
    app = open_page(section="glossary", term="median")
    text, (part,) = text_of(app), parts_of(app)
    for entry in ENTRIES.values():
        assert f"{entry.name}: {entry.meaning}".replace("e^ε", "eε") in text
    assert (part["open"], part["parameter"]) == ("median", "term")
    assert stage_of(app)["controls"] == []
    assert link_of(app)["term"] == "median"


@pytest.mark.parametrize("term", ["nonsense", "", "Median", "<b>", "x" * 5000])
def test_a_link_to_no_entry_says_so_and_opens_none(term: str):
    app = open_page(section="glossary", term=term)
    (notice,) = stage_of(app)["notices"]
    assert notice.startswith(f"The glossary has no entry with the key {term[:40] or 'of an empty text'}")
    assert notice.endswith(". No entry is open; the search finds all of them.")
    assert (parts_of(app)[0]["open"], link_of(app)["term"]) == ("", "none")


def test_a_search_by_other_names_finds_the_entry():
    for key, name in (("geometric", "discrete Laplace"), ("median", "percentile"), ("contribution_limit", "bounding")):
        assert any(name in other for other in ENTRIES[key].other_names)


def test_every_link_to_the_glossary_names_an_entry_and_is_made_by_one_function():
    modules = {path: path.read_text(encoding="utf-8") for path in (ROOT / "pages").rglob("*.py")}
    linked = {path: re.findall(r"(?:glossary_link|more_text)\(\s*['\"](\w+)", text) for path, text in modules.items()}
    assert {"epsilon", "delta", "sensitivity", "exact_samplers"} <= {key for keys in linked.values() for key in keys}
    for path, keys in linked.items():
        assert set(keys) <= ENTRIES.keys(), path
    assert [path.name for path, text in modules.items() if "section=glossary" in text] == ["shared_parameters.py"]


def test_the_help_of_a_field_has_its_words_and_a_link_to_the_entry():
    fields = stage_of(open_page("pages/6_Tables.py", section="noise"))["fields"]
    words_of = ("epsilon", "epsilon", "e<sup>ε</sup>, plus δ."), ("per_person", "contribution_limit", "a guess.")
    for key, term, words in words_of:
        assert f'{words} More in the glossary: <a href="./?section=glossary&amp;term={term}">' in fields[key]["help"]
    assert "help" not in fields["error"]


def test_no_sign_in_the_help_of_a_field_is_taken_as_markdown():
    helps = {
        text
        for page in site_map.PAGES
        for item in load_page(page).own_parameters
        if (text := getattr(item, "help", ""))
    }
    helps |= {text for item in COMMON_PARAMETERS if (text := getattr(item, "help", ""))}
    assert len(helps) > 30
    for text in helps:
        shown = unescape(re.sub(r"<[^>]*>", "", markup.html(text))).strip()
        assert shown == re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("e^ε", "eε")
