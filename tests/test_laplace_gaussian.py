"""Laplace against Gaussian noise: the figures of Liu 2019, §3, and where the smaller noise changes."""

import re
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpcore import gaussian
from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import LAPLACE
from dpcore.laplace_gaussian import ANALYTIC, CALIBRATIONS, CLASSICAL, MEASURES, PDP
from dpcore.mechanism import of_scale

MANY: Any = [1, 2]
TEXT: Any = "x"
by_key = pytest.mark.parametrize("calibration", CALIBRATIONS, ids=lambda calibration: calibration.key)


def noises_of(scale, sigma):
    return rivals.NoisePair(of_scale(LAPLACE, 0.0, scale), of_scale(ANALYTIC, 1e-6, sigma))


def errors(noise, scale, significance=0.05):
    """Variance, mean error and accuracy by quadrature or by solving the definition, from the density alone."""

    def tail(t):
        return mpmath.exp(-t / scale) if noise == "laplace" else mpmath.erfc(t / scale / mpmath.sqrt(2))

    with mpmath.workdps(30):
        ends = [0, scale, 5 * scale, 60 * scale]
        mean = mpmath.quad(tail, ends)
        variance = mpmath.quad(lambda t: 2 * t * tail(t), ends)
        reach = mpmath.findroot(lambda t: tail(t) - significance, 2 * scale)
        return np.array([variance, mean, reach], dtype=np.float64)


def test_errors_are_the_moments_and_quantiles_of_the_tails():
    first, second = (rivals.errors(noise, 0.05) for noise in noises_of(1.7, 2.3))
    assert tuple(first.values()) == pytest.approx(errors("laplace", 1.7), rel=1e-12)
    assert tuple(second.values()) == pytest.approx(errors("gaussian", 2.3), rel=1e-12)


def level_of(measure: str, significance: float) -> float | None:
    """Return the significance of a measure that has one."""
    return significance if measure == "accuracy" else None


@pytest.mark.parametrize("measure", MEASURES)
def test_equal_sigma_makes_both_noises_equal_by_the_measure(measure):
    sigma = rivals.equal_sigma(measure, 1.3, level_of(measure, 0.02))
    first, second = (rivals.errors(noise, 0.02) for noise in noises_of(1.3, float(sigma)))
    assert first[measure] == pytest.approx(second[measure], rel=1e-13)


@pytest.mark.parametrize(
    ("calibration", "equal", "epsilon", "status"),
    [
        (CLASSICAL, "epsilon", 0.9, "proved"),
        (CLASSICAL, "epsilon", 1.0, "within target"),
        (CLASSICAL, "epsilon", 10.0, "fails"),
        (CLASSICAL, "variance", 0.9, "within target"),  # whose classical ε is above 1
        (CLASSICAL, "variance", 3.0, "fails"),
        (PDP, "variance", 3.0, "proved"),
        (ANALYTIC, "tail", 1e6, "undefined"),
    ],
)
def test_the_verdict_is_that_of_the_gaussian_at_its_own_epsilon(calibration, equal, epsilon, status):
    noises = rivals.calibrate_equal(calibration, equal, epsilon, 1e-5, t=1e-7 if equal == "tail" else None)
    assert noises.gaussian.status == status
    if status == "undefined":
        assert np.isnan(noises.gaussian.true_delta)
        assert noises.gaussian.epsilon > 1e6
    else:
        true = gaussian.delta_from_sigma(noises.gaussian.epsilon, noises.gaussian.scale)
        assert noises.gaussian.true_delta == pytest.approx(min(true, 1e-5) if status == "proved" else true, rel=1e-9)
        assert (noises.gaussian.true_delta > 1e-5) == (status == "fails")


def test_the_answer_of_the_issue_for_one_count():
    noises = rivals.calibrate_equal(ANALYTIC, "epsilon", 1, 1e-6)
    first, second = (rivals.errors(noise, 0.05) for noise in noises)
    assert (round(first["accuracy"], 2), round(second["accuracy"], 2)) == (3.0, 8.28)
    assert (noises.gaussian.epsilon, noises.gaussian.status) == (1, "proved")


@by_key
def test_delta_inverts_sigma_and_epsilon_inverts_it_too(calibration):
    rng = np.random.default_rng(1)
    epsilon, delta, l2 = (
        10 ** rng.uniform(-3, 2, 500),
        10 ** rng.uniform(-100, -0.2, 500),
        10 ** rng.uniform(-9, 9, 500),
    )
    sigma = calibration.scale(epsilon, delta, l2)
    assert calibration.delta(epsilon, sigma, l2) == pytest.approx(delta, rel=1e-9)
    assert calibration.epsilon(delta, sigma, l2) == pytest.approx(epsilon, rel=1e-9)


