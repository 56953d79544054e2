"""Releases together, enclosed: exactly where their losses are Gaussian or of guarantees, by Rényi divergences else."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import ceil, floor, inf, isqrt, log, log1p, nextafter, pi, prod, sqrt

from flint import arb, arb_poly, ctx

from dpcore.checks import EPSILON_RANGE, number, option, scalar_integer
from dpcore.verify import formulas
from dpcore.verify.formulas import Enclosure, Number, ball, enclosed, exact

Part = tuple[str, tuple[Number, ...], int]
_MOST_OUTCOMES = 2_000
_MOST_SQUARED = 30  # of a move, of which all ways to write it as a sum of squares are tried
_LEAST_LOG_RIPPLE = -80 * log(2)
_COUNT_RANGE, _LOSS_RANGE, _RHO_RANGE, _NOISE_RANGE = "[1, 1e15]", "[0, 1e6]", "[0, 1e15]", "[1e-6, 1e15]"
_SIGMA_RANGE = "[1e-4, 1e4]"
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


def discrete_gaussian_sums_delta(epsilon: Number, sigma: Number, squared: int) -> Enclosure:
    """Return a δ that noise in several sums keeps at ε, whichever whole numbers vⱼ with Σ vⱼ² = N they move by.

    The loss of T = Σ vⱼYⱼ is (N + 2T)/(2σ²) ([CKS20]). Up to N = 30 the δ is the largest E(1 − e^{ε − L})₊ of all such
    v, of which a shorter v has no larger one. With v = gu, Pr(T = gt) ∝ e^{−t²/(2σ²|u|²)} w(t). Poisson summation over
    the lattice across u, whose dual vectors have |q|² ≥ 1/|u|², gives with n = |u|²

        |w/w̄ − 1| ≤ Σ e^{−2π²σ²|q|²} ≤ e^{1 − (2π²σ² − 4/n)/n} (1 + √(πn)/2)^n.

    Where that is below 2^−80, δ is that of one sum with noise of √n σ; of narrower noise the law of T is a product of
    polynomials. Beyond N = 30, δ is that of ρ-zCDP with ρ = N/(2σ²) by `renyi_delta`, which is larger.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma : in [1e-4, 1e4].
    squared : N, a whole number in [1, 1e15].

    Examples
    --------
    >>> print(f"{discrete_gaussian_sums_delta(epsilon=1, sigma=8.4523, squared=4).high:.6e}")
    9.998488e-07
    """
    e, s = exact("epsilon", epsilon, EPSILON_RANGE), exact("sigma", sigma, _SIGMA_RANGE)
    n = scalar_integer("squared", squared, "[1, 1e15]")
    if n > _MOST_SQUARED:
        rho = nextafter(float(n / (2 * s * s)), inf)
        return renyi_delta(epsilon, _best_order(float(e), rho), [("zcdp", (rho,), 1)])
    log_ripple = 1 - (2 * (pi * float(s)) ** 2 - 4 / n) / n + n * log1p(sqrt(pi * n) / 2)
    profile = _flat_sums if n == 1 or log_ripple < _LEAST_LOG_RIPPLE else _narrow_sums
    return enclosed(lambda epsilon, sigma: profile(epsilon, sigma, n, e, s), e, s)


def _flat_sums(epsilon: arb, sigma: arb, n: int, e: Fraction, s: Fraction) -> arb:
    """Return the largest δ of moves g·u with g²|u|² = N, where the weights w(t) do not differ."""
    deltas = []
    for g in (g for g in range(1, isqrt(n) + 1) if n % (g * g) == 0):
        size = n // (g * g)
        first = floor(e * s * s / g - Fraction(g * size, 2)) + 1
        delta = formulas.discrete_gap(epsilon, sigma * arb(size).sqrt(), g * size, first)
        square = 2 * (arb.pi() * sigma) ** 2
        ripple = (1 - (square - arb(4) / size) / size).exp() * (1 + (arb.pi() * size).sqrt() / 2) ** size
        least, most = (1 - ripple) / (1 + ripple), (1 + ripple) / (1 - ripple)
        deltas.append(delta if size == 1 else delta * least.union(most))
    return reduce(arb.max, deltas)


def _narrow_sums(epsilon: arb, sigma: arb, n: int, e: Fraction, s: Fraction) -> arb:
    """Return the largest δ of all moves of squared length N, by the law of T."""
    last = ceil(float(s) * sqrt(1.4 * (ctx.prec + 20))) + 1
    weight, rate = formulas.discrete_weight(sigma), 1 / (2 * sigma * sigma)
    single = [(-rate * y * y).exp() / weight for y in range(-last, last + 1)]
    beyond = n * formulas.discrete_tail(last + 1, sigma)
    first = floor(e * s * s - Fraction(n, 2)) + 1  # T whose loss exceeds ε
    furthest = max(n * last, first)
    shares = [1 - (epsilon - rate * (n + 2 * t)).exp() for t in range(first, furthest + 1)]
    powers: dict[tuple[int, int], arb_poly] = {}

    def law(size: int, count: int) -> arb_poly:
        if (size, count) not in powers:
            if count > 1:
                powers[size, count] = law(size, count // 2) * law(size, count - count // 2)
            else:
                spread = [arb(0)] * (2 * size * last + 1)
                spread[::size] = single
                powers[size, count] = arb_poly(spread)
        return powers[size, count]

    deltas = []
    for move in _squares(n, isqrt(n)):
        whole = arb_poly([1])
        for size in sorted(set(move)):
            whole *= law(size, move.count(size))
        masses, middle = whole.coeffs(), sum(move) * last
        terms = zip(masses[max(middle + first, 0) :], shares[max(-middle - first, 0) :], strict=False)
        deltas.append(sum((mass * share for mass, share in terms), arb(0)) + arb(0).union(beyond))
    return reduce(arb.max, deltas)


def _squares(n: int, most: int) -> list[tuple[int, ...]]:
    """Return all ways to write n as a sum of squares of whole numbers up to a largest one."""
    if n == 0:
        return [()]
    return [(size, *rest) for size in range(min(most, isqrt(n)), 0, -1) for rest in _squares(n - size * size, size)]


def _best_order(epsilon: float, rho: float) -> float:
    """Return about the α of the least δ: (2α − 1)ρ + ln(1 − 1/α) = ε."""
    low, high = 1.00001, 1e9
    for _ in range(100):
        middle = sqrt(low * high)
        low, high = (middle, high) if (2 * middle - 1) * rho + log1p(-1 / middle) < epsilon else (low, middle)
    return high


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
