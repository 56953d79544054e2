"""Releases together, enclosed: exactly where their losses are Gaussian or of guarantees, by Rényi divergences else."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import inf, prod

from flint import arb

from dpcore.checks import EPSILON_RANGE, number, option, scalar_integer
from dpcore.verify import formulas
from dpcore.verify.enclosures import Enclosure, Number, ball, enclosed, exact

Part = tuple[str, tuple[Number, ...], int]
_MOST_OUTCOMES = 2_000
_COUNT_RANGE, _LOSS_RANGE, _RHO_RANGE, _NOISE_RANGE = "[1, 1e15]", "[0, 1e6]", "[0, 1e15]", "[1e-6, 1e15]"
_RANGES = {
    "gaussian": (("noise multiplier", _NOISE_RANGE),),
    "guarantee": (("epsilon", _LOSS_RANGE), ("delta", "[0, 1)")),
    "laplace": (("epsilon", _LOSS_RANGE),),
    "zcdp": (("rho", _RHO_RANGE),),
}
Read = list[tuple[str, list[Fraction], int]]


def composition_delta(epsilon: Number, parts: Sequence[Part]) -> Enclosure:
    """δ(ε) of Gaussian releases and guarantees together, which is the least δ that is true of all such releases.

    With μ² = Σ kᵢ/zᵢ² of the Gaussians and the profile δ_μ of [BW18], at μ = 0 [1 − e^ε]₊,
    1 − Π(1 − δᵢ)^{kᵢ} (1 − Σ w δ_μ(ε − x)): x and w are the loss and the probability of each outcome of randomised
    response, which loses εᵢ with probability e^{εᵢ}/(1 + e^{εᵢ}) and else −εᵢ (Kairouz, Oh & Viswanath 2015, Thm 3.3).

    Parameters
    ----------
    epsilon : in [0, 1e6].
    parts : of each kind of release its name, its numbers and how often: `("gaussian", (z,), k)` with the noise
        multiplier z = σ/Δ₂ in [1e-6, 1e15], and `("guarantee", (ε, δ), k)` with ε in [0, 1e6] and δ in [0, 1). The
        guarantees may have 2000 outcomes, Π(kᵢ + 1).

    Examples
    --------
    >>> print(f"{composition_delta(4.7746, [('guarantee', (0.1, 0), 100)]).high:.6g}")
    9.99755e-07
    """
    read = _read(parts, ("gaussian", "guarantee"))
    guaranteed = [(numbers[0], count) for kind, numbers, count in read if kind == "guarantee" and numbers[0]]
    e = exact("epsilon", epsilon, EPSILON_RANGE)
    if all(kind == "guarantee" for kind, _, _ in read) and sum(loss * count for loss, count in guaranteed) <= e:
        guaranteed = []  # of which no outcome loses more than ε
    n_outcomes = prod(count + 1 for _, count in guaranteed)
    number(
        "the outcomes of all guarantees", float(n_outcomes) if n_outcomes < 10**300 else inf, f"[1, {_MOST_OUTCOMES}]"
    )

    def profile() -> arb:
        square = sum((count / ball(numbers[0]) ** 2 for kind, numbers, count in read if kind == "gaussian"), arb(0))
        outcomes = reduce(_with_guarantee, guaranteed, {Fraction(0): arb(1)})
        mu = square.sqrt() if square > 0 else None
        composed = sum((weight * _profile(e - loss, mu) for loss, weight in outcomes.items()), arb(0))
        return 1 - _probability_of_no_failure(read) * (1 - composed)

    return enclosed(profile)


def _profile(epsilon: Fraction, mu: arb | None) -> arb:
    """δ_μ(ε), of ε below 0 too; of no noise where μ is None."""
    if mu is not None:
        return formulas.gaussian(ball(epsilon), mu)
    return -ball(epsilon).expm1() if epsilon < 0 else arb(0)


def _with_guarantee(outcomes: dict[Fraction, arb], guarantee: tuple[Fraction, int]) -> dict[Fraction, arb]:
    """Return the probabilities of all losses with those of k times randomised response beside them."""
    epsilon, count = guarantee
    lie, by_power = (-ball(epsilon)).exp(), dict[Fraction, arb]()
    weight = (1 + lie) ** -count
    for lies in range(count + 1):
        for loss, before in outcomes.items():
            together = loss + (count - 2 * lies) * epsilon
            by_power[together] = by_power.get(together, arb(0)) + before * weight
        weight = weight * (count - lies) / (lies + 1) * lie
    return by_power


def _probability_of_no_failure(read: Read) -> arb:
    """Π(1 − δᵢ)^{kᵢ}: that no guarantee is broken by its δ."""
    return prod(((1 - ball(numbers[1])) ** count for kind, numbers, count in read if kind == "guarantee"), start=arb(1))


def renyi_delta(epsilon: Number, order: float, parts: Sequence[Part]) -> Enclosure:
    """Return a δ that releases together keep at ε, by the Rényi divergence τ of one order α.

    1 − Π(1 − δᵢ)^{kᵢ} (1 − e^{(α − 1)(τ − ε)} (1 − 1/α)^α/(α − 1)), (Canonne, Kamath & Steinke 2020, Prop. 12), with
    τ = Σ kᵢτᵢ: α/(2z²) of Gaussian noise, αρ of ρ-zCDP, those of Laplace noise and of randomised response (Mironov
    2017). Every order gives a δ that holds; it is the true one of none.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    order : α in [1.00001, 1e9].
    parts : as in `composition_delta`; beside these `("laplace", (ε,), k)` with ε = Δ₁/b in [0, 1e6], and
        `("zcdp", (ρ,), k)` with ρ in [0, 1e15].

    Examples
    --------
    >>> print(f"{renyi_delta(5.0, 5.9, [('gaussian', (1,), 1)]).high:.3g}")
    2.96e-06
    """
    read = _read(parts, tuple(_RANGES))
    arguments = exact("epsilon", epsilon, EPSILON_RANGE), exact("order", order, "[1.00001, 1e9]")

    def bound(e: arb, a: arb) -> arb:
        tau = sum((count * _divergence(kind, numbers[0], a) for kind, numbers, count in read), arb(0))
        lost = ((a - 1) * (tau - e)).exp() * (1 - 1 / a) ** a / (a - 1)
        return 1 - _probability_of_no_failure(read) * (1 - lost.min(arb(1)))

    return enclosed(bound, *arguments)


def _divergence(kind: str, parameter: Fraction, a: arb) -> arb:
    """Return the Rényi divergence of order α of one release."""
    x = ball(parameter)
    if kind == "gaussian":
        return a / (2 * x * x)
    if kind == "zcdp":
        return a * x
    if kind == "laplace":
        moment = (a * ((a - 1) * x).exp() + (a - 1) * (-a * x).exp()) / (2 * a - 1)
    else:
        moment = ((a * x).exp() + ((1 - a) * x).exp()) / (1 + x.exp())
    return moment.log() / (a - 1)


def _read(parts: Sequence[Part], kinds: tuple[str, ...]) -> Read:
    """Return the parts with exact numbers, checked."""
    read: Read = []
    for kind, entries, count in parts:
        option("kind", kind, kinds)
        numbers = [exact(name, value, interval) for (name, interval), value in zip(_RANGES[kind], entries, strict=True)]
        read.append((kind, numbers, scalar_integer("count", count, _COUNT_RANGE)))
    return read
