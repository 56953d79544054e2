"""The enclosure of δ of a threshold release. Units, and what a proof covers, are in `dpcore.verify`."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, inf, isqrt

from flint import arb, arb_poly, ctx

from dpcore.checks import EPSILON_RANGE, leave_out, number, option, scalar_integer
from dpcore.verify import formulas
from dpcore.verify.enclosures import Enclosure, Number, ball, enclosed, exact

_NOISES = ("gaussian", "laplace", "discrete_gaussian", "geometric", "truncated_geometric")
_RULES = ("at_least", "above")
_GROUPS_RANGE, _STEPS_RANGE, _LIMIT_RANGE = "[1, 1000]", "[1, 1e6]", "[-1e15, 1e15]"
_SUM_RANGE = "[1, 1e6]"  # of the number of different losses of k counts
Profile = Callable[[arb], arb]


def threshold_delta(
    epsilon: Number,
    scale: Number,
    threshold: Number,
    groups_per_person: int = 1,
    noise: str = "gaussian",
    contributions: int = 1,
    rule: str = "at_least",
    bound: int | None = None,
) -> Enclosure:
    """Return max over m of max(1 − F^m + F^m δ_{k−m}(ε − m ln F), δ_{k−m}(ε + m ln F)),
    the δ of `unknown_groups.delta_from_threshold`.

    Each δ_j is Σ (P − e^ε Q)₊ over the losses of j counts together: the j-th power of the distribution of one loss for
    noise on whole numbers, the closed form for Gaussian noise. Of Laplace noise the δ_j with j > 1 is known only where
    ε' is at least jc/b, as it is at the b of ε-DP, and elsewhere taken to be anything from δ at j = 0 to 1.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale : σ, b or s, positive; of discrete Gaussian noise in [1e-4, 1e4].
    threshold : τ in [−1e15, 1e15].
    groups_per_person : k, a whole number in [1, 1000].
    noise, rule : as in `unknown_groups.delta_from_threshold`.
    contributions : c, a whole number in [1, 1e6].
    bound : N of truncated geometric noise, a whole number in [c, 1e6].

    Examples
    --------
    >>> print(f"{threshold_delta(1, 7.318, 37.38, groups_per_person=3).high:.8e}")
    9.98196674e-07
    """
    option("noise", noise, _NOISES)
    option("rule", rule, _RULES)
    e, s = exact("epsilon", epsilon, EPSILON_RANGE), exact("scale", scale, _scale_range(noise))
    tau = exact("threshold", threshold, _LIMIT_RANGE)
    k, c = (
        scalar_integer("groups_per_person", groups_per_person, _GROUPS_RANGE),
        scalar_integer("contributions", contributions, _STEPS_RANGE),
    )
    end = _last_draw(noise, bound, c)
    if noise not in ("gaussian", "laplace"):
        tau = Fraction(ceil(tau) if rule == "at_least" else floor(tau) + 1)

    def greatest() -> arb:
        log_hidden = (-_exceedance(noise, tau - c, s, end)).log1p()
        worst = arb(0)
        for j, profile in enumerate(_profiles(noise, s, c, end, k, e)):
            lost = -(k - j) * log_hidden
            shown = -(-lost).expm1()
            remove = shown + (1 - shown) * profile(ball(e) + lost)
            worst = worst.max(remove).max(profile(ball(e) - lost))
        return worst

    return enclosed(greatest)


def _scale_range(noise: str) -> str:
    return "[1e-4, 1e4]" if noise == "discrete_gaussian" else "(0, inf)"


def _last_draw(noise: str, bound: int | None, c: int) -> int | None:
    """N of truncated noise, checked; None of the others."""
    if noise != "truncated_geometric":
        leave_out(f"noise {noise}", bound=bound)
        return None
    return scalar_integer("bound", inf if bound is None else bound, f"[{c}, 1e6]")


def _exceedance(noise: str, limit: Fraction, s: Fraction, end: int | None) -> arb:
    """Pr(noise ≥ limit)."""
    if noise == "gaussian":
        return formulas.upper_tail(ball(limit) / ball(s))
    if noise == "laplace":
        half = (-abs(ball(limit)) / ball(s)).exp() / 2
        return half if limit >= 0 else 1 - half
    first = int(limit) if limit > 0 else 1 - int(limit)
    if noise == "discrete_gaussian":
        tail = formulas.discrete_tail(first, ball(s)) / 2
    else:
        tail = _geometric_tail(first, (-1 / ball(s)).exp(), end)
    return tail if limit > 0 else 1 - tail


def _geometric_tail(first: int, r: arb, end: int | None) -> arb:
    """Pr(k ≥ first), first > 0."""
    if end is None:
        return r**first / (1 + r)
    rest = r ** (end + 1)
    return (r**first - rest) / (1 + r - 2 * rest) if first <= end else arb(0)


def _profiles(noise: str, s: Fraction, c: int, end: int | None, k: int, e: Fraction) -> list[Profile]:
    """Return δ_j for j = 0 … k, each of any real ε'."""
    if noise == "gaussian":
        return [_without_counts, *(_gaussian(ball(c) * ball(j).sqrt() / ball(s)) for j in range(1, k + 1))]
    if noise == "laplace":
        return [_without_counts, *(_laplace(s, c, j, e) for j in range(1, k + 1))]
    one, broken, step, center, rest = _one_loss(noise, s, c, end)
    number("the number of losses of all groups", float(k * len(one)), _SUM_RANGE)
    together, profiles = arb_poly([1]), list[Profile]()
    for j in range(k + 1):
        failed = 1 - (1 - broken) ** j
        profiles.append(_of_losses(together.coeffs(), failed, j * center, step, j * rest))
        together = together * arb_poly(one)
    return profiles


