"""Which mechanism to use, why, and what was passed over: the one rule by which every page recommends.

Of the mechanisms that satisfy the guarantee, that are proved to, and that can be sampled safely, the one of the
smallest error is used. Errors count as equal up to 1 % and, where answers are whole, if half-widths are equal for
releases rounded to whole numbers: rounded, noise of half-width a has ⌈a − ½⌉. Among equal ones whole-numbered noise is
used, since answers stay whole and an exact sampler leaves no last digits to attack; and then the stronger guarantee,
ε-DP before (ε, δ)-DP.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.calibrations import PURE_DP
from dpcore.checks import CELLS_RANGE, SIGNIFICANCE_RANGE, leave_out, option, or_default, scalar, scalar_integer
from dpcore.mechanism import NO_SAFE_SAMPLER, Mechanism

__all__ = [
    "AS_GOOD",
    "FRACTIONAL",
    "GUARANTEES",
    "LARGER",
    "MEASURES",
    "NOT_WHOLE",
    "OTHER_GUARANTEE",
    "WEAKER",
    "PassedOver",
    "Recommendation",
    "recommend",
]

GUARANTEES = ("pure", "delta")
MEASURES = ("half_width", "variance", "mean_absolute_error")
OTHER_GUARANTEE, FRACTIONAL, LARGER, NOT_WHOLE, WEAKER = (
    "other guarantee",
    "answers not whole",
    "larger",
    "not whole",
    "weaker guarantee",
)
AS_GOOD = 1.01  # the ratio of errors up to which something else than the error decides


@dataclass(frozen=True)
class PassedOver:
    """A mechanism that is not recommended.

    Attributes
    ----------
    mechanism : that is passed over.
    error : its error by the measure, NaN where it has no answer.
    reason : `OTHER_GUARANTEE` where it does not satisfy the one that is wanted; `FRACTIONAL` where it is for whole
        numbers and the answers are not; the mechanism's own `obstacle`, as "no safe sampler"; and, for one that could
        be used, `LARGER` than the recommended one or, where it is as good, `NOT_WHOLE` or `WEAKER`.
    """

    mechanism: Mechanism
    error: float
    reason: str


@dataclass(frozen=True)
class Recommendation:
    """The mechanism to use, and why.

    Attributes
    ----------
    mechanism : the one to use.
    error : its error by the chosen measure, in (squared) query units.
    runner_up : the best of the others that could be used, None if there is none.
    runner_up_error : that one's error, NaN if there is none.
    reason : "only" without a runner-up; "smallest" where the error decides; where the errors are as good as equal,
        "whole" if whole numbers do, "guarantee" if the stronger guarantee does.
    passed_over : all the other candidates, each with the reason, in their order.
    """

    mechanism: Mechanism
    error: float
    runner_up: Mechanism | None
    runner_up_error: float
    reason: str
    passed_over: tuple[PassedOver, ...]

    @property
    def without_safe_sampler(self) -> tuple[PassedOver, ...]:
        """The mechanisms of a smaller error that satisfy the guarantee, but cannot be sampled safely."""
        return tuple(
            other for other in self.passed_over if other.reason == NO_SAFE_SAMPLER and other.error < self.error
        )


def recommend(
    candidates: Sequence[Mechanism],
    guarantee: str,
    whole: bool,
    significance: float | None = None,
    n_cells: int | None = None,
    measure: str = "half_width",
) -> Recommendation | None:
    """Return the mechanism to use, the reason, and what was passed over and why.

    Parameters
    ----------
    candidates : mechanisms at one ε and δ.
    guarantee : "pure" for ε-DP, or "delta" where a δ is acceptable; a mechanism of ε-DP satisfies that too.
    whole : whether the true answers are whole numbers.
    significance : α of "half_width" alone, in [1e-300, 1); 0.05 by default.
    n_cells : of "half_width" alone: the number of cells for which it holds together, in [1, 1e15]; 1 by default.
    measure : of the error: "half_width", "variance" or "mean_absolute_error".

    Returns
    -------
    A `Recommendation`, or None where no candidate can be used.

    Examples
    --------
    >>> from dpcore.sensitivity import table_sensitivity
    >>> from dpcore.tables import mechanisms
    >>> best = recommend(mechanisms(1.0, 1e-6, table_sensitivity(3)), "pure", whole=True)
    >>> print(f"{best.mechanism.name}: ±{best.error:.2f}, {best.reason}")
    Geometric: ±9.00, whole
    >>> print(f"{best.runner_up.name}: ±{best.runner_up_error:.2f}")
    Laplace: ±8.99
    >>> print([other.mechanism.name for other in best.passed_over if other.reason == "other guarantee"][:2])
    ['Analytic Gaussian', 'Discrete Gaussian']
    """
    option("guarantee", guarantee, GUARANTEES)
    option("measure", measure, MEASURES)
    if measure != "half_width":
        leave_out(f"measure {measure}", significance=significance, n_cells=n_cells)
    level = scalar("significance", or_default(significance, 0.05), SIGNIFICANCE_RANGE)
    cells = scalar_integer("n_cells", or_default(n_cells, 1), CELLS_RANGE)
    errors = [
        candidate.half_width(level, cells) if measure == "half_width" else float(getattr(candidate, measure))
        for candidate in candidates
    ]
    rated = list(zip(candidates, errors, strict=True))
    obstacles = [_obstacle(candidate, guarantee, whole) for candidate in candidates]
    usable = [pair for pair, obstacle in zip(rated, obstacles, strict=True) if not obstacle]
    if not usable:
        return None
    least = min(error for _, error in usable)
    rounds = whole and measure == "half_width"

    def rank(pair: tuple[Mechanism, float]) -> tuple[bool, bool, bool, float]:
        candidate, error = pair
        good = _is_as_good(error, least, rounds)
        return not good, good and whole and not candidate.whole, good and candidate.guarantee != PURE_DP, error

    (best, error), *others = sorted(usable, key=rank)
    runner_up, runner_up_error = others[0] if others else (None, np.nan)
    passed_over = tuple(
        PassedOver(candidate, size, obstacle or _why_not(best, candidate, _is_as_good(size, least, rounds)))
        for (candidate, size), obstacle in zip(rated, obstacles, strict=True)
        if candidate is not best
    )
    reason = "only" if runner_up is None else _reason(best, runner_up, _is_as_good(runner_up_error, least, rounds))
    return Recommendation(best, error, runner_up, runner_up_error, reason, passed_over)


def _obstacle(mechanism: Mechanism, guarantee: str, whole: bool) -> str:
    """Return why a mechanism can't be used here at all, empty if it can."""
    if guarantee == "pure" and mechanism.guarantee != PURE_DP:
        return OTHER_GUARANTEE
    return FRACTIONAL if mechanism.whole and not whole else mechanism.obstacle


def _is_as_good(error: float, least: float, rounds: bool) -> bool:
    """Return whether an error is within 1 % of the least, or the same where whole answers are released rounded."""
    return error <= AS_GOOD * least or (rounds and _rounded(error) <= _rounded(least))


def _rounded(half_width: float) -> float:
    """Return the half-width of noise rounded to whole numbers: the least r with ±(r + ½) beyond ±`half_width`."""
    return float(np.ceil(half_width - 0.5))


def _reason(best: Mechanism, runner_up: Mechanism, near: bool) -> str:
    if near and best.whole and not runner_up.whole:
        return "whole"
    if near and best.whole == runner_up.whole and best.guarantee == PURE_DP != runner_up.guarantee:
        return "guarantee"
    return "smallest"


def _why_not(best: Mechanism, other: Mechanism, near: bool) -> str:
    """Return why a mechanism that could be used is not, as the reason of `best` against it."""
    return {"whole": NOT_WHOLE, "guarantee": WEAKER, "smallest": LARGER}[_reason(best, other, near)]
