"""The enclosure of δ of a private choice among candidates, and of any randomiser given as a table.

Units, and what a proof covers, are in `dpcore.verify`.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations

import numpy as np
from flint import arb, arb_poly, ctx

from dpcore.checks import EPSILON_RANGE, POSITIVE_EPSILON_RANGE, SENSITIVITY_RANGE, option, refuse, scalar_integer
from dpcore.verify.enclosures import LEAST_BITS, Enclosure, Number, ball, enclosed, exact

_MECHANISMS = ("permute_and_flip", "exponential")
_CANDIDATES_RANGE, _SCORES_RANGE = "[1, 2001]", "[-1e15, 1e15]"
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
) -> Enclosure:
    """Return the larger of Σ(p − e^ε p′)₊ and Σ(p′ − e^ε p)₊, of the probabilities p and p′ of two lists of scores.

    With coins q_r = e^{−ε₀(max u − u_r)/(2Δ)} they are q_r/Σ q_s of the exponential mechanism, and
    q_r ∫₀¹ Π_{s≠r}(1 − t q_s) dt of permute-and-flip, the integral of a polynomial. Where ε-DP holds, it is 0: an upper
    end of about 1e-38 is that of the intervals.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scores, other_scores : u of each candidate in [−1e15, 1e15], of neighbouring data: as many, at most 2001.
    noise_epsilon : ε₀ of the coins, in [1e-12, 1e6]; ε where the mechanism is used as it is.
    sensitivity : Δ of the coins, in [1e-100, 1e100]; half of it for monotone scores.
    mechanism : "permute_and_flip" or "exponential".

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
    n = scalar_integer("the number of candidates", len(both[0]), _CANDIDATES_RANGE)
    other = float(len(both[1]))
    refuse("the number of other scores", np.asarray(other), np.asarray(other != n), f"[{n}, {n}]")
    probabilities = {"permute_and_flip": _flipped, "exponential": _proposed}[mechanism]

    def larger_side() -> arb:
        with ctx.workprec(ctx.prec + _BITS_OF_A_CANDIDATE * n):
            first, second = (probabilities(_coins(listed, rate)) for listed in both)
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


def _proposed(coins: list[arb]) -> list[arb]:
    """Return q_r/Σ q_s."""
    total = sum(coins, arb(0))
    return [coin / total for coin in coins]


def _flipped(coins: list[arb]) -> list[arb]:
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
