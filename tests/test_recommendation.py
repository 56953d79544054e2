from dataclasses import replace

import numpy as np
import pytest

from dpcore.calibrations import ANALYTIC, LAPLACE, LOWER, PROVED, PURE_DP, STAIRCASE
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism, calibrated
from dpcore.recommendation import Recommendation, recommend
from dpcore.sensitivity import table_sensitivity
from dpcore.tables import KEYS, mechanisms


def best(
    guarantee: str, k: int, significance: float = 0.05, epsilon: float = 1.0, keys: tuple[str, ...] = KEYS, **more
) -> Recommendation:
    moved = table_sensitivity(k, **more)
    recommendation = recommend(mechanisms(epsilon, 1e-6, moved, keys=keys), guarantee, bool(moved.whole), significance)
    assert recommendation is not None
    return recommendation


def key_of(noise: Mechanism | None) -> str | None:
    return noise and noise.key


@pytest.mark.parametrize("k", [1, 3, 12, 40, 300])
@pytest.mark.parametrize("guarantee", ["pure", "delta"])
def test_the_recommended_noise_has_the_least_half_width_of_those_that_satisfy_the_guarantee(k, guarantee):
    recommendation = best(guarantee, k)
    noises = mechanisms(1.0, 1e-6, table_sensitivity(k))
    rivals = [noise for noise in noises if noise.status == PROVED and FAMILIES[noise.family].is_sampled_safely]
    if guarantee == "pure":
        rivals = [noise for noise in rivals if noise.guarantee == PURE_DP]
    assert recommendation.mechanism in rivals
    assert np.ceil(recommendation.error) <= 1.01 * min(np.ceil(noise.half_width(0.05)) for noise in rivals)
    runner_up = next(noise for noise in rivals if noise == recommendation.runner_up)
    assert recommendation.runner_up_error == runner_up.half_width(0.05)


def test_counts_that_a_person_moves_by_whole_numbers_get_whole_noise_where_that_is_as_good():
    recommendation = best("pure", 3)
    assert (recommendation.mechanism.key, key_of(recommendation.runner_up), recommendation.reason) == (
        "geometric",
        "laplace",
        "whole",
    )
    recommendation = best("pure", 3, epsilon=10.4)  # ±1 of geometric noise is no worse than ±0.86 of Laplace's
    assert (recommendation.mechanism.key, recommendation.reason) == ("geometric", "whole")
    recommendation = best(
        "pure", 3, 0.0043
    )  # nor is ±16.35 of Laplace noise, which is ±16 when it is rounded, worse than ±16
    assert (recommendation.error, recommendation.reason) == (16, "whole")
    assert 16.3 < recommendation.runner_up_error < 16.5


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0, 20.0])
def test_pure_noise_for_integer_counts_is_always_geometric(epsilon):
    for significance in np.geomspace(1e-12, 0.99, 12):
        recommendation = best("pure", 3, significance, epsilon=epsilon)
        assert recommendation.mechanism.key == "geometric"
        assert recommendation.error <= np.ceil(recommendation.runner_up_error - 0.5)


def test_noise_that_reaches_further_even_when_it_is_rounded_is_not_as_good():
    noises = mechanisms(1, 1e-6, table_sensitivity(3))
    laplace, geometric = (noise for noise in noises if noise.key in ("geometric", "laplace"))
    for width, why in ((9.4, "whole"), (9.6, "smallest")):
        rival = replace(laplace, parameters=(laplace.scale * width / float(laplace.half_width(0.05)),))
        recommendation = recommend([rival, geometric], "pure", True)
        assert recommendation is not None
        assert (recommendation.mechanism, recommendation.error, recommendation.reason) == (geometric, 9, why)


def test_the_reach_of_noise_rounded_to_whole_numbers_is_the_one_that_simulation_shows():
    rng, laplace = np.random.default_rng(4), mechanisms(1, 1e-6, table_sensitivity(3), keys=("laplace",))[0]
    rounded = np.abs(np.rint(laplace.sample(rng, (400_000,))))
    reach = np.ceil(laplace.half_width(0.0043) - 0.5)
    assert np.mean(rounded <= reach) >= 1 - 0.0043 > np.mean(rounded <= reach - 1)


FEW = "laplace", "geometric", "analytic", "discrete_gaussian"


def test_fractions_get_laplace_noise_while_few_cells_move_and_gaussian_noise_beyond():
    recommendation = best("delta", 3, per_cell=0.5, keys=FEW)
    assert (recommendation.mechanism.key, key_of(recommendation.runner_up), recommendation.reason) == (
        "laplace",
        "analytic",
        "smallest",
    )
    recommendation = best("delta", 40, per_cell=0.5, keys=FEW)
    assert (recommendation.mechanism.key, recommendation.reason) == ("analytic", "smallest")
    recommendation = best("pure", 40, per_cell=0.5, keys=FEW)
    assert (recommendation.mechanism.key, recommendation.runner_up, recommendation.reason) == ("laplace", None, "only")
    assert np.isnan(recommendation.runner_up_error)


def test_between_noises_as_good_as_each_other_the_stronger_guarantee_is_taken():
    laplace = mechanisms(1.0, 1e-6, table_sensitivity(1, 0.5), keys=("laplace",))[0]
    rival = replace(laplace, key="analytic", guarantee="(ε, δ)-DP", parameters=(0.995 * laplace.scale,))
    recommendation = recommend([rival, laplace], "delta", False)
    assert recommendation is not None
    assert (recommendation.mechanism, recommendation.runner_up, recommendation.reason) == (laplace, rival, "guarantee")


