"""The concepts of the glossary: every number is computed here by another path, and every link opens its section."""

import math
from statistics import NormalDist

import pytest

from dpcore import audit, composition, tradeoff
from pages.composition.published.deployments_data import DEPLOYMENTS
from pages.framework.layout.page import load_page
from pages.start.concepts import CONCEPTS
from tests.pages.conftest import open_page, read_link, text_of

MEANINGS = {concept.name: concept.meaning for concept in CONCEPTS}


def binomial_audit() -> float:
    """No error in 500 runs of each kind: Clopper and Pearson's bound at 97.5 % for each of the two errors."""
    worst = 1 - 0.025 ** (1 / 500)
    return math.log((1 - 1e-6 - worst) / worst)


NUMBERS = {
    "δ far below 1/n": [(100 * (1 - (1 - 1e-4) ** 10_000), "63 %"), (100 * (1 - (1 - 1e-6) ** 10_000), "1 %")],
    "Local DP": [
        (math.sqrt(10_000 * math.e) / (math.e - 1), "of 96 by"),
        (math.sqrt(2 / math.e) / (1 - 1 / math.e), "of 1.4 with"),
    ],
    "Amplification by sampling": [(math.log1p(0.01 * math.expm1(1)), "0.01704")],
    "Amplification by shuffling": [(float(composition.shuffled_epsilon(1e-6, 1, 10_000)), "0.05301")],
    "Attacker’s advantage": [(100 * (math.e - 1) / (math.e + 1), "46.22 %")],
    "Posterior": [(100 * float(tradeoff.pure_posterior(1, 0.1)), "23.2 %")],
    "ρ and the Rényi order": [(float(composition.epsilon_from_rho(1e-6, 0.5, conversion="tight")), "5.222")],
    "Audit": [(binomial_audit(), "4.905")],
    "Sampling error and noise together": [
        (0.5 / math.sqrt(1000), "0.0158 by"),
        (math.sqrt(2) / 1000, "0.0014 by"),
        (math.hypot(0.5 / math.sqrt(1000), math.sqrt(2) / 1000), "0.0159 together"),
        (0.5 / math.sqrt(20), "0.112,"),
        (math.sqrt(2) / 20, "0.071 and"),
        (math.hypot(0.5 / math.sqrt(20), math.sqrt(2) / 20), "0.132"),
    ],
}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_of_a_concept_is_that_of_another_computation(name: str):
    for value, words in NUMBERS[name]:
        assert words in MEANINGS[name]
        number = float(words.split(" ")[1] if words.startswith("of ") else words.split(" ")[0].rstrip(","))
        assert number == pytest.approx(value, rel=0.04 if len(words.split(" ")[0]) < 3 or "1.4" in words else 0.011)


@pytest.mark.parametrize(
    ("name", "value", "is_upper"),
    [
        ("Amplification by sampling", 0.01704, True),
        ("Amplification by shuffling", 0.05301, True),
        ("ρ and the Rényi order", 5.222, True),
        ("Audit", 4.905, False),
    ],
)
def test_the_privacy_numbers_of_concepts_are_rounded_to_the_safe_side(name: str, value: float, is_upper: bool):
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
            assert entry in MEANINGS["Release plan, marginal cost"]
            assert total <= float(entry) < total * 1.001


def test_as_many_published_guarantees_are_local_as_the_glossary_says():
    assert "three of the published guarantees are local" in MEANINGS["Local DP"]
    assert sum(deployment.adjacency == "local" for deployment in DEPLOYMENTS) == 3


@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.name)
def test_a_concept_has_a_source_and_a_link_to_the_section_where_it_is_used(concept):
    assert concept.source
    assert concept.section in load_page(concept.page).section_by_key
    assert read_link(concept.page.topic, section=concept.section)[1] == []
    assert f"./{concept.page.path}?epsilon=2&section={concept.section}" in concept.markdown({"epsilon": "2"})


def test_the_glossary_shows_every_concept():
    text = text_of(open_page(section="glossary"))
    for concept in CONCEPTS:
        assert f"{concept.name}: {concept.meaning}" in text
