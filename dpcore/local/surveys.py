"""Whole surveys: the exact error with few people, trial reports, estimates, questions, randomisers."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import hadamard

from dpcore import denoise, gaussian
from dpcore._binomial import masses
from dpcore.checks import (
    POSITIVE_EPSILON_RANGE,
    PROBABILITY_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    generator,
    integer,
    number,
    option,
    refuse,
    scalar,
)
from dpcore.local.shares import (
    METHODS,
    half_width,
    report_probabilities,
)
from dpcore.rounding import round_up

QUESTION_WAYS = ("split", "draw")
_FEW_RANGE = "[1, 10000]"  # people whose counts are enumerated
_REPORTS_RANGE = "[0, 1e12]"
_QUESTIONS_RANGE = "[1, 1e6]"
_TRIAL_OPTIONS_RANGE = "[2, 100]"  # options of a trial survey
Counts = NDArray[np.int64]
_CLOSE = 1e-9  # by which the probabilities of a row may miss 1
N_DRAWS = 2**53  # whole numbers that a device can draw, and compare as floats without rounding
_DEVICE_EPSILON_RANGE = "[1e-6, 30]"
_DEVICE_OPTIONS_RANGE = "[2, 1000]"


def exact_half_width(
    epsilon: ArrayLike,
    n_options: ArrayLike,
    n_people: ArrayLike,
    method: str = "best",
    share: ArrayLike = 0.5,
    significance: ArrayLike = 0.05,
) -> Array:
    """The least h such that Pr(|estimate − f| > h) ≤ α: the count of a report is binomial, and is enumerated.

    Of m = nf people with the option Bin(m, p) reports count for it, of the others Bin(n − m, q). It is what
    `half_width` approximates by a normal distribution, and that is rough for fewer than about a thousand people.

    Parameters
    ----------
    epsilon : ε of each report, in [1e-12, 1e6].
    n_options : d, a whole number in [2, 1e9].
    n_people : n, a whole number in [1, 10000].
    method : one of `METHODS`, or "best": that of the least half-width.
    share : f in [0, 1]; nf is rounded to a whole number of people, and f to their share.
    significance : α in [1e-300, 1).

    Returns
    -------
    The half-width as a share of 1, raised in its last bits; above 1 where nothing is learnt.

    Examples
    --------
    >>> exact_half_width(1, 2, [20, 200, 2000], share=0.1).round(4).tolist()
    [0.4, 0.1302, 0.0419]
    >>> half_width(1, 2, [20, 200, 2000], share=0.1).round(4).tolist()
    [0.4205, 0.133, 0.0421]
    """
    option("method", method, (*METHODS, "best"))
    n_people = integer("n_people", n_people, _FEW_RANGE)
    share, significance = (
        number("share", share, PROBABILITY_RANGE),
        number("significance", significance, SIGNIFICANCE_RANGE),
    )
    methods = METHODS if method == "best" else (method,)
    widths = []
    for name in methods:
        p, _, q, _, gap = report_probabilities(epsilon, n_options, name, share)
        cases = np.broadcast_arrays(p, q, gap, n_people, share, significance)
        sizes = [
            _enumerated(*(float(part) for part in case)) for case in zip(*(part.flat for part in cases), strict=True)
        ]
        widths.append(np.reshape(sizes, cases[0].shape))
    return np.minimum.reduce(widths)[()]


def _enumerated(p: float, q: float, gap: float, n: float, share: float, significance: float) -> float:
    members = round(n * share)
    others = int(n) - members
    mass = np.convolve(masses(members, p), masses(others, q))
    off = np.abs(np.arange(mass.size) - (members * p + others * q)) + n * 1e-15  # the rounding of the middle
    farthest = np.argsort(-off)
    beyond = np.cumsum(mass[farthest]) * (1 + 1e-9) > significance
    return float(round_up(off[farthest][np.argmax(beyond)] / (n * gap), 4))


def sample_counts(rng: np.random.Generator, counts: ArrayLike, epsilon: float, method: str) -> Counts:
    """A trial survey: how many reports count for each option, of so many people who have it.

    Parameters
    ----------
    rng : the source of randomness.
    counts : the people who have each of d options, whole numbers in [0, 1e12]; d in [2, 100].
    epsilon : ε of each report, in [1e-12, 1e6].
    method : one of `METHODS`; subset selection takes the size of the least worst error.

    Returns
    -------
    Whole numbers, one for each option. A report of several options counts for each of them.

    Examples
    --------
    >>> sample_counts(np.random.default_rng(1), [600, 300, 100], 2.0, "randomized_response").tolist()
    [513, 317, 170]
    """
    generator("rng", rng)
    option("method", method, METHODS)
    epsilon = scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    people = np.atleast_1d(integer("counts", counts, _REPORTS_RANGE)).astype(np.int64)
    d = people.size
    integer("the number of options", d, _TRIAL_OPTIONS_RANGE)
    p, _, q, _, _ = (float(part) for part in report_probabilities(epsilon, d, method))
    n = int(people.sum())
    if method.endswith("unary"):
        return rng.binomial(people, p) + rng.binomial(n - people, q)
    if method == "hadamard":
        return _hadamard_counts(rng, people, p)
    return _subset_counts(rng, people, p, round(p + (d - 1) * q))


def _subset_counts(rng: np.random.Generator, people: Counts, p: float, w: int) -> Counts:
    """Draw w options for each person, with the own one among them with probability p, option by option.

    Of the people who have the answer v and r options still to draw, each takes the next one with probability r ÷ the
    number of options that are left, so that only their number matters.
    """
    d = people.size
    own = rng.binomial(people, p)
    waiting = np.zeros((d, w + 1), np.int64)  # the people of each answer, by the options that they have still to draw
    waiting[:, w], waiting[:, w - 1] = people - own, own
    counted, to_draw = own.copy(), np.arange(w + 1)
    for place in range(d):
        left = d - place - (np.arange(d) > place)  # of the options from this one on, without the own
        chance = np.minimum(to_draw / left[:, np.newaxis], 1.0)
        chance[place] = 0.0
        taken = rng.binomial(waiting, chance)
        counted[place] += taken.sum()
        waiting[:, :-1] += taken[:, 1:]
        waiting -= taken
    return counted


def _hadamard_counts(rng: np.random.Generator, people: Counts, p: float) -> Counts:
    """Draw for each person an entry of the option's row with the sign 1, or with probability 1 − p with the sign −1."""
    size = 1 << people.size.bit_length()
    rows = hadamard(size)[1 : people.size + 1] > 0
    half = 2 / size  # each of the entries of one sign
    entries = sum(
        rng.multinomial(truthful, row * half) + rng.multinomial(n - truthful, ~row * half)
        for row, n, truthful in zip(rows, people.tolist(), rng.binomial(people, p).tolist(), strict=True)
    )
    return rows @ entries