def _without_counts(epsilon: arb) -> arb:
    return (-epsilon.expm1()).max(arb(0))


def _gaussian(mu: arb) -> Profile:
    return lambda epsilon: formulas.gaussian(epsilon, mu)


def _laplace(b: Fraction, c: int, j: int, e: Fraction) -> Profile:
    theta = ball(j * c / b)

    def profile(epsilon: arb) -> arb:
        if epsilon >= theta or (epsilon.overlaps(ball(e)) and j * c <= e * b):
            return arb(0)
        nothing = _without_counts(epsilon)
        if epsilon <= -theta:
            return nothing
        return -((epsilon - theta) / 2).expm1() if j == 1 else nothing.union(arb(1))

    return profile


def _of_losses(weights: list[arb], failed: arb, first: arb, step: arb, rest: arb) -> Profile:
    """Return δ of losses first − i step of these probabilities, of ∞ with `failed`, and of any with at most `rest`."""

    def profile(epsilon: arb) -> arb:
        above = (-(epsilon - first + i * step).expm1() for i in range(len(weights)))
        total = sum((weight * gain.max(arb(0)) for weight, gain in zip(weights, above, strict=True)), failed)
        return total + arb(0).union(rest)

    return profile


def _one_loss(noise: str, s: Fraction, c: int, end: int | None) -> tuple[list[arb], arb, arb, arb, arb]:
    """Of one count: the probabilities of its losses, of the loss ∞, their step, the first, and what was left out.

    The noise moves from k to k + c: of geometric noise the loss is (c − 2i)/s, i = 0 from k = 0 on, i = −k, and i = c
    from −c down; of discrete Gaussian noise (2kc + c²)/(2σ²), from the largest k down.
    """
    scale = ball(s)
    if noise == "discrete_gaussian":
        last = isqrt(int(2 * ctx.prec * s * s) + 1) + 2
        weights = [(-ball(y * y) / (2 * scale**2)).exp() for y in range(-last, last + 1)]
        whole = formulas.discrete_weight(scale)
        rest = formulas.discrete_tail(last + 1, scale)
        rate = ball(c) / scale**2
        return [weight / whole for weight in weights], arb(0), rate, rate * (last + ball(c) / 2), rest
    r = (-1 / scale).exp()
    tails = [_geometric_tail(first, r, end) for first in range(1, c + 2)]
    broken = arb(0) if end is None else _geometric_tail(end - c + 1, r, end)
    between = [tails[i - 1] - tails[i] for i in range(1, c)]
    return [1 - tails[0] - broken, *between, tails[c - 1]], broken, 2 / scale, ball(c) / scale, arb(0)
