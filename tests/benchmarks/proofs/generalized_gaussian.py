"""Claims on the scales, profiles and sensitivities of generalized Gaussian noise."""

import numpy as np
from flint import arb
from scipy.special import gammainccinv, gammaincinv

from dpcore import generalized_gaussian as shaped
from dpcore.sensitivity import statistics_sensitivity
from dpcore.verify import formulas
from dpcore.verify.formulas import shaped_density as density
from dpcore.verify.formulas import shaped_tail as tail
from tests.benchmarks.proofs.verdicts import Claims, guarantee_verdicts, root, value_verdicts
from tests.oracle import GREATEST_DELTA, Numbers


def quantile(alpha: arb, p: arb) -> arb:
    """Return the x with Pr(X > x) = α, starting at SciPy's approximation."""
    small, shape = alpha.min(1 - alpha), 1 / float(p)
    if small >= arb(1) / 2:
        return arb(0)
    level = max(float(small.mid()), 1e-306)
    start = gammaincinv(shape, 1 - 2 * level) if level > 0.25 else gammainccinv(shape, 2 * level)
    if start < 1e-17:  # F is a straight line there
        x = root(
            lambda x: small - tail(x, p),
            lambda x: density(x, p),
            ((arb(1) / 2 - small) / density(arb(0), p)).mid(),
        )
    else:
        x = root(
            lambda x: (small / tail(x, p)).log(),
            lambda x: density(x, p) / tail(x, p),
            (arb(float(start)) ** (1 / p)).mid(),
        )
    return x if alpha <= arb(1) / 2 else -x


def dp(epsilon: arb, scale: arb, p: arb) -> tuple[arb, arb]:
    """Return δ of (ε, δ)-DP for Δ = 1 and the effect of a relative change of the scale, s f(u)."""
    s = 1 / scale
    return formulas.shaped(epsilon, s, p), s * density(formulas.crossing(epsilon, s, p), p)


def pdp(epsilon: arb, scale: arb, p: arb) -> tuple[arb, arb]:
    s = 1 / scale
    u = formulas.crossing(epsilon, s, p)
    t = u + s
    back = abs(u) ** (p - 1) * (1 if u > 0 else -1)
    share = t ** (p - 1) / (t ** (p - 1) - back)  # −du/ds
    slope = density(u, p) * share + density(t, p) * (share - 1)
    return formulas.shaped(epsilon, s, p, side=1), s * slope


def kept_dp(epsilon: arb, delta: arb, p: arb, scale: arb) -> tuple[arb, arb]:
    return dp(epsilon, scale, p)


def kept_pdp(epsilon: arb, delta: arb, p: arb, scale: arb) -> tuple[arb, arb]:
    return pdp(epsilon, scale, p)


def kept_by_epsilon(delta: arb, scale: arb, p: arb, epsilon: arb) -> tuple[arb, arb]:
    value, slope = dp(epsilon, scale, p)
    return value, delta + slope


def disjoint(epsilon: arb, delta: arb, p: arb) -> arb:
    u = quantile(delta / 2, p)
    return 1 / ((epsilon + u**p) ** (1 / p) - u)


def published(epsilon: arb, p: arb, width: arb, moved: arb) -> arb:
    return (2 / epsilon * ((width + moved) ** p - width**p)) ** (1 / p)


def exponential(epsilon: arb, p: arb, width: arb, moved: arb) -> arb:
    return (2 / epsilon * (width**p - (width - moved) ** p)) ** (1 / p)


def utility(p: arb, width: arb, moved: arb) -> arb:
    return width**p - (width - moved) ** p


def boundary_inflated_loss(scale: arb, p: arb, width: arb, moved: arb) -> arb:
    return (tail((width - moved) / scale, p) / tail(width / scale, p)).log()


def exponential_scale(epsilon: arb, p: arb, utility_sensitivity: arb) -> arb:
    return (2 * utility_sensitivity / epsilon) ** (1 / p)


def lp(first: arb, second: arb, p: arb) -> arb:
    return (first**p + second**p) ** (1 / p)