def estimated_shares(counted: ArrayLike, n_people: ArrayLike, epsilon: ArrayLike, method: str) -> Array:
    """(c/n − q)/(p − q): the unbiased estimates of the shares from what `sample_counts` counts.

    Parameters
    ----------
    counted : c, the reports that count for each of d options along the last axis, in [0, 1e12].
    n_people : n, a whole number in [1, 1e12].
    epsilon, method : of the reports.

    Returns
    -------
    The shape of `counted`. An estimate may be below 0 or above 1: see `consistent_shares`.

    Examples
    --------
    >>> estimated_shares([499, 339, 162], 1000, 2.0, "randomized_response").round(3).tolist()
    [0.577, 0.342, 0.082]
    """
    option("method", method, METHODS)
    counted = np.atleast_1d(number("counted", counted, "[0, 1e12]"))
    n_people = integer("n_people", n_people, "[1, 1e12]")
    _, _, q, _, gap = report_probabilities(epsilon, counted.shape[-1], method)
    return (counted / n_people - q) / gap


def consistent_shares(shares: ArrayLike) -> Array:
    """The nearest shares that are not negative and sum to 1; it is post-processing, which costs no privacy.

    Parameters
    ----------
    shares : estimates in [-1e100, 1e100], along the last axis.

    Examples
    --------
    >>> consistent_shares([0.7, 0.5, -0.1]).round(3).tolist()
    [0.6, 0.4, 0.0]
    """
    return denoise.with_total(shares, 1.0, 1.0).value


