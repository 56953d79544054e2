"""Groups whose names are confidential too, in the program of a release: which appear, and with which noisy count."""

import math
from collections.abc import Callable
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, shown
from pages.shared.release_program.steps.limit import MARGIN, step_of

Noisy = dict[str, int]
"""The noisy counts in steps of the groups that appear, by name."""


def is_truncated(statistic: dict[str, Any]) -> bool:
    """Return whether groups have noise that ends at ±N, of which OpenDP has no measurement."""
    return str(statistic["noise"]) == "truncated_geometric"


def limit_in_steps(statistic: dict[str, Any], growth: float) -> int:
    """Return what the noisy count of a group that appears must exceed, in steps.

    It grows with the noise, and a little more, so that the δ of OpenDP’s map, which is rounded up, is within that of
    the plan.
    """
    threshold, most = statistic["groups"]["threshold"], statistic["max_in_cell"]
    if is_truncated(statistic):
        return int(threshold) - 1
    return math.ceil((most + (threshold - most) * growth * (1 + MARGIN)) / step_of(statistic))


def threshold_delta(statistic: dict[str, Any], limit: int, scale: float) -> float:
    """Return how often any of the groups of a person appears in which nobody else is: the δ of the threshold.

    `scale` is that of Gaussian or Laplace noise, in steps.
    """
    beyond = (limit - statistic["max_in_cell"] / step_of(statistic)) / scale
    alone = math.exp(-beyond) / 2 if statistic["noise"] == "laplace" else math.erfc(beyond / math.sqrt(2)) / 2
    return -math.expm1(statistic["max_cells"] * math.log1p(-alone))


def above(noisy: Noisy, limit: int) -> Noisy:
    """Return the groups above a limit. OpenDP keeps those at its threshold too, whose δ its map leaves out."""
    return {name: number for name, number in noisy.items() if number > limit}


def space_of(opendp: Any, is_gaussian: bool) -> tuple[Any, Any]:
    """Return the domain of counts by name, and the distance of two of them."""
    metric = opendp.l02inf_distance if is_gaussian else opendp.l01inf_distance
    counts = opendp.map_domain(opendp.atom_domain(T=str), opendp.atom_domain(T="i64"))
    return counts, metric(opendp.absolute_distance(T="i64"))


def moved_in_steps(statistic: dict[str, Any], n_people: int, size: int) -> tuple[int, int, int]:
    """Return in how many groups people move a count, by how much in the norm of the noise, and in one group."""
    in_one = statistic["max_in_cell"] * round(1 / step_of(statistic))
    return n_people * statistic["max_cells"], n_people * size, n_people * in_one


def truncated_draws(opendp: Any, statistic: dict[str, Any]) -> Callable[[Noisy], Noisy]:
    """Return the release of groups with noise on −N … N: OpenDP’s, drawn again where it is beyond."""
    noise = opendp.m.make_laplace(opendp.atom_domain(T="i64"), opendp.absolute_distance(T="i64"), statistic["scale"])
    bound, limit = int(statistic["groups"]["bound"]), limit_in_steps(statistic, 1.0)

    def drawn() -> int:
        while abs(number := noise(0)) > bound:
            pass
        return int(number)

    return lambda counts: above({name: count + drawn() for name, count in counts.items()}, limit)


def truncated_delta(statistic: dict[str, Any], epsilon: float) -> float:
    """Return the δ of groups with noise on −N … N, by optimal composition of what one person moves.

    Each group is (c/s, δ₀)-DP, where δ₀ is the probability of the last c numbers up to N (Kairouz, Oh & Viswanath
    2015, for the composition).

    Raises
    ------
    ReleaseError
        if a group in which a person is alone could appear with a count that tells.
    """
    groups, scale, k, c = statistic["groups"], statistic["scale"], statistic["max_cells"], statistic["max_in_cell"]
    bound = groups["bound"]
    if groups["threshold"] <= bound or bound < c:
        raise ReleaseError(f"The threshold of {shown(statistic['name'])} is below the noise of one person.")
    own, last = c / scale, math.exp(-(bound - c + 1) / scale)
    broken = last * -math.expm1(-own) / (1 + math.exp(-1 / scale) - 2 * math.exp(-(bound + 1) / scale))
    together = 0.0
    for n_against in range(k + 1):
        gap = epsilon - (k - 2 * n_against) * own
        if gap < 0:
            ways = math.lgamma(k + 1) - math.lgamma(n_against + 1) - math.lgamma(k - n_against + 1)
            mass = ways - n_against * own - k * math.log1p(math.exp(-own))
            together += math.exp(mass) * -math.expm1(gap)
    return -math.expm1(k * math.log1p(-broken)) * (1 - together) + together