@by_key
def test_matched_noises_have_what_is_held_equal(calibration):
    same = rivals.calibrate_equal(calibration, "epsilon", 0.7, 1e-4, (3, 1.5))
    assert same.laplace.scale == pytest.approx(3 / 0.7)
    assert same.gaussian.scale == pytest.approx(float(calibration.scale(0.7, 1e-4, 1.5)), rel=1e-14)
    variance = rivals.calibrate_equal(calibration, "variance", 0.7, 1e-4, (3, 1.5))
    assert variance.gaussian.scale**2 == pytest.approx(2 * variance.laplace.scale**2)
    tail = rivals.calibrate_equal(calibration, "tail", 0.7, 1e-4, (3, 1.5), t=8.0)
    assert gaussian.tail(8, tail.gaussian.scale) == pytest.approx(np.exp(-8 / tail.laplace.scale), rel=1e-12)
    for noises in (variance, tail):
        assert calibration.scale(noises.gaussian.epsilon, 1e-4, 1.5) == pytest.approx(noises.gaussian.scale, rel=1e-9)


def test_the_crossover_of_the_issue_is_at_9_counts_and_really_the_first():
    assert rivals.crossover(ANALYTIC, "variance", 1, 1e-6) == 9
    rng = np.random.default_rng(2)
    for _ in range(20):
        epsilon, delta = 10 ** rng.uniform(-2, 1), 10 ** rng.uniform(-9, -1)
        for calibration in CALIBRATIONS:
            for measure in MEASURES:
                k = rivals.crossover(calibration, measure, epsilon, delta, level_of(measure, 0.05))
                places = np.array([max(k - 1, 1), k])
                row = rivals.along_statistics(calibration, epsilon, delta, places, 0.05)
                smaller = row[f"gaussian_{measure}"] < row[f"laplace_{measure}"]
                assert smaller.tolist() == [k == 1, True]


@by_key
@pytest.mark.parametrize("measure", MEASURES)
def test_on_the_frontier_both_noises_are_equal_and_above_it_the_gaussian_is_smaller(calibration, measure):
    epsilon = np.array([0.01, 0.3, 1.0, 2.0])
    for l1, l2 in ((1, 1), (9, 3), (2.5, 2)):
        delta = rivals.frontier(calibration, measure, epsilon, (l1, l2), level_of(measure, 0.1))
        for e, d in zip(epsilon, delta, strict=True):
            if d > 0.999:
                continue
            for step, smaller in ((1 - 1e-6, False), (1 + 1e-6, True)):
                noises = rivals.calibrate_equal(calibration, "epsilon", e, d * step, (l1, l2))
                first, second = (rivals.errors(noise, 0.1) for noise in noises)
                assert (second[measure] < first[measure]) == smaller


def test_proposition_12_the_pdp_gaussian_has_the_larger_variance_below_delta_0_157():
    delta = rivals.frontier(PDP, "variance", np.geomspace(1e-12, 1e6, 500))
    limit = float(2 * mpmath.ncdf(-mpmath.sqrt(2)))
    assert np.all(delta >= limit * (1 - 1e-9))
    assert delta[0] == pytest.approx(limit, rel=1e-9)
    assert np.all(np.diff(delta) >= 0)
    assert delta[-1] == 1
    assert rivals.frontier(ANALYTIC, "variance", 1.0) < 0.04


def test_tails_are_those_of_the_definition_with_the_unlikely_marked():
    t = np.array([0.0, 1, 4, 9, 30])
    frame = rivals.tails(t, 1.0, 4.2, cutoff=0.05)
    assert frame["laplace"].to_numpy() == pytest.approx(np.exp(-t), rel=1e-14)
    true = [float(mpmath.erfc(distance / mpmath.mpf(4.2) / mpmath.sqrt(2))) for distance in t]
    assert frame["gaussian"].to_numpy() == pytest.approx(true, rel=1e-12)
    assert frame["ratio"].to_numpy() == pytest.approx(np.exp(-t) / true, rel=1e-12)
    assert frame["unlikely"].tolist() == [False, False, False, True, True]


def test_ratio_of_vanishing_tails_is_0_or_infinite_and_never_undefined():
    assert rivals.tails([5e3], 1.0, 1e3)["ratio"].tolist() == [0]
    assert rivals.tails([5e3], 1e3, 1.0)["ratio"].tolist() == [np.inf]
    assert rivals.tails([1e300], 1.0, 1.0)["ratio"].tolist() == [0]


def test_the_ratio_of_tails_falls_from_1_and_bounces_back_as_liu_observes():
    t = np.linspace(0, 30, 2000)
    frame = rivals.tail_ratios(t, PDP, 1.0, [0.01, 0.2])
    low = []
    for ratio in frame["ratio"].to_numpy().reshape(2, -1):
        bottom = int(np.argmin(ratio))
        low.append(t[bottom])
        assert ratio[0] == 1
        assert 0 < bottom < 1999
        assert np.all(np.diff(ratio[: bottom + 1]) < 0)
        assert np.all(np.diff(ratio[bottom:]) > 0)
    assert low[0] > low[1]  # the smaller δ, the longer it takes to bounce back


