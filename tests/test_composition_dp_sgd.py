"""DP-SGD: ε of a training and its inverses, against the values of the reference and against each other."""

import math
import re

import numpy as np
import pytest

from dpcore.composition import (
    certified_epsilon,
    dp_sgd_batch,
    dp_sgd_epsilon,
    dp_sgd_epsilon_bound,
    dp_sgd_noise_multiplier,
    dp_sgd_sampling_rate,
    dp_sgd_steps,
    epsilon,
    exact_epsilon,
    rdp_epsilon,
    sampled_release,
    steps_of_epochs,
)
from dpcore.composition.tilts import saddle_epsilon

DELTA = 1e-5
RATE, STEPS = 256 / 60000, 14063
EXACT = [  # rate, noise, steps, exact ε at 1e-5: dp-accounting, prv-accountant and mpmath agree on these digits
    (0.01, 4, 10000, 0.946866800764),
    (0.01, 4, 40000, 2.033065265045),
    (250 / 60000, 1.3, 3600, 0.852979522270),
    (RATE, 1.1, STEPS, 2.381689726142),
    (1 / 938, 1, 9380, 0.493334327584),
    (0.01, 0.6, 1000, 7.433613821),
]
TARGETS = [1, 2, 4, 8]
NOISES = [2.02492120, 1.22417555, 0.84449824, 0.65571571]  # exact noise for these ε
RDP_NOISES = [2.17848860, 1.29526007, 0.88016908, 0.68371199]  # at integer orders, so at most this at all


@pytest.mark.parametrize(("rate", "noise", "steps", "exact"), EXACT)
def test_epsilon_is_never_below_the_exact_value_and_a_thousandth_above_it_at_most(rate, noise, steps, exact):
    assert exact * (1 - 1e-9) <= dp_sgd_epsilon(DELTA, noise, rate, steps) <= exact * 1.001
    assert dp_sgd_epsilon(DELTA, noise, rate, steps, "exact") == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(("rate", "noise", "steps", "exact"), EXACT)
def test_a_list_of_one_training_has_the_same_certified_epsilon(rate, noise, steps, exact):
    del exact
    of_list = epsilon([sampled_release(noise, rate, steps)], DELTA, "certified").value
    assert dp_sgd_epsilon(DELTA, noise, rate, steps) == of_list


def test_the_other_accountants_give_the_values_of_the_reference():
    assert dp_sgd_epsilon(DELTA, 4, 0.01, 10000, "rdp") == pytest.approx(1.035490, rel=2e-3)
    assert dp_sgd_epsilon(DELTA, 4, 0.01, 10000, "clt") == pytest.approx(0.942440, abs=1e-6)
    assert dp_sgd_epsilon(DELTA, 0.6, 0.001, 10000, "clt") == pytest.approx(1.504975, abs=1e-6)
    assert dp_sgd_epsilon(DELTA, 0.05, 0.001, 10000, "clt") == np.inf


def test_the_certified_bound_replaces_a_contour_that_does_not_converge():
    unresolved = 1e-9, 0.3, 1e-6, 10
    with pytest.warns(RuntimeWarning, match="Exact integration failed for 1 of 1 trainings; a certified upper bound"):
        assert dp_sgd_epsilon(*unresolved, "exact") == dp_sgd_epsilon(*unresolved)
    with pytest.warns(RuntimeWarning, match="failed for 2 of 4 trainings"):
        dp_sgd_epsilon(1e-5, 0.5, 1e-4, [[1, 4], [5, 1000]], "exact")


def test_a_bound_on_epsilon_says_what_it_is_and_by_which_accountant_it_was_found():
    steps = [[1, 4], [5, 1000]]
    exact = dp_sgd_epsilon_bound(DELTA, 0.5, 1e-4, steps, "exact")
    assert exact.kind.tolist() == [["estimate", "certified"], ["certified", "estimate"]]
    assert exact.accountant.tolist() == [["exact", "certified"], ["certified", "exact"]]
    certified = dp_sgd_epsilon_bound(DELTA, 0.5, 1e-4, steps)
    assert np.all(certified.kind == "certified")
    assert np.all(certified.value >= exact.value)
    assert np.all(certified.error <= 1e-2 * certified.value)
    assert np.all(certified.value - exact.value <= 1.5 * certified.error + exact.error)
    for name, kind in (("rdp", "certified"), ("clt", "estimate")):
        other = dp_sgd_epsilon_bound(DELTA, 0.5, 1e-4, 1000, name)
        assert (other.kind, other.accountant) == (kind, name)
        assert np.isnan(other.error)
        assert other.value == dp_sgd_epsilon(DELTA, 0.5, 1e-4, 1000, name)


