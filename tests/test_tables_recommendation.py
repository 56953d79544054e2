from dataclasses import replace

import numpy as np
import pytest

from dpcore.calibrations import DP, PROVED, PURE_DP
from dpcore.tables import Noise, Recommendation, mechanisms, moves, recommended
from dpcore.tables.recommendation import Candidate, choice


def best(promise: str, k: int, significance: float = 0.05, epsilon: float = 1.0, **more) -> Recommendation:
    found = recommended(mechanisms(epsilon, 1e-6, moves(k, **more)), promise, significance)
    assert found is not None
    return found


def key_of(noise: Noise | None) -> str | None:
    return noise and noise.key


@pytest.mark.parametrize("k", [1, 3, 12, 40, 300])
@pytest.mark.parametrize("promise", ["pure", "delta"])
def test_the_recommended_noise_has_the_least_half_width_of_those_that_keep_the_promise(k, promise):
    found = best(promise, k)
    noises = mechanisms(1.0, 1e-6, moves(k))
    rivals = [noise for noise in noises if noise.key not in ("staircase", "generalized_gaussian", "classical")]
    if promise == "pure":
        rivals = [noise for noise in rivals if noise.promise == PURE_DP]
    assert found.noise in rivals
    assert np.ceil(found.half_width) <= 1.01 * min(np.ceil(noise.half_width(0.05)) for noise in rivals)
    runner_up = next(noise for noise in rivals if noise == found.runner_up)
    assert found.runner_up_half_width == runner_up.half_width(0.05)


def test_counts_that_a_person_moves_by_whole_numbers_get_whole_noise_where_that_is_as_good():
    found = best("pure", 3)
    assert (found.noise.key, key_of(found.runner_up), found.why) == ("geometric", "laplace", "whole")
    found = best("pure", 3, epsilon=10.4)  # ±1 of geometric noise is no worse than ±0.86 of Laplace's
    assert (found.noise.key, found.why) == ("geometric", "whole")
    found = best("pure", 3, 0.0043)  # nor is ±16.35 of Laplace noise, which is ±16 when it is rounded, worse than ±16
    assert (found.half_width, found.why) == (16, "whole")
    assert 16.3 < found.runner_up_half_width < 16.5


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0, 20.0])
def test_pure_noise_for_whole_counts_is_always_geometric_since_rounded_laplace_noise_never_reaches_less_far(epsilon):
    for significance in np.geomspace(1e-12, 0.99, 40):
        found = best("pure", 3, significance, epsilon=epsilon)
        assert found.noise.key == "geometric"
        assert found.half_width <= np.ceil(found.runner_up_half_width - 0.5)


def test_noise_that_reaches_further_even_when_it_is_rounded_is_not_as_good():
    laplace, geometric = (each for each in mechanisms(1, 1e-6, moves(3)) if each.key in ("geometric", "laplace"))
    for width, why in ((9.4, "whole"), (9.6, "narrowest")):
        rival = replace(laplace, parameters=(laplace.scale * width / float(laplace.half_width(0.05)),))
        found = recommended([rival, geometric], "pure", 0.05)
        assert found is not None
        assert (found.noise, found.half_width, found.why) == (geometric, 9, why)


def test_the_reach_of_noise_rounded_to_whole_numbers_is_the_one_that_simulation_shows():
    rng, laplace = np.random.default_rng(4), mechanisms(1, 1e-6, moves(3))[0]
    rounded = np.abs(np.rint(laplace.sample(rng, (400_000,))))
    reach = np.ceil(laplace.half_width(0.0043) - 0.5)
    assert np.mean(rounded <= reach) >= 1 - 0.0043 > np.mean(rounded <= reach - 1)


def test_fractions_get_laplace_noise_while_few_cells_move_and_gaussian_noise_beyond():
    found = best("delta", 3, per_cell=0.5)
    assert (found.noise.key, key_of(found.runner_up), found.why) == ("laplace", "analytic", "narrowest")
    found = best("delta", 40, per_cell=0.5)
    assert (found.noise.key, found.why) == ("analytic", "narrowest")
    found = best("pure", 40, per_cell=0.5)
    assert (found.noise.key, found.runner_up, found.why) == ("laplace", None, "only")
    assert np.isnan(found.runner_up_half_width)


def test_between_noises_as_good_as_each_other_the_stronger_promise_is_taken():
    laplace = mechanisms(1.0, 1e-6, moves(1, 0.5))[0]
    rival = replace(laplace, key="analytic", promise="(ε, δ)-DP", parameters=(0.995 * laplace.scale,))
    found = recommended([rival, laplace], "delta", 0.05)
    assert found is not None
    assert (found.noise, found.runner_up, found.why) == (laplace, rival, "promise")


@pytest.mark.parametrize(("ratio", "key"), [(1.0099, "laplace"), (1.0101, "analytic"), (1.03, "analytic")])
def test_a_half_width_larger_by_more_than_one_percent_is_not_as_good(ratio, key):
    stronger = Candidate("laplace", 10 * ratio, whole=False, promise=PURE_DP, status=PROVED)
    narrower = Candidate("analytic", 10.0, whole=False, promise=DP, status=PROVED)
    for candidates in ((stronger, narrower), (narrower, stronger)):
        found = choice(candidates, "delta")
        assert found is not None
        assert (found.key, found.why) == (key, "promise" if key == "laplace" else "narrowest")


def test_a_noise_without_a_safe_sampler_is_named_as_narrower_and_not_recommended():
    found = best("delta", 1, 0.3, epsilon=4, per_cell=0.5)
    assert found.noise.key not in ("staircase", "generalized_gaussian")
    assert "staircase" in {noise.key for noise in found.narrower}
    for noise in found.narrower:
        assert noise.half_width(0.3) < found.half_width


def test_where_no_noise_keeps_the_promise_none_is_recommended():
    assert recommended(mechanisms(0, 1e-6, moves(3)), "pure", 0.05) is None
    assert best("delta", 3, epsilon=0).noise.promise == "(ε, δ)-DP"


def test_a_noise_whose_promise_is_not_proved_is_never_recommended():
    classical = [noise for noise in mechanisms(20, 1e-6, moves(3)) if noise.key == "classical"]
    assert len(classical) == 1
    assert recommended(classical, "delta", 0.05) is None


def test_a_promise_of_another_name_is_refused():
    with pytest.raises(ValueError, match=r"^promise must be in pure, delta, got 'any'$"):
        best("any", 1)
