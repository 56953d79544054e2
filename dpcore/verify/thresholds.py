"""The enclosures of δ of a threshold release, of a private choice, and of any randomiser given as a table.

Units, and what a proof covers, are in `dpcore.verify`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise, permutations
from math import ceil, floor, inf, isqrt
from typing import NamedTuple

import numpy as np
from flint import arb, arb_poly, ctx

from dpcore.checks import (
    EPSILON_RANGE,
    POSITIVE_EPSILON_RANGE,
    SENSITIVITY_RANGE,
    leave_out,
    number,
    option,
    refuse,
    scalar_integer,
)
from dpcore.verify import formulas
from dpcore.verify.formulas import LEAST_BITS, Enclosure, Number, ball, enclosed, exact

_NOISES = ("gaussian", "laplace", "discrete_gaussian", "geometric", "truncated_geometric")
_RULES = ("at_least", "above")
_TOTAL_RANGE, _GROUPS_RANGE, _STEPS_RANGE, _LIMIT_RANGE = "[1, 1e9]", "[1, 1000]", "[1, 1e6]", "[-1e15, 1e15]"
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
    total: int | None = None,
) -> Enclosure:
    """Return max over m of max(1 − F^m + F^m δ_{k−m}(ε − m ln F), δ_{k−m}(ε + m ln F)).

    It is the δ of `unknown_groups.delta_from_threshold`, with its upper bounds where there is a limit in all.

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
    bound : where truncated geometric noise ends, a whole number in [c, 1e6].
    total : N, a whole number in [1, 1e9], the most that a person adds to all groups; left out of discrete Gaussian
        noise.

    Examples
    --------
    >>> print(f"{threshold_delta(1, 7.318, 37.38, groups_per_person=3).high:.8e}")
    9.98196674e-07
    """
    option("noise", noise, _NOISES)
    option("rule", rule, _RULES)
    scale_range = "[1e-4, 1e4]" if noise == "discrete_gaussian" else "(0, inf)"
    e, s = exact("epsilon", epsilon, EPSILON_RANGE), exact("scale", scale, scale_range)
    tau = exact("threshold", threshold, _LIMIT_RANGE)
    k, c = (
        scalar_integer("groups_per_person", groups_per_person, _GROUPS_RANGE),
        scalar_integer("contributions", contributions, _STEPS_RANGE),
    )
    end, cap = _last_draw(noise, bound, c), k * c
    if total is not None:
        leave_out(f"noise {noise}", total=total if noise == "discrete_gaussian" else None)
        cap = scalar_integer("total", total, _TOTAL_RANGE)
    k, c = min(k, cap), min(c, cap)
    if noise not in ("gaussian", "laplace"):
        tau = Fraction(ceil(tau) if rule == "at_least" else floor(tau) + 1)

    added = _Noise(noise, s, end)

    def greatest() -> arb:
        log_hidden = (-added.exceedance(tau - c)).log1p()
        worst = arb(0)
        profiles = added.profiles(c, k, e)
        if cap < k * c:
            profiles = [added.capped(c, e, min(cap - k + j, j * c), j, profiles[j]) for j in range(k + 1)]
        is_hidden = cap < k * c and end is not None and tau > end  # then the noise is all there is
        for j, profile in enumerate(profiles):
            if is_hidden and j < k:
                continue
            lost = -(k - j) * log_hidden
            chance = -(-lost).expm1()
            remove = chance + (1 - chance) * profile(ball(e) + lost)
            worst = worst.max(remove).max(profile(ball(e) - lost))
        return worst

    return enclosed(greatest)


def _last_draw(noise: str, bound: int | None, c: int) -> int | None:
    """N of truncated noise, checked; None of the others."""
    if noise != "truncated_geometric":
        leave_out(f"noise {noise}", bound=bound)
        return None
    return scalar_integer("bound", inf if bound is None else bound, f"[{c}, 1e6]")


def _geometric_tail(first: int, r: arb, end: int | None) -> arb:
    """Pr(k ≥ first), first > 0."""
    if end is None:
        return r**first / (1 + r)
    rest = r ** (end + 1)
    return (r**first - rest) / (1 + r - 2 * rest) if first <= end else arb(0)


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


class _Losses(NamedTuple):
    """The losses first − i step, i = 0, 1, …, of the probabilities `weights`; ∞ and any other with these chances."""

    weights: list[arb]
    infinite: arb
    first: arb
    step: arb
    rest: arb = arb(0)

    def profile(self, epsilon: arb) -> arb:
        """δ(ε), whatever the losses of `rest` are."""
        above = (-(epsilon - self.first + i * self.step).expm1() for i in range(len(self.weights)))
        gains = (weight * gain.max(arb(0)) for weight, gain in zip(self.weights, above, strict=True))
        return sum(gains, self.infinite) + arb(0).union(self.rest)


class _Noise(NamedTuple):
    """Noise of a name and a scale; truncated noise ends at `end`."""

    name: str
    s: Fraction
    end: int | None

    def exceedance(self, limit: Fraction) -> arb:
        """Pr(noise ≥ limit)."""
        if self.name == "gaussian":
            return formulas.upper_tail(ball(limit) / ball(self.s))
        if self.name == "laplace":
            half = (-abs(ball(limit)) / ball(self.s)).exp() / 2
            return half if limit >= 0 else 1 - half
        first = int(limit) if limit > 0 else 1 - int(limit)
        if self.name == "discrete_gaussian":
            tail = formulas.discrete_tail(first, ball(self.s)) / 2
        else:
            tail = _geometric_tail(first, (-1 / ball(self.s)).exp(), self.end)
        return tail if limit > 0 else 1 - tail

    def profiles(self, c: int, k: int, e: Fraction) -> list[Profile]:
        """Return δ_j for j = 0 … k, each of any real ε'."""
        if self.name == "gaussian":
            return [_without_counts, *(_gaussian(ball(c) * ball(j).sqrt() / ball(self.s)) for j in range(1, k + 1))]
        if self.name == "laplace":
            return [_without_counts, *(_laplace(self.s, c, j, e) for j in range(1, k + 1))]
        one = self.one_loss(c)
        number("the number of losses of all groups", float(k * len(one.weights)), _SUM_RANGE)
        weights, profiles = arb_poly([1]), list[Profile]()
        for j in range(k + 1):
            infinite = 1 - (1 - one.infinite) ** j
            profiles.append(_Losses(weights.coeffs(), infinite, j * one.first, one.step, j * one.rest).profile)
            weights = weights * arb_poly(one.weights)
        return profiles

    def capped(self, c: int, e: Fraction, total: int, j: int, profile: Profile) -> Profile:
        """Return δ of j counts that move by `total` in all; `profile` is that without this limit."""
        if total >= j * c:
            return profile
        full, rest = divmod(total, c)
        if self.name == "gaussian":
            return _gaussian(ball(full * c**2 + rest**2).sqrt() / ball(self.s))
        if self.end is None:
            of_all = _laplace(self.s, total, 1, e) if self.name == "laplace" else self.one_loss(total).profile
            return lambda epsilon: of_all(epsilon).min(profile(epsilon))
        kept = (1 - self.one_loss(c).infinite) ** full
        kept *= 1 - self.one_loss(rest).infinite if rest else 1

        def covered(epsilon: arb) -> arb:
            is_covered = epsilon >= ball(total / self.s) or (epsilon.overlaps(ball(e)) and total <= e * self.s)
            return 1 - kept if is_covered else profile(epsilon)

        return covered

    def one_loss(self, c: int) -> _Losses:
        """Return the losses of one count.

        The noise moves from k to k + c: of geometric noise the loss is (c − 2i)/s, i = 0 from k = 0 on, i = −k, and
        i = c from −c down; of discrete Gaussian noise (2kc + c²)/(2σ²), from the largest k down.
        """
        scale = ball(self.s)
        if self.name == "discrete_gaussian":
            last = isqrt(int(2 * ctx.prec * self.s * self.s) + 1) + 2
            weights = [(-ball(y * y) / (2 * scale**2)).exp() for y in range(-last, last + 1)]
            whole = formulas.discrete_weight(scale)
            rest = formulas.discrete_tail(last + 1, scale)
            rate = ball(c) / scale**2
            return _Losses([weight / whole for weight in weights], arb(0), rate * (last + ball(c) / 2), rate, rest)
        r = (-1 / scale).exp()
        tails = [_geometric_tail(first, r, self.end) for first in range(1, c + 2)]
        infinite = arb(0) if self.end is None else _geometric_tail(self.end - c + 1, r, self.end)
        between = [tails[i - 1] - tails[i] for i in range(1, c)]
        return _Losses([1 - tails[0] - infinite, *between, tails[c - 1]], infinite, ball(c) / scale, 2 / scale)