@pytest.mark.parametrize(("ratio", "key"), [(1.0099, "laplace"), (1.0101, "analytic"), (1.03, "analytic")])
def test_a_half_width_larger_by_more_than_one_percent_is_not_as_good(ratio, key):
    smaller = calibrated(ANALYTIC, 1, 1e-6)
    scale = ratio * float(smaller.half_width(0.05)) / float(calibrated(LAPLACE, 1, 0).half_width(0.05))
    stronger = replace(calibrated(LAPLACE, 1, 0), parameters=(scale,), scale=scale)
    for candidates in ((stronger, smaller), (smaller, stronger)):
        recommendation = recommend(candidates, "delta", whole=False)
        assert recommendation is not None
        assert (recommendation.mechanism.key, recommendation.reason) == (
            key,
            "guarantee" if key == "laplace" else "smallest",
        )
        assert [other.reason for other in recommendation.passed_over] == [
            "weaker guarantee" if key == "laplace" else "larger"
        ]


def test_a_noise_without_a_safe_sampler_is_named_as_narrower_and_not_recommended():
    recommendation = best("delta", 1, 0.3, epsilon=4, per_cell=0.5)
    assert recommendation.mechanism.key not in ("staircase", "generalized_gaussian")
    assert "staircase" in {other.mechanism.key for other in recommendation.without_safe_sampler}
    for other in recommendation.without_safe_sampler:
        assert other.error == other.mechanism.half_width(0.3) < recommendation.error


def test_no_noise_is_recommended_if_none_satisfies_the_guarantee():
    assert recommend(mechanisms(0, 1e-6, table_sensitivity(3)), "pure", True) is None
    assert best("delta", 3, epsilon=0).mechanism.guarantee == "(ε, δ)-DP"


def test_a_noise_whose_guarantee_is_not_proved_is_never_recommended():
    classical = [noise for noise in mechanisms(20, 1e-6, table_sensitivity(3)) if noise.key == "classical"]
    assert len(classical) == 1
    assert recommend(classical, "delta", True) is None


def test_a_guarantee_of_another_name_is_refused():
    with pytest.raises(ValueError, match=r"^guarantee must be in pure, delta, got 'any'$"):
        best("any", 1)


def test_everything_that_is_passed_over_has_its_reason():
    expected = {
        "laplace": "not whole",
        "truncated_geometric": "other guarantee",
        "staircase": "no safe sampler",
        "analytic": "other guarantee",
        "discrete_gaussian": "other guarantee",
        "pdp": "other guarantee",
        "classical": "other guarantee",
        "generalized_gaussian": "other guarantee",
    }
    recommendation = best("pure", 1, epsilon=20, keys=("geometric", *expected))
    assert {other.mechanism.key: other.reason for other in recommendation.passed_over} == expected
    reasons = {other.mechanism.key: other.reason for other in best("delta", 1, epsilon=20).passed_over}
    assert reasons["classical"] == "not proved"
    assert reasons["generalized_gaussian"] == "no safe sampler"
    assert reasons["analytic"] == "larger"


def test_whole_noise_is_no_noise_for_fractions_and_a_lower_bound_none_for_a_release():
    (whole,) = mechanisms(1.0, 1e-6, table_sensitivity(1), keys=("geometric",))
    candidates = [whole, calibrated(LOWER, 1, 1e-6), calibrated(LAPLACE, 0, 0), calibrated(ANALYTIC, 1, 1e-6)]
    recommendation = recommend(candidates, "delta", whole=False)
    assert recommendation is not None
    assert (recommendation.mechanism.key, recommendation.reason, recommendation.runner_up) == ("analytic", "only", None)
    assert [other.reason for other in recommendation.passed_over] == ["answers not whole", "lower bound", "no answer"]
    assert np.isnan(recommendation.passed_over[2].error)


def test_the_chosen_error_decides():
    """Laplace noise has the larger half-width and variance here, and still the smaller mean error."""
    sizes = {"variance": "analytic", "mean_absolute_error": "laplace", "half_width": "analytic"}
    candidates = calibrated(LAPLACE, 1, 0, 9.1), calibrated(ANALYTIC, 1, 1e-6, 3.0)
    candidates = *candidates, replace(calibrated(STAIRCASE, 1, 0, 9.1), status="fails")
    for measure, key in sizes.items():
        recommendation = recommend(candidates, "delta", whole=False, measure=measure)
        assert recommendation is not None
        assert recommendation.mechanism.key == key
        errors = {
            candidate.key: float(getattr(candidate, measure)) if measure != "half_width" else candidate.half_width(0.05)
            for candidate in candidates[:2]
        }
        assert (recommendation.error, recommendation.runner_up_error) == (min(errors.values()), max(errors.values()))


def test_for_many_cells_together_the_half_width_of_all_of_them_decides():
    candidates = calibrated(LAPLACE, 1, 0, 6.0), calibrated(ANALYTIC, 1, 1e-6, 6.0**0.5)
    recommendations = [recommend(candidates, "delta", False, 0.05, n_cells) for n_cells in (1, 10**6)]
    assert [recommendation and recommendation.mechanism.key for recommendation in recommendations] == [
        "laplace",
        "analytic",
    ]