def test_privacy_costs_are_those_of_figure_5_in_closed_form():
    t = np.array([0.0, 0.5, 3, 12])
    frame = rivals.privacy_costs(t, PDP, 0.5, [0.01, 0.2], (4, 2), cutoff=0.3)
    closed = gaussian.pdp_epsilon([[0.01], [0.2]], gaussian.laplace_tail_sigma(t, 4 / 0.5), 2) / 0.5
    assert frame["cost"].to_numpy() == pytest.approx(closed.ravel(), rel=1e-13)
    assert frame["unlikely"].tolist() == [False, False, False, True] * 2
    tight = rivals.privacy_costs(t, ANALYTIC, 0.5, [0.01, 0.2], (4, 2))
    assert np.all(tight["cost"] <= frame["cost"])


def test_extremes_are_finite():
    for calibration in CALIBRATIONS:
        for epsilon in (1e-12, 1e6):
            for l1, l2 in ((1e100, 1e-100), (1e100, 1e100), (1e-100, 1e-100)):
                for equal, t in (("epsilon", None), ("variance", None), ("tail", 1e12)):
                    noises = rivals.calibrate_equal(calibration, equal, epsilon, 1e-300, (l1, l2), t)
                    assert np.all(np.isfinite([noises.laplace.scale, noises.gaussian.scale, noises.gaussian.epsilon]))
                    for errors in (rivals.errors(noise, 1e-300) for noise in noises):
                        assert np.all(np.isfinite(list(errors.values())))
                    assert (noises.gaussian.status == "undefined") == (noises.gaussian.epsilon > 1e6)
                for measure in MEASURES:
                    assert 0 <= rivals.frontier(calibration, measure, epsilon, (l1, l2), level_of(measure, 1e-300)) <= 1
                frame = rivals.privacy_costs([0, 1e-9, 1e12], calibration, epsilon, [1e-300, 0.9], (l1, l2))
                assert np.all(np.isfinite(frame["cost"]))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rivals.calibrate_equal(PDP, "sigma", 1, 0.1), "equal must be in epsilon, variance, tail, got 'sigma'"),
        (lambda: rivals.calibrate_equal(PDP, "epsilon", 0, 0.1), "epsilon must be in [1e-12, 1e6], got 0"),
        (
            lambda: rivals.equal_sigma("median", 1, 0.1),
            "measure must be in variance, mean_error, accuracy, got 'median'",
        ),
        (lambda: rivals.tails(1, 1, 1, 2), "cutoff must be in [0, 1], got 2"),
        (
            lambda: rivals.crossover(PDP, "variance", 1, MANY),
            "delta must be one number in [1e-300, 1), got [1, 2]",
        ),
        (lambda: rivals.calibrate_equal(PDP, "tail", 1, 0.1, t=MANY), "t must be one number in [0, 1e150], got [1, 2]"),
        (
            lambda: rivals.frontier(PDP, "accuracy", 1, significance=MANY),
            "significance must be one number in [1e-300, 1), got [1, 2]",
        ),
        (lambda: rivals.errors(noises_of(1, 1)[0], TEXT), "significance must be in [1e-300, 1), got 'x'"),
        (
            lambda: rivals.privacy_costs(1, PDP, 1, 0.1, (1, MANY)),
            "l2_sensitivity must be one number in [1e-100, 1e100], got [1, 2]",
        ),
        (lambda: rivals.densities(0, MANY, 1), "scale must be one number in [1e-150, 1e250], got [1, 2]"),
        (lambda: gaussian.classical_delta(1, 0), "sigma must be in (0, inf), got 0"),
        (lambda: rivals.frontier(CLASSICAL, "variance", 0), "epsilon must be in [1e-12, 1e6], got 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


def test_densities_are_the_slopes_of_the_distributions_and_of_scipy():
    x = np.linspace(-9, 9, 2001)
    frame = rivals.densities(x, 1.3, 2.1)
    for noise, twin, scale in (("laplace", stats.laplace, 1.3), ("gaussian", stats.norm, 2.1)):
        assert frame[f"{noise}_pdf"].to_numpy() == pytest.approx(twin.pdf(x, scale=scale), rel=1e-12)
        assert frame[f"{noise}_cdf"].to_numpy() == pytest.approx(twin.cdf(x, scale=scale), rel=1e-12)


def test_frontiers_are_the_frontier_by_each_measure():
    epsilon = np.geomspace(0.01, 10, 7)
    frame = rivals.frontiers(ANALYTIC, epsilon, (3, 2), 0.1)
    assert frame["epsilon"].tolist() == epsilon.tolist()
    for measure in MEASURES:
        alone = rivals.frontier(ANALYTIC, measure, epsilon, (3, 2), level_of(measure, 0.1))
        assert frame[measure].to_numpy() == pytest.approx(alone, rel=1e-12, abs=0)
