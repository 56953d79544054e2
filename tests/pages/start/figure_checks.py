"""What each trace of the small pictures of the start page must show: see `tests.pages.figure_checks`."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from dpcore import accuracy, composition, gaussian, tables, tradeoff
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, linear, log, point

SETTINGS = {
    "": ({}, {"epsilon": "0.3", "delta": "1e-4", "l2_sensitivity": "2", "significance": "0.1"}),
    "card_error": ({}, {"epsilon": "0.3", "l2_sensitivity": "2", "significance": "0.1"}, {"significance": "0.01"}),
    "card_table": ({}, {"epsilon": "0.3", "significance": "0.1"}),
}

EPSILON = log("ε")


def sigma(at: Setting, epsilon: ArrayLike) -> Numbers:
    return gaussian.analytic_sigma(epsilon, at.delta, at.l2_sensitivity)


def risk_scale(at: Setting, posterior: ArrayLike) -> Numbers:
    """s of the noise after any outcome of which nobody is surer than so, from a prior of 10 %."""
    posterior = np.asarray(posterior)
    return at.l2_sensitivity / np.log(9 * posterior / (1 - posterior))


def geometric_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    return accuracy.geometric_accuracy(epsilon, at.significance, 1)


def laplace_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    return accuracy.laplace_accuracy(epsilon, at.significance, at.l2_sensitivity)


def gaussian_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    return accuracy.gaussian_accuracy(sigma(at, epsilon), at.significance)


def wanted_error(at: Setting) -> tuple[float, float]:
    """Return the ε that an error of three times the sensitivity needs, and that error.

    With geometric noise r = e^−ε of a count, an error beyond ±3 has the probability 2r⁴ ÷ (1 + r).
    """
    target = 3 * at.l2_sensitivity
    if at.l2_sensitivity != 1:
        return float(accuracy.laplace_epsilon(target, at.significance, at.l2_sensitivity)), target
    ratio = brentq(lambda r: 2 * r**4 - at.significance * (1 + r), 0, 1)
    return -float(np.log(ratio)), target


def caught(at: Setting, alpha: ArrayLike) -> Numbers:
    """Return the power of the best test under the analytic Gaussian noise."""
    return tradeoff.gaussian_power(alpha, 1 / gaussian.analytic_sigma(at.epsilon, at.delta))


def allowed(at: Setting, alpha: Numbers) -> Numbers:
    return tradeoff.epsilon_delta_power(alpha, at.epsilon, at.delta)


def largest_first(at: Setting, rank: Numbers) -> Numbers:
    return -np.sort(-tables.czech_autoworkers()["count"].to_numpy())[rank.astype(int) - 1]


def half_width_of_all(at: Setting, rank: Numbers) -> Numbers:
    """± of geometric noise for all cells of the table together, at the level of the page."""
    count = tables.czech_autoworkers()["count"].to_numpy()
    level = float(accuracy.each_significance(at.significance, count.size))
    return np.full(rank.size, float(accuracy.geometric_accuracy(at.epsilon, level, 1)))


def by_rdp(at: Setting, epochs: Numbers) -> Numbers:
    """ε of a training with noise 1.1 and batches of 256 out of 60,000."""
    rate = 256 / 60000
    return composition.dp_sgd_epsilon(at.delta, 1.1, rate, np.ceil(epochs / rate), "rdp")


def certified(at: Setting) -> float:
    steps = composition.steps_of_epochs(60, 60000, 256)
    return float(composition.dp_sgd_epsilon(at.delta, 1.1, 256 / 60000, steps, "certified"))


CHARTS = {
    "card_noise": Chart(
        EPSILON,
        log("σ"),
        {"σ": Trace(sigma, "sigma"), "here": point(lambda at: (at.epsilon, float(sigma(at, at.epsilon))))},
        "epsilon",
    ),
    "card_acceptable_risk": Chart(
        linear("posterior after any outcome"),
        log("s"),
        {"s": Trace(risk_scale, "scale"), "here": point(lambda at: (0.2, at.l2_sensitivity / 0.8109))},
        "posterior",
    ),
    "card_error": Chart(
        EPSILON,
        log("±"),
        {
            "geometric": Trace(geometric_half_width, "geometric"),
            "laplace": Trace(laplace_half_width, "laplace"),
            "analytic": Trace(gaussian_half_width, "analytic"),
            "here": point(wanted_error),
        },
        "epsilon",
    ),
    "card_attacker": Chart(
        linear("false positive rate"),
        linear("TPR"),
        {
            "the guarantee alone": Trace(allowed, "guarantee"),
            "guessing": Trace(lambda _, x: x),
            "Gaussian noise": Trace(caught, "gaussian"),
            "here": point(lambda at: (0.05, float(caught(at, 0.05)))),
        },
        "alpha",
    ),
    "card_table": Chart(
        linear("cells, largest first"),
        linear("count"),
        {
            "counts": Trace(
                largest_first,
                lambda rows: -np.sort(-rows["count"].to_numpy()),
                x="",
                error=half_width_of_all,
                error_column="half_width",
            )
        },
    ),
    "card_dp_sgd": Chart(
        linear("epochs"),
        linear("ε"),
        {"RDP": Trace(by_rdp, "rdp", rtol=0.01), "here": point(lambda at: (60.0, certified(at)), rtol=1e-3)},
        "epochs",
    ),
}
