"""The settings of the experiments of [Liu19] §4: mechanisms at (ε, δ), and the grid of each data set.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian, generalized_gaussian, laplace
from dpcore.checks import (
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    SHAPE_RANGE,
    Array,
    leave_out,
    number,
    option,
    or_default,
    scalar,
    scalar_integer,
)

MECHANISMS = ("laplace", "pdp", "classical", "generalized", "analytic")


@dataclass(frozen=True)
class Setting:
    """A mechanism at one (ε, δ): noise of density ∝ e^{−(|x|/b)^p} with b = `scale` in counts; δ = 0 for Laplace."""

    mechanism: str
    epsilon: float
    delta: float
    p: float
    scale: float


@dataclass(frozen=True)
class PublishedExperiment:
    """The experiment of [Liu19] §4 on one data set, and its figures."""

    data: str
    n_records: int
    n_cells: int
    mechanisms: tuple[str, ...]
    figures: tuple[int, ...]
    epsilon: tuple[float, ...] = (0.5, 1.0, 2.0)
    delta: tuple[float, ...] = (0.01, 0.05, 0.1, 0.25)
    n_repeats: int = 500


PAPER = (
    PublishedExperiment("mildew", 70, 64, ("laplace", "pdp", "classical", "generalized"), (6, 7)),
    PublishedExperiment("czech", 1841, 64, ("laplace", "pdp", "classical"), (8, 9)),
    PublishedExperiment("adult", 20_009, 17_985, ("laplace", "pdp", "classical"), (10, 11, 12)),
)


def experiment_settings(
    epsilon: ArrayLike, delta: ArrayLike, mechanisms: Iterable[str] = MECHANISMS, p: float | None = None
) -> tuple[Setting, ...]:
    """Return every mechanism at every (ε, δ), with its scale for a sensitivity of 1;
    Laplace, without δ, once for each ε.

    Parameters
    ----------
    epsilon, delta : numbers or lists of them, each taken once, the smallest first; ε in [1e-12, 1e6], δ in [1e-300, 1).
    mechanisms : of `MECHANISMS`. "laplace" is ε-DP with b = 1/ε; "pdp" Gaussian noise of (ε, δ)-probabilistic DP by Eq.
        17; "classical" Gaussian noise of σ by Eq. 18, which is proved to be (ε, δ)-DP for ε < 1 only; "generalized"
        noise of (ε, δ)-probabilistic DP by Cor. 9; "analytic" Gaussian noise of the least σ of (ε, δ)-DP, not in
        [Liu19]. The δ of the two guarantees are different quantities.
    p : shape of the generalized Gaussian noise alone, in [1, 100]; 3 by default, as in [Liu19].

    Examples
    --------
    >>> [(setting.mechanism, round(setting.scale, 3)) for setting in experiment_settings(0.5, 0.01, ("laplace", "pdp"))]
    [('laplace', 2.0), ('pdp', 7.55)]
    """
    chosen = tuple(mechanisms)
    for mechanism in chosen:
        option("mechanism", mechanism, MECHANISMS)
    if "generalized" not in chosen:
        leave_out("mechanisms without generalized", p=p)
    shape = scalar("p", or_default(p, 3.0), SHAPE_RANGE)
    epsilons = np.unique(number("epsilon", epsilon, POSITIVE_EPSILON_RANGE))
    deltas = np.unique(number("delta", delta, DELTA_RANGE))
    for name, values in (("epsilon", epsilons), ("delta", deltas)):
        scalar_integer(f"number of values of {name}", values.size, "[1, 10000]")
    return tuple(setting for mechanism in chosen for setting in _settings(mechanism, epsilons, deltas, shape))


def _settings(mechanism: str, epsilon: Array, delta: Array, p: float) -> list[Setting]:
    """Return a mechanism's settings at every pair of ε and δ; Laplace noise has δ = 0 alone."""
    epsilon, delta = epsilon[:, None], delta if mechanism != "laplace" else np.zeros(1)
    shape, scale = _mechanism_scales(mechanism, epsilon, delta, p)
    pairs = np.broadcast_arrays(epsilon, delta, scale)
    return [Setting(mechanism, e, d, shape, b) for e, d, b in np.stack(pairs, axis=-1).reshape(-1, 3).tolist()]


def _mechanism_scales(mechanism: str, epsilon: Array, delta: Array, p: float) -> tuple[float, Array]:
    """Shape and scale of a mechanism's noise."""
    if mechanism == "laplace":
        return 1.0, laplace.scale_from_epsilon(epsilon)
    if mechanism == "generalized":
        return float(p), generalized_gaussian.pdp_scale_disjoint(epsilon, delta, p)
    sigma = {"pdp": gaussian.pdp_sigma, "classical": gaussian.classical_sigma, "analytic": gaussian.analytic_sigma}
    return 2.0, sigma[mechanism](epsilon, delta) * 2**0.5