def test_epsilon_of_a_single_step_is_exact_by_every_accountant_that_is_not_a_limit():
    """ "exact" returned the certified bound .19949979 in silence, as its integral does not converge here."""
    assert dp_sgd_epsilon(1e-5, 1, 0.01, 1, "exact") == pytest.approx(0.199450448, abs=5e-10)
    assert dp_sgd_epsilon(1e-5, 1, 0.01, 1) == dp_sgd_epsilon(1e-5, 1, 0.01, 1, "exact")
    assert dp_sgd_epsilon(8.57e-20, 0.819, 1.4856e-7, 1, "exact") == pytest.approx(1.3272008e-3, rel=1e-7)


@pytest.mark.parametrize(("epsilon", "exact", "rdp"), [(2, NOISES[1], RDP_NOISES[1]), (8, NOISES[3], RDP_NOISES[3])])
def test_noise_satisfies_its_target_and_is_at_most_a_thousandth_above_the_least(epsilon, exact, rdp):
    noise = dp_sgd_noise_multiplier(epsilon, DELTA, RATE, STEPS)
    assert dp_sgd_epsilon(DELTA, noise, RATE, STEPS) <= epsilon
    assert exact * (1 - 1e-7) <= noise <= exact * 1.001
    assert rdp * 0.99 <= dp_sgd_noise_multiplier(epsilon, DELTA, RATE, STEPS, "rdp") <= rdp * (1 + 3e-5)


def test_the_noise_of_the_clt_is_too_little():
    noise = dp_sgd_noise_multiplier(TARGETS, DELTA, RATE, STEPS, "clt")
    expected = [1.008924, 2.040300, 4.220324, 8.831642]
    assert dp_sgd_epsilon(DELTA, noise, RATE, STEPS, "exact") == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize(("batch", "exact"), [(1024, 2.16085406), (16384, 8.18229052)])
def test_larger_batches_take_more_noise_at_as_many_epochs(batch, exact):
    noise = dp_sgd_noise_multiplier(2, DELTA, batch / 60000, steps_of_epochs(60, 60000, batch))
    assert exact * (1 - 1e-7) <= noise <= exact * 1.001


@pytest.mark.parametrize(("epsilon", "exact"), [(1, 2761), (4, 35668)])
def test_steps_keep_their_target_and_are_few_below_the_most(epsilon, exact):
    steps = dp_sgd_steps(epsilon, DELTA, 1.1, RATE)
    assert dp_sgd_epsilon(DELTA, 1.1, RATE, steps) <= epsilon
    assert exact * 0.998 <= steps <= exact
    assert steps == int(steps)


@pytest.mark.parametrize(("epsilon", "exact"), [(2, 0.00364901), (8, 0.01221159)])
def test_a_rate_satisfies_its_target_and_is_slightly_below_the_largest(epsilon, exact):
    rate = dp_sgd_sampling_rate(epsilon, DELTA, 1.1, STEPS)
    assert dp_sgd_epsilon(DELTA, 1.1, rate, STEPS) <= epsilon
    assert exact * 0.998 <= rate <= exact * (1 + 1e-5)


def test_a_batch_satisfies_its_target_for_its_own_number_of_steps():
    batch = dp_sgd_batch(2, DELTA, 1.1, 60, 60000)
    assert dp_sgd_epsilon(DELTA, 1.1, batch / 60000, steps_of_epochs(60, 60000, batch)) <= 2
    assert dp_sgd_epsilon(DELTA, 1.1, (batch + 2) / 60000, steps_of_epochs(60, 60000, batch + 2), "exact") > 2