_MECHANISMS = ("permute_and_flip", "exponential")
_CANDIDATES_RANGES = {"permute_and_flip": "[1, 2001]", "exponential": "[1, 20001]"}
_SCORES_RANGE = "[-1e15, 1e15]"
_ROWS_RANGE, _OUTPUTS_RANGE, _WEIGHTS_RANGE = "[2, 50]", "[1, 500]", "[0, 1e300]"
_FAR = 2.0**-150  # the coins of a candidate that is improbable
_BITS_OF_A_CANDIDATE = 2  # that the integral of a polynomial can lose


def choice_delta(
    epsilon: Number,
    scores: Sequence[Number],
    other_scores: Sequence[Number],
    noise_epsilon: Number,
    sensitivity: Number = 1.0,
    mechanism: str = "permute_and_flip",
    edges: Sequence[Number] = (),
) -> Enclosure:
    """Return the larger of Σ(p − e^ε p′)₊ and Σ(p′ − e^ε p)₊, of the probabilities p and p′ of two lists of scores.

    With coins q_r = e^{−ε₀(max u − u_r)/(2Δ)} they are q_r/Σ q_s of the exponential mechanism, and
    q_r ∫₀¹ Π_{s≠r}(1 − t q_s) dt of permute-and-flip, the integral of a polynomial. Where ε-DP holds, it is 0: an upper
    end of about 1e-38 is that of the intervals.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scores, other_scores : u of each candidate in [−1e15, 1e15], of neighbouring data: as many, at most 2001, of the
        exponential mechanism 20001.
    noise_epsilon : ε₀ of the coins, in [1e-12, 1e6]; ε where the mechanism is used as it is.
    sensitivity : Δ of the coins, in [1e-100, 1e100]; half of it for monotone scores.
    mechanism : "permute_and_flip" or "exponential".
    edges : of intervals in the place of candidates, one more than these, rising, in [−1e15, 1e15]; none for candidates.
        The exponential mechanism then draws any number of them: an interval of width w_r has a probability ∝ w_r q_r.

    Examples
    --------
    >>> choice_delta(1, [0, -3, -5], [-1, -2, -5], 1).high < 1e-30
    True
    >>> print(f"{choice_delta(0.5, [0, -3, -5], [-1, -2, -5], 1).high:.6g}")
    0.110678
    """
    option("mechanism", mechanism, _MECHANISMS)
    e, own = exact("epsilon", epsilon, EPSILON_RANGE), exact("noise_epsilon", noise_epsilon, POSITIVE_EPSILON_RANGE)
    rate = own / (2 * exact("sensitivity", sensitivity, SENSITIVITY_RANGE))
    both = [[exact("scores", score, _SCORES_RANGE) for score in listed] for listed in (scores, other_scores)]
    n = scalar_integer("the number of candidates", len(both[0]), _CANDIDATES_RANGES[mechanism])
    other = float(len(both[1]))
    refuse("the number of other scores", np.asarray(other), np.asarray(other != n), f"[{n}, {n}]")
    ends = [exact("edges", edge, _SCORES_RANGE) for edge in edges]
    widths = [last - first for first, last in pairwise(ends)] if ends else [Fraction(1)] * n
    refuse("the number of edges", np.asarray(float(len(ends))), np.asarray(len(widths) != n), f"[{n + 1}, {n + 1}]")
    refuse("the least width", np.asarray(float(min(widths))), np.asarray(min(widths) <= 0), "(0, inf)")
    option("mechanism", mechanism, ("exponential",) if ends else _MECHANISMS)
    is_flipped = mechanism == "permute_and_flip"

    def larger_side() -> arb:
        with ctx.workprec(ctx.prec + (_BITS_OF_A_CANDIDATE * n if is_flipped else 0)):
            coins = [_coins(listed, rate) for listed in both]
            first, second = (
                _permute_and_flip_shares(each) if is_flipped else _exponential_shares(each, widths) for each in coins
            )
            factor = ball(e).exp()
            sides = [(p - factor * r, r - factor * p) for p, r in zip(first, second, strict=True)]
            one, two = (sum((side.max(arb(0)) for side in column), arb(0)) for column in zip(*sides, strict=True))
            return one.max(two)

    return enclosed(larger_side, most_bits=LEAST_BITS)


