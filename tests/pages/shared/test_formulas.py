"""The words about samplers, on the pages where the user chooses the noise."""

import doctest

import pytest

from pages.clipping.page import PAGE as CLIPPING
from pages.framework.layout.page import Page
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.values import amounts
from pages.tradeoff.page import PAGE as TRADEOFF
from tests.pages.conftest import LIGHT, found_by


@pytest.mark.parametrize(("noise", "sampler"), [("geometric", WHOLE_SAMPLER), ("laplace", SAMPLER)])
@pytest.mark.parametrize(
    ("topic", "page", "section"),
    [("clipping", CLIPPING, "sum"), ("clipping", CLIPPING, "contributions"), ("tradeoff", TRADEOFF, "risk")],
)
def test_noise_on_whole_numbers_is_drawn_exactly_and_other_noise_by_a_safe_sampler(
    topic: str, page: Page, section: str, noise: str, sampler: str
):
    result = found_by(topic, section=section, noise=noise)
    texts = "".join(str(part) for part in page.section_by_key[section].parts(result, LIGHT))
    assert sampler in texts
    assert texts.count("**Sampler.**") == 1
    assert ("values that are whole numbers" in texts) == ((section, noise) == ("sum", "geometric"))


def test_the_example_of_a_unit_after_its_number_holds():
    assert doctest.testmod(amounts).failed == 0
