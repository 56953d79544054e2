"""The programs of the pages run against the libraries themselves, and what the pages say of them."""

import math
import warnings

import numpy as np
import pytest

from dpcore import composition, gaussian, generalized_gaussian, verify
from pages.framework.layout.section import Snippet
from pages.shared.other_libraries import DPCORE, OPENDP, PEERS, gaussian_sigma
from tests.programs import SETTINGS, printed, snippets

RANDOM = 40


def run(snippet: Snippet) -> list[float]:
    """Return what a program prints; the warnings are those of its library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return printed(snippet)


def expect_as_said(snippet: Snippet) -> None:
    numbers = run(snippet)
    assert len(numbers) == len(snippet.page_values)
    for value, ours in zip(numbers, snippet.page_values, strict=True):
        assert value == ours or snippet.min_ratio <= value / ours <= snippet.max_ratio, (snippet, numbers)


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_program_prints_what_the_page_says_of_it(setting):
    for snippet in snippets(setting):
        if snippet.library != DPCORE and snippet.page_values:
            expect_as_said(snippet)


def test_every_library_is_run_somewhere_on_gaussian_bounds_and_composition():
    for page in ("/Gaussian_bounds", "/Composition"):
        programs = [snippet for setting in SETTINGS if setting.startswith(page) for snippet in snippets(setting)]
        assert {listed.library for listed in programs if listed.page_values and listed.code} == {DPCORE, *PEERS}


def spread(rng: np.random.Generator, low: float, high: float) -> float:
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.3g}")


def test_the_statement_about_gaussian_noise_holds_over_the_whole_range():
    rng = np.random.default_rng(1)
    for _ in range(RANDOM):
        setting = spread(rng, 0.01, 10), spread(rng, 1e-10, 0.1), spread(rng, 1e-3, 1e4)
        compared = [
            snippet
            for snippet in gaussian_sigma(*setting, float(gaussian.analytic_sigma(*setting)))
            if snippet.page_values
        ]
        assert len(compared) >= len(PEERS) - 1
        for compared_snippet in compared:
            expect_as_said(compared_snippet)


@pytest.mark.parametrize(
    "page",
    [
        "/Laplace_vs_Gaussian?epsilon={0}&delta={1}&k={3}",
        "/Accuracy?epsilon={0}&delta={1}&query=sum&high={3}",
        "/Accuracy?known=accuracy&accuracy={3}",
        "/Tables?epsilon={0}&delta={1}&per_person={3}",
        "/Tables?epsilon={0}&delta={1}&per_person={3}&promise=delta&error=each",
        "/Tables?section=appear&threshold_noise=gaussian&epsilon={0}&delta={1}&per_person={3}",
        "/Tables?section=appear&threshold_noise=laplace&epsilon={0}&delta={1}&per_person={3}&per_cell={2}",
        "/A_series?section=ranges&epsilon={0}&in_periods={2}&n_cells=50&per_cell=2&neighbours=replace",
        "/Trade-off_curves?curves=!gdp:{0}*{2}@blue=&alpha={4}",
        "/Trade-off_curves?curves=!laplace:{0}@blue=&alpha={4}",
        "/Trade-off_curves?curves=!here_gaussian:@blue=&epsilon={0}&delta={1}&alpha={4}",
        "/Composition?releases=!gaussian:{3}*{2}=;laplace:0.05*{2}=&delta={1}",
        "/Composition?releases=!gaussian:{3}*{2}=;sampled:2,0.01*50=&delta={1}",
        "/Composition?releases=!pure:0.05*{2}=;laplace:0.1=&delta={1}",
        "/Composition?section=training&noise_multiplier={0}&epochs={2}&batch=100&delta={1}",
        "/Composition?section=published&at_delta=page&delta={1}",
    ],
)
def test_the_statement_holds_at_other_settings_too(page):
    rng = np.random.default_rng(2)
    for _ in range(3):
        setting = page.format(
            spread(rng, 0.6, 4),
            spread(rng, 1e-8, 1e-3),
            rng.integers(1, 9),
            rng.integers(2, 12),
            spread(rng, 0.01, 0.8),
        )
        for snippet in snippets(setting):
            if snippet.library != DPCORE and snippet.page_values:
                expect_as_said(snippet)


def test_the_gaussian_of_diffprivlib_is_too_small_where_the_page_says_so():
    (sigma,) = run(next(snippet for snippet in gaussian_sigma(5, 1e-15, 1, 1.0) if snippet.library == "diffprivlib"))
    assert verify.gaussian_delta(epsilon=5.0, sigma=sigma).low > 1e-15


def test_the_plain_gaussian_of_diffprivlib_refuses_more_than_one_as_the_page_says():
    from diffprivlib.mechanisms import Gaussian

    assert Gaussian(epsilon=1, delta=1e-6, sensitivity=1).variance(0) ** 0.5 == pytest.approx(
        gaussian.classical_sigma(1, 1e-6), rel=1e-12
    )
    with pytest.raises(ValueError, match="greater than 1"):
        Gaussian(epsilon=1.1, delta=1e-6, sensitivity=1)


def test_the_central_limit_accountant_of_opacus_is_below_the_truth_where_the_page_says_so():
    from opacus.accountants import GaussianAccountant

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        accountant = GaussianAccountant()
    accountant.history = [(1.1, 256 / 60000, 14063)]
    epsilon = float(accountant.get_epsilon(delta=1e-6))
    assert f"{epsilon:.3f}" == "2.622"
    releases = [composition.sampled_release(1.1, 256 / 60000, 14063)]
    exact, certified = composition.exact_delta(releases, epsilon), composition.certified_delta(releases, epsilon)
    assert exact.value - 2 * exact.error > 1.2e-6
    assert certified.value - 2 * certified.error > 1.2e-6
    assert f"{composition.exact_epsilon(releases, 1e-6).value:.3f}" == "2.697"


def test_the_bounded_laplace_noises_of_diffprivlib_are_ours_at_p_1():
    from diffprivlib.mechanisms import LaplaceBoundedDomain, LaplaceTruncated

    truncated = LaplaceBoundedDomain(epsilon=0.7, sensitivity=2.0, lower=0.0, upper=10.0)
    assert truncated._find_scale() == pytest.approx(generalized_gaussian.exact_truncated_scale(0.7, 1, 10, 2), rel=1e-9)
    clipped = LaplaceTruncated(epsilon=0.7, sensitivity=2.0, lower=0.0, upper=10.0)
    b = float(generalized_gaussian.exact_boundary_inflated_scale(0.7, 1, 10, 2))
    moments = generalized_gaussian.boundary_inflated_moments(3, b, 1, 0, 10)
    assert clipped.variance(3.0) == pytest.approx(moments.variance, rel=1e-6)


def random_plan(rng: np.random.Generator) -> str:
    """Return a link to a plan of random queries."""
    rows = (
        f"count:{spread(rng, 3, 100)}",
        f"sum:{spread(rng, 100, 1000)},0,{rng.integers(1, 100)}",
        f"mean:{spread(rng, 0.3, 3)},0,100,{rng.integers(500, 5000)}",
        f"table:{spread(rng, 10, 100)},{rng.integers(2, 60)},{rng.integers(1, 5)},1*all",
        f"own:{spread(rng, 3, 30)},3,2",
        f"proportion:{spread(rng, 0.01, 0.1)},{rng.integers(500, 5000)}*hidden",
    )
    chosen = rng.choice(rows, rng.integers(1, 6), replace=False)
    direction, guarantee = rng.choice(["errors", "total"]), rng.choice(["delta", "delta", "pure"])
    return f"/Plan?direction={direction}&promise={guarantee}&queries={';'.join(chosen)}"


def test_opendp_states_the_same_privacy_of_every_measurement_of_fifty_plans():
    rng = np.random.default_rng(33)
    for _ in range(50):
        (of_opendp,) = [snippet for snippet in snippets(random_plan(rng)) if snippet.library == OPENDP]
        assert of_opendp.page_values
        expect_as_said(of_opendp)