def randomizer_delta(epsilon: Number, matrix: Sequence[Sequence[Number]]) -> Enclosure:
    """max Σ_y (P(y|x) − e^ε P(y|x′))₊ over inputs x and x′: δ(ε) of a randomiser that is given as a table.

    Where each report satisfies ε-DP it is exactly 0.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    matrix : weights in [0, 1e300], a row for each of 2 to 50 inputs, a column for each of at most 500 outputs. Each
        row is divided by its sum, so that numbers of draws are probabilities without any rounding.

    Examples
    --------
    >>> randomizer_delta(1.0987, [[3, 1], [1, 3]]), randomizer_delta(0, [[3, 1], [1, 3]]).low
    (Enclosure(low=0.0, high=0.0, bits=128), 0.5)
    """
    e = exact("epsilon", epsilon, EPSILON_RANGE)
    scalar_integer("the number of rows", len(matrix), _ROWS_RANGE)
    n = scalar_integer("the number of outputs", len(matrix[0]), _OUTPUTS_RANGE)
    rows = [[exact("matrix", weight, _WEIGHTS_RANGE) for weight in row] for row in matrix]
    for row in rows:
        size, total = float(len(row)), float(sum(row))
        refuse("the length of each row of matrix", np.asarray(size), np.asarray(size != n), f"[{n}, {n}]")
        refuse("the sum of each row of matrix", np.asarray(total), np.asarray(total == 0), "(0, inf)")
    table = [[weight / sum(row) for weight in row] for row in rows]

    def largest() -> arb:
        factor = ball(e).exp()
        pairs = permutations([[ball(share) for share in row] for row in table], 2)
        sums = (
            sum(((p - factor * q).max(arb(0)) for p, q in zip(first, second, strict=True)), arb(0))
            for first, second in pairs
        )
        return reduce(arb.max, sums)

    return enclosed(largest, most_bits=LEAST_BITS)


