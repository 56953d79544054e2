"""Claims on Laplace and two-sided geometric noise."""

import numpy as np
from flint import arb

from dpcore import geometric, laplace
from dpcore.verify import formulas
from tests.benchmarks.proofs.verdicts import Claims, guarantee_verdicts, value_verdicts
from tests.oracle import GREATEST_DELTA, Numbers, random_pairs


def laplace_scale(epsilon: arb, delta: arb, sensitivity: arb) -> arb:
    return sensitivity / (epsilon - 2 * (1 - delta).log())


def laplace_epsilon(delta: arb, scale: arb, sensitivity: arb) -> arb:
    return (sensitivity / scale + 2 * (1 - delta).log()).max(arb(0))


def laplace_tail(t: arb, scale: arb) -> arb:
    return (-t / scale).exp()


def laplace_quantile(significance: arb, scale: arb) -> arb:
    return -significance.log() * scale


def near(place: arb, steps: int) -> list[int]:
    """Return the whole numbers of 0 … steps − 1 next to a real number."""
    middle = int(float(place.mid())) if abs(place) < 1e17 else 0 if place < 0 else steps
    return sorted({min(max(middle + i, 0), steps - 1) for i in range(-2, 4)})


def geometric_epsilon(delta: arb, scale: arb, steps: arb) -> arb:
    """Return the maximum over m of (Δ − m)/s + ln((1 + r)(1 − δ) − r^{m+1}), concave in m; at least 0."""
    whole, rate, best = int(float(steps)), 1 / scale, arb(0)
    room = (1 + (-rate).exp()) * (1 - delta)
    for m in near(-scale * (room / 2).log() - 1, whole):
        inside = room - (-(m + 1) * rate).exp()
        if inside > 0:
            best = best.max((whole - m) * rate + inside.log())
    return best


def kept_by_geometric_scale(epsilon: arb, delta: arb, steps: arb, scale: arb) -> tuple[arb, arb]:
    value = formulas.geometric(epsilon, scale, steps)
    nudge = arb(2) ** -40
    return value, (formulas.geometric(epsilon, arb(float(scale * (1 - nudge))), steps) - value) / nudge


def geometric_tail(t: arb, scale: arb) -> arb:
    return 2 * (-(t.floor() + 1) / scale).exp() / (1 + (-1 / scale).exp())


def kept_by_geometric_quantile(significance: arb, scale: arb, a: arb) -> tuple[arb, arb]:
    return geometric_tail(a, scale), significance


def corners(steps: Numbers, scale: Numbers, rng: np.random.Generator) -> Numbers:
    """Return ε at, near and far from the corners of the geometric profile."""
    corner = abs(steps - 2 * np.floor(rng.uniform(0, steps))) / scale
    spread = rng.choice([0, 1e-15, 1e-9, 1e-2, 0.5], steps.size) * rng.uniform(-1, 1, steps.size)
    return np.minimum(corner * (1 + spread), 1e6)


def laplace_claims(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    epsilon, delta = random_pairs(n, seed)
    delta[::5] = 0
    epsilon = np.where(delta < 1e-129, np.maximum(epsilon, 1e-129), epsilon)
    sensitivity = 10 ** rng.uniform(-50, 50, n)
    beside = 1 + rng.choice([1e-15, 1e-12, 1e-3, 1, -1e-3], n) * rng.uniform(0, 1, n)
    epsilon_of_scale = np.maximum(epsilon, 1e-12)
    scale = sensitivity / (epsilon_of_scale * beside)
    yield "laplace scale", value_verdicts(laplace.scale_from_epsilon, laplace_scale, (epsilon, delta, sensitivity))
    yield (
        "laplace delta",
        value_verdicts(laplace.delta_from_scale, formulas.laplace, (epsilon_of_scale, scale, sensitivity)),
    )
    yield "laplace epsilon", value_verdicts(laplace.epsilon_from_scale, laplace_epsilon, (delta, scale, sensitivity))
    reach = scale * 10 ** rng.uniform(-20, 2.8, n)
    yield "laplace tail", value_verdicts(laplace.tail, laplace_tail, (reach, scale))
    significance = np.maximum(delta, 1e-300)
    yield "laplace quantile", value_verdicts(laplace.half_width, laplace_quantile, (significance, scale))


def geometric_claims(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    epsilon, delta = random_pairs(n, seed)
    pure = np.arange(n) % 5 == 0
    least = np.maximum(epsilon, 1e-12)
    steps = rng.choice([1, 1, 2, 3, 7, 31, 1e3, 1e9, 1e15], n)
    scale = steps * 10 ** rng.uniform(-3, 5, n)
    yield (
        "geometric scale",
        guarantee_verdicts(geometric.scale_from_epsilon, kept_by_geometric_scale, (least, delta, steps), 1),
    )
    yield (
        "geometric pure scale",
        value_verdicts(geometric.scale_from_epsilon, lambda e, d, s: s / e, (least, 0 * delta, steps)),
    )
    arguments = corners(steps, scale, rng), scale, steps
    yield "geometric delta", value_verdicts(geometric.delta_from_scale, formulas.geometric, arguments)
    less = np.where(pure, 0, np.minimum(geometric.delta_from_scale(*arguments), GREATEST_DELTA))
    yield (
        "geometric epsilon",
        value_verdicts(geometric.epsilon_from_scale, geometric_epsilon, (less, scale, steps)),
    )
    unit = 10 ** rng.uniform(-3, 6, n)
    reach = np.minimum(unit * 10 ** rng.uniform(-6, 2.8, n), 1e15)
    yield "geometric tail", value_verdicts(geometric.tail, geometric_tail, (reach, unit))
    yield (
        "geometric quantile",
        guarantee_verdicts(geometric.half_width, kept_by_geometric_quantile, (delta, unit), 0),
    )


def claims(n: int, seed: int) -> Claims:
    yield from laplace_claims(n, seed)
    yield from geometric_claims(n, seed + 1)