def guarantees(n: int, rng: np.random.Generator) -> tuple[Numbers, Numbers, Numbers]:
    """Return (ε, δ, p) over the domain, with clusters near p = 1, for tiny ε, tiny δ and δ near 1."""
    epsilon, delta = 10 ** rng.uniform(-3, 2, n), 10 ** rng.uniform(-12, -0.1, n)
    kind = rng.integers(0, 6, n)
    epsilon[kind == 1] = 10 ** rng.uniform(-12, -2, n)[kind == 1]
    epsilon[kind == 2] = 10 ** rng.uniform(2, 6, n)[kind == 2]
    delta[kind == 3] = 10 ** rng.uniform(-300, -12, n)[kind == 3]
    delta[kind == 4] = 1 - 10 ** rng.uniform(-15, -0.3, n)[kind == 4]
    shapes = [1 + 10 ** rng.uniform(-6, -1, n), rng.uniform(1.1, 4, n), rng.uniform(4, 100, n)]
    return epsilon, np.minimum(delta, GREATEST_DELTA), np.choose(rng.integers(0, 3, n), shapes)


def unbounded(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    epsilon, delta, p = guarantees(n, rng)
    arguments = epsilon, delta, p
    scale = np.clip(shaped.adp_scale(*arguments) * rng.uniform(0.8, 1.25, n), 1e-6, 1e12)
    zero = np.where(rng.random(n) < 0.3, 0, epsilon)
    spent = np.minimum(np.where(rng.random(n) < 0.5, delta, delta * rng.uniform(0.5, 1, n)), GREATEST_DELTA)
    yield "adp_scale", guarantee_verdicts(shaped.adp_scale, kept_dp, (zero, delta, p), 1)
    yield "exact_pdp_scale", guarantee_verdicts(shaped.exact_pdp_scale, kept_pdp, arguments, 1)
    yield "pdp_scale_disjoint", value_verdicts(shaped.pdp_scale_disjoint, disjoint, arguments)
    yield (
        "delta_from_scale",
        value_verdicts(shaped.delta_from_scale, lambda e, b, p: dp(e, b, p)[0], (epsilon, scale, p)),
    )
    yield (
        "pdp_delta_from_scale",
        value_verdicts(shaped.pdp_delta_from_scale, lambda e, b, p: pdp(e, b, p)[0], (epsilon, scale, p)),
    )
    yield "epsilon_from_scale", guarantee_verdicts(shaped.epsilon_from_scale, kept_by_epsilon, (spent, scale, p), 0)


def bounded(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    epsilon, _, p = guarantees(n, rng)
    width = 10 ** rng.uniform(-20, 20, n)
    moved = width * np.maximum(10 ** rng.uniform(-8.9, 0, n), 1e-9)
    arguments = epsilon, p, width, moved

    def along_last_axis(function):
        def of_one(epsilon, p, width, moved):
            return function(epsilon, p, np.asarray(moved)[..., None], np.asarray(width)[..., None])

        return of_one

    yield "truncated_scale", value_verdicts(along_last_axis(shaped.truncated_scale), published, arguments)
    yield (
        "bounded_exponential_scale",
        value_verdicts(along_last_axis(shaped.bounded_exponential_scale), exponential, arguments),
    )
    utility_given = p, 10 ** rng.uniform(-2, 2, n), rng.uniform(1e-8, 1, n)

    def utility_of(p, width, share):
        return shaped.utility_sensitivity(p, np.asarray(width * share)[..., None], np.asarray(width)[..., None])

    yield (
        "utility_sensitivity",
        value_verdicts(utility_of, lambda p, w, share: utility(p, w, arb(float(w) * float(share))), utility_given),
    )
    size = 10 ** rng.uniform(-200, 200, n)
    yield (
        "exponential_mechanism_scale",
        value_verdicts(shaped.exponential_mechanism_scale, exponential_scale, (epsilon, p, size)),
    )
    scale = np.clip(width * 10 ** rng.uniform(-2, 3, n), 1e-150, 1e150)
    yield (
        "boundary_inflated_loss",
        value_verdicts(shaped.boundary_inflated_loss, boundary_inflated_loss, (scale, p, width, moved)),
    )

    def lp_of(first, second, p):
        return statistics_sensitivity(np.stack([first, second], axis=-1)).lp(p)

    yield "statistics_sensitivity", value_verdicts(lp_of, lp, (width, width * 10 ** rng.uniform(-9, 9, n), p))


def claims(n: int, seed: int) -> Claims:
    yield from unbounded(max(n // 10, 1), seed)
    yield from bounded(max(n // 2, 1), seed + 1)