def _coins(scores: list[Fraction], rate: Fraction) -> list[arb]:
    """Return q of each candidate; equal scores are one interval object."""
    best = max(scores)
    coins = {score: (-ball(rate * (best - score))).exp() for score in set(scores)}
    return [coins[score] for score in scores]


def _exponential_shares(coins: list[arb], widths: list[Fraction]) -> list[arb]:
    """Return w_r q_r/Σ w_s q_s."""
    weights = [ball(width) * coin for width, coin in zip(widths, coins, strict=True)]
    total = sum(weights, arb(0))
    return [weight / total for weight in weights]


def _permute_and_flip_shares(coins: list[arb]) -> list[arb]:
    """Return q_r ∫₀¹ Π_{s≠r}(1 − t q_s) dt: the product of all is divided by 1 − t q_r, by its coefficients.

    The factors of candidates that are far off are not multiplied: they are together between 1 − Σq and 1.
    """
    near = [coin for coin in coins if not coin < _FAR]
    others = 1 - arb(0).union(sum((coin for coin in coins if coin < _FAR), arb(0)))
    coefficients = _product([arb_poly([1, -coin]) for coin in near]).coeffs()
    distinct = {id(coin): coin for coin in near}
    integrals = {key: others * _integral(coefficients[:-1], coin) for key, coin in distinct.items()}
    alone = others * _integral(coefficients, arb(0))
    return [coin * integrals.get(id(coin), alone) for coin in coins]


def _integral(coefficients: list[arb], coin: arb) -> arb:
    """Return ∫₀¹ of the quotient of a polynomial by 1 − qt, of which these are the first coefficients."""
    last, integral = arb(0), arb(0)
    for power, coefficient in enumerate(coefficients, 1):
        last = coefficient + coin * last
        integral += last / power
    return integral


def _product(factors: list[arb_poly]) -> arb_poly:
    """Return a product of polynomials, of factors of about the same degree at a time."""
    while len(factors) > 1:
        factors = [reduce(arb_poly.__mul__, factors[first : first + 2]) for first in range(0, len(factors), 2)]
    return factors[0]
