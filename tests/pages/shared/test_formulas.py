"""The words about samplers where the user chooses the noise; truncated noise as it is displayed is safe."""

import numpy as np
import pytest

from dpcore import truncated_geometric, truncated_laplace
from pages.clipping.page import PAGE as CLIPPING
from pages.framework.layout.page import Page
from pages.framework.parameters.number_format import format_up
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER, truncated_geometric_texts, truncated_laplace_texts
from pages.shared.guarantee_claims import number
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


def test_truncated_noise_with_the_displayed_numbers_satisfies_its_guarantee():
    rng, rounded_apart = np.random.default_rng(1), 0
    for epsilon, delta in zip(10 ** rng.uniform(-3, 1, 200), 10 ** rng.uniform(-9, -1, 200), strict=True):
        bound, scale = (float(number(text)) for text in truncated_laplace_texts(epsilon, delta, 2.0))
        assert truncated_laplace.delta_from_bound(epsilon, bound, scale, 2.0) <= delta
        exact = float(truncated_laplace.bound_from_epsilon(epsilon, delta, 2.0))
        assert exact <= bound < exact * 1.003
        rounded_apart += (
            truncated_laplace.delta_from_bound(epsilon, float(number(format_up(exact))), scale, 2.0) > delta
        )
        least = float(truncated_geometric.bound_from_epsilon(epsilon / 2, 1 - np.sqrt(1 - delta)))
        bound, scale = (float(number(text)) for text in truncated_geometric_texts(least, 2 / epsilon, delta, 1.0, 2))
        assert truncated_geometric.delta_from_bound(epsilon / 2, bound, scale) <= 1 - np.sqrt(1 - delta)
        assert least <= bound <= least * 1.001 + 1
    assert rounded_apart > 50


def test_the_parameters_at_the_ends_of_the_domain_are_text():
    assert truncated_laplace_texts(0.0, 0.01, 1.0) == ("50", format_up(np.inf))
    assert truncated_geometric_texts(1e6, np.inf, 5e-7, 1.0, 1)[0] == "1e6"