def test_a_target_that_no_training_meets_has_a_documented_result():
    assert dp_sgd_noise_multiplier(0, 1e-12, 1, 10**6) == np.inf
    assert dp_sgd_steps(0.1, 1e-6, 0.5, 1) == 0
    assert dp_sgd_batch(1e-3, 1e-6, 0.5, 10, 100) == 0
    assert dp_sgd_batch(1, 1e-6, 1, 1e9, 60000) == 0  # no batch has so few steps


def test_a_target_that_everything_meets_gives_the_end_of_the_range():
    assert dp_sgd_noise_multiplier(100, 0.5, 0.01, 1) == pytest.approx(1e-3)
    assert dp_sgd_steps(100, 1e-5, 1000, 1e-3) == 10**6
    assert dp_sgd_sampling_rate(100, 1e-5, 1000, 10) == 1
    assert dp_sgd_batch(100, 1e-5, 1000, 1, 500) == 500


def test_at_an_epsilon_of_0_delta_alone_satisfies_the_target():
    noise = dp_sgd_noise_multiplier(0, 1e-3, 0.01, 100)
    assert dp_sgd_epsilon(1e-3, noise, 0.01, 100) == 0
    assert dp_sgd_epsilon(1e-3, noise * 0.98, 0.01, 100) > 0
    rate = dp_sgd_sampling_rate(0, 1e-4, 1e-3, 100)  # without noise a record must hardly ever be taken
    assert rate == pytest.approx(1e-6, rel=1e-3)


@pytest.mark.parametrize("accountant", ["certified", "rdp", "clt", "exact"])
def test_inverses_agree_with_each_other(accountant):
    noise = dp_sgd_noise_multiplier(1.5, 1e-6, 0.02, 500, accountant)
    assert dp_sgd_steps(1.5, 1e-6, noise, 0.02, accountant) == pytest.approx(500, rel=2e-3)
    assert dp_sgd_sampling_rate(1.5, 1e-6, noise, 500, accountant) == pytest.approx(0.02, rel=1e-3)


def test_arguments_broadcast():
    epsilons = dp_sgd_epsilon([[1e-5], [1e-6]], [1, 2, 4], 0.01, 100)
    assert epsilons.shape == (2, 3)
    assert epsilons[1, 2] == dp_sgd_epsilon(1e-6, 4, 0.01, 100)
    assert dp_sgd_steps([], 1e-5, 1, 0.1).shape == (0,)
    assert dp_sgd_epsilon([], 1, 0.1, 10, "rdp").shape == (0,)


def test_the_noise_by_rdp_of_an_array_is_the_least_that_satisfies_each_target():
    epsilon, rate, steps = np.array([[2.0], [1e6], [1e-6]]), np.array([0.01, 1.0]), np.array([1000, 1])
    noise = dp_sgd_noise_multiplier(epsilon, [1e-6, 1e-300], rate, steps, "rdp")
    assert noise.shape == (3, 2)
    assert noise[2, 1] == math.inf
    noise[2, 1] = 1e6
    least = dp_sgd_epsilon([1e-6, 1e-300], noise, rate, steps, "rdp")
    assert np.flatnonzero(least > epsilon).tolist() == [5]
    lessened = np.maximum(noise * (1 - 1e-9), 1e-3)
    is_too_little = dp_sgd_epsilon([1e-6, 1e-300], lessened, rate, steps, "rdp") > epsilon
    assert np.flatnonzero(~is_too_little).tolist() == np.flatnonzero(noise == 1e-3).tolist() == [3]
    assert dp_sgd_noise_multiplier(1e6, 0.1, 1e-3, 1, "rdp") == 1e-3


def test_the_noise_by_rdp_of_few_records_and_steps_is_the_least_too():
    epsilon, delta = np.array([0.206, 0.966, 2.0]), np.array([1e-11, 8e-12, 1e-5])
    rate, steps = np.array([0.0038, 7e-4, 256 / 60000]), np.array([7, 63963, 14063])
    noise = dp_sgd_noise_multiplier(epsilon, delta, rate, steps, "rdp")
    assert (dp_sgd_epsilon(delta, noise, rate, steps, "rdp") <= epsilon).all()
    assert (dp_sgd_epsilon(delta, noise * (1 - 1e-9), rate, steps, "rdp") > epsilon).all()


