"""Quantiles by other libraries: their draws have the distributions of dpcore, and fail where the page says so."""

import numpy as np
import opendp.prelude as dp
import pytest
from diffprivlib import tools
from numpy.typing import NDArray

from dpcore import quantiles
from pages.shared.other_libraries import DIFFPRIVLIB
from tests.programs import printed, snippets

VALUES = np.sort(np.random.default_rng(3).uniform(0, 100, 30))
N_DRAWS = 4500
DIFFPRIVLIB_WARNINGS = "ignore::diffprivlib.utils.PrivacyLeakWarning"


def farthest(counts: NDArray[np.int_], chance: NDArray[np.float64]) -> float:
    """Return by how many standard errors a count is off at most; one more in each, where few are expected."""
    return float(np.max(abs(counts - N_DRAWS * chance) / np.sqrt(N_DRAWS * chance * (1 - chance) + 1)))


@pytest.mark.parametrize(("share", "parts"), [(0.3, 1), (0.5, 3)])
@pytest.mark.filterwarnings(DIFFPRIVLIB_WARNINGS)
def test_diffprivlib_draws_any_number_with_the_noise_for_a_person_who_is_replaced(share, parts):
    """Of several quantiles, each has an equal part of ε."""
    levels = [share, 0.8, 0.9][:parts]
    drawn = [np.ravel(tools.quantile(VALUES, levels, epsilon=1.0, bounds=(0, 100)))[0] for _ in range(N_DRAWS)]
    off = {}
    for neighbours in ("replace", "add_remove"):
        edges, chance = quantiles.released_distribution(VALUES, share, 1.0 / parts, quantiles.Range(0, 100), neighbours)
        off[neighbours] = farthest(np.histogram(drawn, edges)[0], chance)
    assert off["replace"] < 4.5 < off["add_remove"]


def test_opendp_draws_by_permute_and_flip_where_no_values_are_equal():
    dp.enable_features("contrib")
    candidates = np.arange(0.0, 101, 5)
    spaces = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance(), dp.max_divergence()

    def noisy(scale):
        return dp.m.make_private_quantile(*spaces, candidates, 0.3, scale)

    release, values = noisy(dp.binary_search_param(noisy, 1, 1.0)), VALUES.tolist()
    drawn = np.array([release(values) for _ in range(N_DRAWS)])
    counts = (drawn[:, np.newaxis] == candidates).sum(axis=0)
    off = {
        mechanism: farthest(
            counts,
            quantiles.released_distribution(VALUES, 0.3, 1.0, quantiles.Grid(candidates, mechanism)).probabilities,
        )
        for mechanism in ("permute_and_flip", "exponential")
    }
    assert off["permute_and_flip"] < 4.5 < off["exponential"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning", DIFFPRIVLIB_WARNINGS)
def test_diffprivlib_fails_with_many_equal_values_where_dpcore_has_the_distribution():
    values = np.random.default_rng(1).lognormal(np.log(30), 0.8, 10**6).clip(0, 600).round()
    with pytest.raises(RuntimeError, match="Can't find a candidate to return"):
        tools.quantile(values, 0.5, epsilon=0.5, bounds=(0, 600))
    assert float(quantiles.half_width(values, 0.5, 0.5, quantiles.Grid(np.arange(601)))) == 0


@pytest.mark.parametrize("setting", ["/A_median", "/A_median?section=several&quantiles=0.1,0.5,0.9"])
@pytest.mark.filterwarnings(DIFFPRIVLIB_WARNINGS)
def test_the_programs_of_diffprivlib_draw_quantiles_of_the_range(setting):
    (program,) = (snippet for snippet in snippets(setting) if snippet.library == DIFFPRIVLIB)
    drawn = printed(program)
    assert len(drawn) == (3 if "several" in setting else 1)
    assert all(0 <= value <= 600 for value in drawn)
