"""Noises for a table of counts side by side, each with what it promises, and the one to use.

Every noise is drawn anew for each number that is released. Arguments broadcast in what `Noise` answers; ε is in nats, δ
a probability, scales and half-widths are in the unit of the table. Scales are rounded up.
"""

from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainccinv

from dpcore import calibrations, gaussian, geometric, laplace, staircase
from dpcore import generalized_gaussian as generalized
from dpcore._normal import ULP
from dpcore.calibrations import PROBABILISTIC_DP, PROVED, Calibration
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, POSITIVE_EPSILON_RANGE, Array, ends, number, one
from dpcore.tables.moves import Moves

KEYS = (
    "laplace",
    "geometric",
    "staircase",
    "analytic",
    "pdp",
    "classical",
    "generalized_gaussian",
)
_FAMILIES: dict[str, ModuleType] = {
    "laplace": laplace,
    "geometric": geometric,
    "staircase": staircase,
    "gaussian": gaussian,
    "generalized_gaussian": generalized,
}
_PURE = {rule.key: rule for rule in (calibrations.LAPLACE, calibrations.GEOMETRIC, calibrations.STAIRCASE)}
_GAUSSIAN = {rule.key: rule for rule in (calibrations.ANALYTIC, calibrations.PDP, calibrations.CLASSICAL)}
_MOST_SCALE = 1e100  # beyond it nothing is left of any count
_MOST_MOVED = 1e4  # numbers, up to which the quantile of ‖noise‖ was found right to 1e-12
_SEVERAL = replace(
    calibrations.GENERALIZED_ADP,
    promise=PROBABILISTIC_DP,
    theorem="Liu 2019, Proposition 8, by Minkowski’s inequality",
)
_TOO_SMALL = "It takes an ε of at least 1e-12."
_FRACTIONS = "It adds whole numbers, and here a person may add a fraction."
_TOO_MUCH = "It would take more noise than any count could show."


@dataclass(frozen=True)
class Noise:
    """One noise that is calibrated to a promise, and what it does to a number.

    Attributes
    ----------
    key : one of `KEYS`.
    name : for every page.
    family : the module of `dpcore` that the noise is of.
    promise : "(ε, δ)-DP", "(ε, δ)-pDP" or "ε-DP", of all released numbers together.
    theorem : the theorem with its source.
    status : a word of `dpcore.calibrations`: "proved", "within target" or "fails".
    true_delta : the least δ of (ε, δ)-DP that is known of it; 0 for ε-DP.
    scale : in the unit of the table, of what `symbol` is: σ, b or s.
    symbol : of the scale.
    whole : whether it adds whole numbers.
    parameters : the arguments with which the module's functions describe the noise.
    """

    key: str
    name: str
    family: str
    promise: str
    theorem: str
    status: str
    true_delta: float
    scale: float
    symbol: str
    whole: bool
    parameters: tuple[float, ...]

    def half_width(self, significance: ArrayLike) -> Array:
        """The least a with Pr(|noise| > a) ≤ α, α in [1e-300, 1)."""
        return _FAMILIES[self.family].half_width(significance, *self.parameters)

    def tail(self, t: ArrayLike) -> Array:
        """Pr(|noise| > t), t ≥ 0."""
        return _FAMILIES[self.family].tail(t, *self.parameters)

    def upper(self, t: ArrayLike) -> Array:
        """Pr(noise > t), t in [−1e300, 1e300]."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t < 0, 1 - self._at_least(abs(t)), self.tail(abs(t)) / 2)[()]

    def at_least(self, t: ArrayLike) -> Array:
        """Pr(noise ≥ t), t in [−1e300, 1e300]: more than `upper` where the noise takes the value t."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t > 0, self._at_least(abs(t)), 1 - self.tail(abs(t)) / 2)[()]

    def _at_least(self, t: Array) -> Array:
        """Pr(noise ≥ t) for t > 0, to which the whole number below t belongs too if the noise is whole."""
        return self.tail(np.maximum(np.ceil(t) - 1, 0) if self.whole else t) / 2

    def variance(self) -> float:
        """E noise², in the unit of the table squared."""
        return float(_FAMILIES[self.family].variance(*self.parameters))

    def mean_absolute_error(self) -> float:
        """E|noise|."""
        return float(_FAMILIES[self.family].mean_absolute_error(*self.parameters))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Array:
        """Draws, for pictures and trials: a release needs a sampler that floating point can't betray."""
        return _FAMILIES[self.family].sample(rng, *self.parameters, size=size)


def left_out(epsilon: float, delta: float, moves: Moves, p: float = 3.0) -> dict[str, str]:
    """Why `mechanisms` does not offer a noise: its key and a sentence, for each of `KEYS` that is not offered.

    Examples
    --------
    >>> from dpcore.tables.moves import moves
    >>> left_out(1.0, 1e-6, moves(3))
    {'staircase': 'It is proved where a person moves one released number, and here a person moves 3.'}
    """
    return {key: why for key in KEYS if isinstance(why := _noise(key, epsilon, delta, moves, p), str)}