def test_steps_are_rounded_up_but_not_for_the_last_bit():
    assert list(steps_of_epochs([60, 0.1, 1e-6], 60000, [256, 600, 256])) == [14063, 10, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dp_sgd_epsilon(0, 1, 0.1, 1), "delta must be in [1e-300, 1), got 0"),
        (lambda: dp_sgd_epsilon(0.1, 0, 0.1, 1), "noise_multiplier must be in [1e-3, 1e6], got 0"),
        (lambda: dp_sgd_epsilon(0.1, 1, 0, 1), "sampling_rate must be in (0, 1], got 0"),
        (lambda: dp_sgd_epsilon(0.1, 1, 0.1, 1.5), "steps must be in the whole numbers of [1, 1e6], got 1.5"),
        (
            lambda: dp_sgd_epsilon(0.1, 1, 0.1, 1, "prv"),
            "accountant must be in certified, rdp, exact, clt, got 'prv'",
        ),
        (lambda: dp_sgd_noise_multiplier(-1, 0.1, 0.1, 1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: dp_sgd_steps(1, 0.1, np.nan, 0.1), "noise_multiplier must be in [1e-3, 1e6], got nan"),
        (lambda: dp_sgd_batch(1, 0.1, 1, 0, 10), "epochs must be in (0, 1e9], got 0"),
        (lambda: steps_of_epochs(1, 10, 0), "batch must be in (0, 1e12], got 0"),
    ],
)
def test_a_number_out_of_its_range_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


def test_noise_has_an_answer_at_the_strictest_of_all_targets():
    epsilon, rate, steps = [0, 0, 1e-300, 1e-300], [1, 1e-12, 1, 1e-12], [1e6, 1, 1, 1e6]
    assert np.all(dp_sgd_noise_multiplier(epsilon, 1e-300, rate, steps, "clt") >= 1e-3)


@pytest.mark.parametrize(
    ("target", "training", "searched_longer"),
    [
        ((5, 1e-150), (0.01, 1000), 2.894601349769672),  # the rough values of the search are those of the saddle point
        ((20, 1e-10), (1e-4, 10**6), 0.4092468385734336),  # fewer cells come before many
        ((20, 1e-150), (0.01, 20_000), 2.0797),  # the stated excess of a rough bound may be the whole bound
    ],
)
def test_noise_at_a_tiny_delta_or_for_many_steps_is_sought_with_few_values(target, training, searched_longer):
    """The second column is what the search found with a value of many cells at every try, in 1 to 9 s."""
    (epsilon, delta), (rate, steps) = target, training
    noise = dp_sgd_noise_multiplier(epsilon, delta, rate, steps)
    assert dp_sgd_epsilon(delta, noise, rate, steps) <= epsilon
    assert noise <= searched_longer * 1.005


@pytest.mark.parametrize(
    ("epsilon", "delta", "rate", "steps"),
    [(21.5, 1e-136, 4e-4, 5000), (0.3, 1e-123, 0.004, 3)],  # few cells tell the excess of their bound, or do not
)
def test_noise_is_sought_where_the_contour_integral_does_not_converge(epsilon, delta, rate, steps):
    noise = dp_sgd_noise_multiplier(epsilon, delta, rate, steps)
    assert not exact_epsilon((sampled_release(float(noise), rate, steps),), delta).converged
    value, of_less_noise = dp_sgd_epsilon(delta, [noise, 0.99 * noise], rate, steps)
    assert value <= epsilon < of_less_noise


def test_rdp_alone_bounds_epsilon_where_the_finest_cells_would_add_more_than_it():
    release, delta = sampled_release(5.637, 0.002, 10_000), 1e-300
    bound = dp_sgd_epsilon_bound(delta, 5.637, 0.002, 10_000)
    assert bound.value == rdp_epsilon([release], delta).value
    assert (bound.kind, bound.error) == ("certified", bound.value)
    assert certified_epsilon([release], delta).value > bound.value


def test_the_saddle_point_is_near_the_contour_integral_at_a_tiny_delta():
    for release, delta in ((sampled_release(73.9, 0.002, 10_000), 1e-300), (sampled_release(50, 0.1, 200), 1e-60)):
        exact = exact_epsilon([release], delta)
        assert exact.converged
        assert saddle_epsilon([release], "remove", math.log(delta)) == pytest.approx(exact.value, rel=1e-3)