def questions_half_width(
    n_questions: ArrayLike,
    epsilon: ArrayLike,
    n_options: ArrayLike,
    n_people: ArrayLike,
    way: str,
    method: str = "best",
    share: ArrayLike = 0.5,
    significance: ArrayLike = 0.05,
) -> Array:
    """The half-width of a share of each of m questions that one person is asked, at ε for all of them together.

    "split": every person answers every question at ε/m, for ε adds up. "draw": each answers one that is drawn at
    random, at ε; ⌊n/m⌋ people answer each, and what they are a sample of adds f(1 − f)(n − ⌊n/m⌋)/((n − 1)⌊n/m⌋) to
    the variance.

    Parameters
    ----------
    n_questions : m, a whole number in [1, 1e6], at most n.
    epsilon : ε of a person for all questions, in [1e-6, 1e6].
    n_options, n_people, method, share, significance : as for `half_width`.
    way : one of `QUESTION_WAYS`.

    Examples
    --------
    >>> questions_half_width(10, 1, 4, 10_000, "split", share=0.2).round(3).tolist()
    0.294
    >>> questions_half_width(10, 1, 4, 10_000, "draw", share=0.2).round(3).tolist()
    0.087
    """
    option("way", way, QUESTION_WAYS)
    m = integer("n_questions", n_questions, _QUESTIONS_RANGE)
    epsilon = number("epsilon", epsilon, "[1e-6, 1e6]")
    n_people = integer("n_people", n_people, "[1, 1e12]")
    refuse("n_questions", np.broadcast_arrays(m, n_people)[0], np.asarray(m > n_people), "[1, n_people]")
    if way == "split":
        return half_width(epsilon / m, n_options, n_people, method, share, significance)
    n_asked, f = np.floor(n_people / m), number("share", share, PROBABILITY_RANGE)
    noise = half_width(epsilon, n_options, n_asked, method, f, significance)
    z = gaussian.half_width(significance, 1.0)
    return np.hypot(noise, z * np.sqrt(f * (1 - f) / n_asked * (n_people - n_asked) / np.maximum(n_people - 1, 1)))


def other_option_draws(epsilon: ArrayLike, n_options: ArrayLike) -> Array:
    """⌈2⁵³/(e^ε + d − 1)⌉ = w: of 2⁵³ draws, those on which a device reports one given option other than the true one.

    The device draws a whole number below 2⁵³, which it compares with multiples of w, without any rounding: each of the
    d − 1 other options has w draws, and the true one has the remaining 2⁵³ − (d − 1)w. Since w is rounded up, the exact
    ε of a report, ln((2⁵³ − (d − 1)w)/w), is at most ε.

    Parameters
    ----------
    epsilon : ε of a report, in [1e-6, 30].
    n_options : d, a whole number in [2, 1000].

    Returns
    -------
    Whole numbers as floats, at most 2⁵³/d; raised by a part of about 1e-15 before they are rounded up.

    Examples
    --------
    >>> other_option_draws(1, [2, 6]).tolist()
    [2422408970132805.0, 1166995382512391.0]
    >>> (1 - other_option_draws(1, 2) / N_DRAWS).round(4).item()
    0.7311
    """
    epsilon = number("epsilon", epsilon, _DEVICE_EPSILON_RANGE)
    n_options = integer("n_options", n_options, _DEVICE_OPTIONS_RANGE)
    return np.ceil(round_up(N_DRAWS / (np.exp(epsilon) + (n_options - 1)), 4))[()]


def randomizer_epsilon(matrix: ArrayLike) -> float:
    """max ln(P(y|x)/P(y|x′)) over outputs y and inputs x, x′: the exact ε of a randomiser that is given as a table.

    Parameters
    ----------
    matrix : P(y|x) in [0, 1], a row for each input and a column for each output; each row sums to 1 within 1e-9.

    Returns
    -------
    ε, rounded up in its last bits; ∞ where an output is possible for some inputs only.

    Examples
    --------
    >>> print(f"{randomizer_epsilon([[0.75, 0.25], [0.25, 0.75]]):.6f}")
    1.098612
    """
    table = np.atleast_2d(number("matrix", matrix, PROBABILITY_RANGE))
    total = table.sum(axis=-1)
    refuse("the sum of each row of matrix", total, abs(total - 1) > _CLOSE, f"[{1 - _CLOSE}, {1 + _CLOSE}]")
    possible = table[:, table.max(axis=0) > 0]
    if not possible.all():
        return math.inf
    return float(round_up(np.log1p(np.ptp(possible, axis=0) / possible.min(axis=0)).max(), 4))