def mechanisms(epsilon: float, delta: float, moves: Moves, p: float = 3.0) -> tuple[Noise, ...]:
    """The noises side by side, each with the scale that its promise needs for all released numbers together.

    Laplace and geometric noise take Δ₁ and keep ε-DP, whatever δ; so does staircase noise, for one moved number. The
    Gaussians take Δ₂. Generalized Gaussian noise of shape p takes the least scale of (ε, δ)-DP for one moved number;
    for r of them b = Δ_p/(u expm1(log1p(ε/u^p)/p)), where u^p is the upper δ-quantile of the gamma distribution of
    shape r/p, that of ‖noise/b‖_p^p: the loss is at most (‖noise‖_p + Δ_p)^p − ‖noise‖_p^p, in units of b^p, by
    Minkowski's inequality, so that this b keeps (ε, δ)-pDP (own).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1), of (ε, δ)-DP, or of pDP where the promise says so.
    moves : of one setting, not of several.
    p : shape of the generalized Gaussian noise, in [1, 100].

    Returns
    -------
    Those of `KEYS` that have an answer, in that order; `left_out` has the others.

    Examples
    --------
    >>> from dpcore.tables.moves import moves
    >>> for noise in mechanisms(1.0, 1e-6, moves(3))[:3]:
    ...     print(f"{noise.name}: {noise.symbol} = {noise.scale:.3f}, ±{noise.half_width(0.05):.3f}")
    Laplace: b = 3.000, ±8.987
    Geometric: s = 3.000, ±9.000
    Analytic Gaussian: σ = 7.317, ±14.342
    """
    return tuple(found for key in KEYS if isinstance(found := _noise(key, epsilon, delta, moves, p), Noise))


def _noise(key: str, epsilon: float, delta: float, moves: Moves, p: float) -> Noise | str:
    """One noise, or why there is none."""
    epsilon, delta = one("epsilon", epsilon, EPSILON_RANGE), one("delta", delta, DELTA_RANGE)
    p, _ = one("p", p, "[1, 100]"), one("moves.l1", moves.l1, "(0, inf)")
    if key in _PURE:
        return _pure(_PURE[key], epsilon, moves)
    if key in _GAUSSIAN:
        return _gaussian(_GAUSSIAN[key], epsilon, delta, moves)
    return _generalized(epsilon, delta, moves, p)


def _pure(rule: Calibration, epsilon: float, moves: Moves) -> Noise | str:
    why = [
        (epsilon < rule.least_epsilon, _TOO_SMALL),
        (rule.whole and not moves.whole, _FRACTIONS),
        (rule.whole and moves.l1 > ends(geometric.SENSITIVITY_RANGE)[1], _TOO_MUCH),
        (rule.family == "staircase" and moves.n_moved > 1, _one_number(moves)),
    ]
    for so, reason in why:
        if so:
            return reason
    scale = float(rule.scale(epsilon, 0.0, moves.l1))
    gamma = float(staircase.variance_gamma(max(epsilon, rule.least_epsilon)))
    parameters = (epsilon, gamma, float(moves.l1)) if rule.family == "staircase" else (scale,)
    symbol = "b" if rule.family == "laplace" else "s"
    return _as_noise(rule, PROVED, 0.0, scale, symbol, parameters)


def _as_noise(
    rule: Calibration, status: str, delta: float, scale: float, symbol: str, parameters: tuple[float, ...]
) -> Noise:
    return Noise(
        key=rule.family if rule.family == "generalized_gaussian" else rule.key,
        name=rule.name.partition(",")[0],
        family=rule.family,
        promise=rule.promise,
        theorem=rule.theorem,
        status=status,
        true_delta=delta,
        scale=scale,
        symbol=symbol,
        whole=rule.whole,
        parameters=parameters,
    )


def _one_number(moves: Moves) -> str:
    return f"It is proved where a person moves one released number, and here a person moves {moves.n_moved:.0f}."


def _gaussian(rule: Calibration, epsilon: float, delta: float, moves: Moves) -> Noise | str:
    if epsilon < rule.least_epsilon:
        return _TOO_SMALL
    standing = rule.status(epsilon, delta)
    sigma = float(standing.scale) * float(moves.l2) * (1 + 2 * ULP)
    if sigma > _MOST_SCALE:
        return _TOO_MUCH
    return _as_noise(rule, str(standing.word), float(standing.true_delta), sigma, "σ", (sigma,))


def _generalized(epsilon: float, delta: float, moves: Moves, p: float) -> Noise | str:
    exact = moves.n_moved == 1 or p == 2  # p = 2 is the Gaussian, of which only Δ₂ counts
    if not exact and epsilon < ends(POSITIVE_EPSILON_RANGE)[0]:
        return _TOO_SMALL
    if not exact and moves.n_moved > _MOST_MOVED:
        return f"It is offered where a person moves at most {_MOST_MOVED:.0f} released numbers."
    unit = (
        float(generalized.adp_scale(epsilon, delta, p)) if exact else _several(epsilon, delta, p, float(moves.n_moved))
    )
    scale = unit * float(moves.lp(p)) * (1 + 2 * ULP)
    if scale > _MOST_SCALE:
        return _TOO_MUCH
    rule = calibrations.GENERALIZED_ADP if exact else _SEVERAL
    return replace(_as_noise(rule, PROVED, delta, scale, "b", (p, scale)), name=f"Generalized Gaussian, p = {p:.4g}")


def _several(epsilon: float, delta: float, p: float, n_moved: float) -> float:
    """b/Δ_p for several moved numbers: see `mechanisms`."""
    power = np.maximum(gammainccinv(n_moved / p, delta) * (1 + 1e-10), 1e-300)  # it would underflow where δ is near 1
    with np.errstate(over="ignore"):
        return float((1 + 64 * ULP) / (power ** (1 / p) * np.expm1(np.log1p(epsilon / power) / p)))
