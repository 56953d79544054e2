"""What the pages guarantee is proved in intervals at random settings, from the digits that they show."""

import re
from decimal import Decimal
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from dpcore import verify
from pages.framework import link
from pages.framework.layout import panels
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Claim, no_entries
from pages.shared import site_map
from pages.tables.mechanisms.section import recommendation_reason
from pages.tables.results import TablesResult
from tests.pages.conftest import read_link
from tests.pages.settings import setting

N = 15  # settings; `python -m tests.benchmarks.proofs` takes many more
PAGES = [
    page for page in site_map.PAGES if any(section.claims is not no_entries for section in load_page(page).sections)
]
TOPICS = [page.topic or "start" for page in PAGES]
SHOWN = {  # in the answers: the digits of a guarantee, by the names that `dpcore.verify` has for them
    "gaussian_bounds": r"ε = (?P<epsilon>\S+), δ = (?P<most>\S+), sensitivity (?P<l2_sensitivity>\S+), .* "
    r"σ = (?P<sigma>\S+)\.",
    "generalized_gaussian": r"At ε = (?P<epsilon>\S+), δ = (?P<most>\S+), .*p = (?P<p>[^\s)]+)\)? has "
    r"b = (?P<scale>\S+) ",
    "tradeoff": r"the true positive rate is at most (?P<percent>\S+) % \(",
    "tables": r"noise, (?:b|s) = (?P<scale>[^ *]+)\*\*",
    "composition": r"costs? ε = (?P<epsilon>\S+) at δ = (?P<most>[\d.e-]*\d)",
}
LEAST = {verify.gaussian_delta, verify.gaussian_pdp_delta, verify.laplace_delta, verify.geometric_delta} | {
    verify.generalized_gaussian_delta,
    verify.generalized_gaussian_pdp_delta,
}  # of which a page shows the least noise


@cache
def at_random(topic: str, place: int) -> tuple[Page[Any], Any, dict[str, str]]:
    """Return a page, what it finds at a random setting, and the link."""
    values = setting(topic, np.random.default_rng([place, crc32(topic.encode())]))
    page = load_page(PAGES[TOPICS.index(topic)])
    return page, page.compute(link.values(read_link(topic, **values)[0])), values


def enclosure(claim: Claim, **arguments: Any) -> verify.Enclosure:
    """Return the enclosure of a claim, with some of its numbers in place of its own."""
    assert claim.function is not None
    return claim.function(**{**claim.arguments, **arguments})


def is_kept(claim: Claim, most: Decimal | float, **arguments: Any) -> bool:
    """Return whether a guarantee is proved, but for what `number_format` takes for the last bits of a short number."""
    return verify.proved(enclosure(claim, **arguments), min(float(most) * (1 + 3e-14), 1.0))


@cache
def claims_of(topic: str, place: int) -> tuple[Claim, ...]:
    """Return what is claimed there."""
    page, result, _ = at_random(topic, place)
    return page.claims_of(result)


def number(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize("topic", TOPICS)
def test_every_guarantee_is_proved_at_random_settings_or_the_page_says_it_is_violated(topic):
    n_proved = 0
    for place in range(N):
        _, _, values = at_random(topic, place)
        for claim in claims_of(topic, place):
            (line,) = panels.proof_lines([claim], verify)
            n_proved += line[0] == "✓"
            if line[0] != "✓":
                refused = claim.reason or "cannot be verified here, as" in line
                assert refused or claim.is_violated or is_kept(claim, claim.upper_bound), (line, values)
    assert n_proved > N / 3  # some noise has a reason instead of a proof


def sentence_with_noise(page: Page[Any], result: Any) -> str:
    """Return the sentence that has the scale of the noise:
    the answer; on Tables that on why the noise is recommended.
    """
    if isinstance(result, TablesResult):
        return recommendation_reason(result) if result.section == "noise" else ""
    return page.answer_text(result)[0]


@pytest.mark.parametrize("topic", SHOWN)
def test_the_guarantee_of_the_answer_is_proved_from_its_digits_at_random_settings(topic):
    n_proved = 0
    for place in range(N):
        page, result, values = at_random(topic, place)
        match = re.search(SHOWN[topic], sentence_with_noise(page, result))
        claim = next((listed for listed in claims_of(topic, place) if listed.function), None)
        if match is None or claim is None:
            continue
        digits = {key: number(text) for key, text in match.groupdict().items()}
        most = digits.pop("most", claim.upper_bound)
        most = digits.pop("percent") / 100 if "percent" in digits else most
        assert {key: claim.arguments[key] for key in digits} == digits, values
        assert is_kept(claim, most, **digits), values
        n_proved += 1
    assert n_proved > N / 8


@pytest.mark.parametrize("topic", ["start", "gaussian_bounds", "generalized_gaussian", "laplace_gaussian", "tables"])
def test_noise_smaller_by_one_unit_of_the_last_digit_that_is_shown_is_not_proved(topic):
    n_refuted = 0
    for place in range(N):
        _, _, values = at_random(topic, place)
        if "disjoint" in values.values() or "pdp" in values.values() or "classical" in values.values():
            continue  # more than is needed
        claim = next((listed for listed in claims_of(topic, place) if listed.function), None)
        if claim is None or claim.function not in LEAST:
            continue
        key = "sigma" if "sigma" in claim.arguments else "scale"
        noise = claim.arguments[key]
        less = noise - Decimal(1).scaleb(noise.adjusted() - 3)
        found_then = enclosure(claim, **{key: less})
        assert not verify.proved(found_then, claim.upper_bound), (claim, values)
        n_refuted += 1
    assert n_refuted > N / 8


@pytest.mark.parametrize("topic", TOPICS)
def test_a_claim_without_a_proof_has_a_sentence_with_the_reason(topic):
    for place in range(N):
        for claim in claims_of(topic, place):
            assert bool(claim.function) != bool(claim.reason)
            assert not claim.reason or re.fullmatch(r"[A-Z].*\.", claim.reason)
