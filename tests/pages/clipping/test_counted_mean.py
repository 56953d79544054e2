"""A mean whose number of values is not public: its bound, and the two numbers that get noise."""

import re

import pytest

from dpcore import clipping, gaussian, truncated_laplace, verify
from pages.clipping import text as clipping_text
from pages.clipping.bounds import section
from pages.framework.layout import panels
from pages.framework.parameters.number_format import format_up
from tests.pages.conftest import found_by

TOPIC = "clipping"


def test_a_mean_whose_number_is_counted_has_its_own_bound_and_no_proof():
    result = found_by(TOPIC, query="counted_mean", count_share="0.3", noise="gaussian")
    best = clipping.best_bounds(result.known, 1.0, 0, noise="gaussian", count_share=0.3)
    assert result.bounds.exact_best[1] == best.high
    expected = clipping.mean_error(result.known, 0, result.bounds.high, 1.0, "gaussian", count_share=0.3)
    assert float(result.bounds.chosen.half_width) == float(expected.half_width)
    assert [line[0] for line in panels.proof_lines(section.SECTION.claims(result), verify)] == ["–", "–"]
    half = result.bounds.high / 2
    assert f"low=-{half:.0f}&high={half:.0f}" in clipping_text.links_text(result, result.bounds)
    stated = section.SECTION.statements(result)
    assert stated
    sigma = format_up(float(gaussian.analytic_sigma(0.3, 0.3e-6)))
    assert f"in the number of values, σ = {sigma}, Δ = 1, with 30 %" in stated.experts


@pytest.mark.parametrize(("noise", "symbol"), [("laplace", "b"), ("gaussian", "σ"), ("truncated_laplace", "b")])
def test_a_mean_whose_number_is_counted_names_both_noises_which_together_cost_what_it_says(noise, symbol):
    link = {"query": "counted_mean", "noise": noise, "low": "20", "bound": "100", "delta": "1e-3", "count_share": "0.3"}
    result = found_by(TOPIC, **link)
    words = section.mechanism_text(result, result.bounds)
    scales = [float(text.replace(",", "")) for text in re.findall(rf"\b{symbol} = ([\d.,]+\d)", words)]
    assert "from the middle 60, " in words
    assert [float(text) for text in re.findall(r"Δ = ([\d.]+\d|\d)", words)] == [40, 1]
    normal = float(gaussian.analytic_sigma(0.7, 7e-4, 40)), float(gaussian.analytic_sigma(0.3, 3e-4, 1))
    for scale, least in zip(scales, normal if noise == "gaussian" else (40 / 0.7, 1 / 0.3), strict=True):
        assert least <= scale <= least * (1 + 1e-3)
    if noise == "truncated_laplace":
        ends = [float(text.replace(",", "")) for text in re.findall(r"\bA = ([\d.,]+\d)", words)]
        for scale, end, moved, share in zip(scales, ends, (40, 1), (0.7, 0.3), strict=True):
            assert end >= float(truncated_laplace.bound_from_epsilon(moved / scale, share * 1e-3, moved)) * (1 - 1e-12)
