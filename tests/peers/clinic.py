"""A clinic's plan written by hand with OpenDP, beside the page's: `python -m tests.peers.clinic` prints the table.

By hand means what OpenDP itself offers: Gaussian noise everywhere with ρ-zCDP, or Laplace noise everywhere with the sum
of all ε; scales from errors and errors from scales by its own functions; and its own composition.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

import opendp.prelude as dp

from dpcore.plan import Quantile
from pages.framework.parameters.number_format import format_up
from pages.plan.links import PRESETS
from pages.plan.quantities import noise_words
from pages.plan.results import PlannedQuery
from tests.programs import at

dp.enable_features("contrib", "honest-but-curious")
CLINIC = f"/Plan?{urlencode(PRESETS['clinic'])}"
DELTA, OF_THRESHOLD, ALPHA = 1e-6, 1e-7, 0.05
_LEAST_SHOWN = 0.01


@dataclass(frozen=True)
class ByHand:
    """A statistic by hand: ρ (or ε) of a ±, and ± of a ρ."""

    name: str
    wanted: float
    rho: float
    epsilon: float
    half_width: Callable[[float], float]


def numbers(name: str, wanted: float, l1: float, l2: float, whole: bool) -> ByHand:
    """Return numbers with noise, of which one person moves so much.

    OpenDP's errors of whole numbers are such that noise is below them, and not beyond the one before.
    """
    gauss = dp.accuracy_to_discrete_gaussian_scale if whole else dp.accuracy_to_gaussian_scale
    laplace = dp.accuracy_to_discrete_laplacian_scale if whole else dp.accuracy_to_laplacian_scale
    back = dp.discrete_gaussian_scale_to_accuracy if whole else dp.gaussian_scale_to_accuracy
    of = "i32" if whole else "f64"
    atoms = dp.vector_domain(dp.atom_domain(T=of) if whole else dp.atom_domain(T=of, nan=False))
    rho = dp.m.make_gaussian(atoms, dp.l2_distance(T="f64"), gauss(wanted + whole, ALPHA)).map(l2)
    epsilon = dp.m.make_laplace(atoms, dp.l1_distance(T=of), laplace(wanted + whole, ALPHA)).map(
        int(l1) if whole else l1
    )
    return ByHand(name, wanted, rho, epsilon, lambda own: back(l2 / math.sqrt(2 * own), ALPHA) - whole)


def median(part: PlannedQuery) -> ByHand:
    """Return the median: OpenDP draws it by noisy max, and has no function of its ±, which is dpcore's."""
    statistic = part.query.statistic
    assert isinstance(statistic, Quantile)
    epsilon = part.noise.scale

    def half_width(rho: float) -> float:
        return float(statistic.half_width("permute_and_flip", math.sqrt(2 * rho), ALPHA, "add_remove"))

    return ByHand(part.row.name, part.query.half_width, epsilon**2 / 2, epsilon, half_width)


def threshold(noise: str, scale: float, groups: int) -> float:
    """Return the least threshold whose δ by OpenDP's map is at most that of thresholds."""
    counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64"))
    is_gauss = noise == "gaussian"
    metric = (dp.l02inf_distance if is_gauss else dp.l01inf_distance)(dp.absolute_distance(T="i64"))
    make = dp.m.make_gaussian_threshold if is_gauss else dp.m.make_laplace_threshold
    moved = (groups, math.ceil(math.sqrt(groups)) if is_gauss else groups, 1)

    def is_enough(limit: int) -> bool:
        return bool(make(counts, metric, scale, limit).map(moved)[1] <= OF_THRESHOLD)

    return float(dp.binary_search(is_enough, bounds=(1, 10**6)))


def size(noise: str, scale: float, groups: int) -> float:
    """Return from which size on a group appears in a share 1 − α of releases: the threshold and an end of the noise."""
    back = dp.discrete_gaussian_scale_to_accuracy if noise == "gaussian" else dp.discrete_laplacian_scale_to_accuracy
    return threshold(noise, scale, groups) + back(scale, 2 * ALPHA) - 1


def codes(name: str, wanted: float, groups: int) -> ByHand:
    """Return unknown groups above a threshold, of which a person is in so many."""
    scales = {
        noise: dp.binary_search(lambda scale, own=noise: size(own, scale, groups) <= wanted, bounds=(0.1, 1e3))
        for noise in ("gaussian", "laplace")
    }
    rho, epsilon = groups / (2 * scales["gaussian"] ** 2), groups / scales["laplace"]
    return ByHand(name, wanted, rho, epsilon, lambda own: size("gaussian", math.sqrt(groups / (2 * own)), groups))


def by_hand(parts: tuple[PlannedQuery, ...]) -> list[ByHand]:
    """Return the statistics of the clinic by hand, in the order of the plan."""
    districts, age, wait, costs, visits, diagnoses = parts
    wanted = [part.query.half_width for part in parts]
    return [
        numbers(districts.row.name, wanted[0], 1, 1.0, whole=True),
        numbers(age.row.name, wanted[1], 100 / 2000, 100 / 2000, whole=False),
        median(wait),
        numbers(costs.row.name, wanted[3], 5000.0, 5000.0, whole=False),
        numbers(visits.row.name, wanted[4], 12, math.sqrt(48), whole=True),
        codes(diagnoses.row.name, wanted[5], diagnoses.query.n_moved),
    ]


def epsilon_of_rho(rho: float) -> float:
    """Return ε of ρ-zCDP beside the δ of the threshold, by OpenDP's conversion."""
    space = dp.vector_domain(dp.atom_domain(T="f64", nan=False)), dp.l2_distance(T="f64")
    one = dp.m.make_gaussian(*space, math.sqrt(1 / (2 * rho)))
    return float(dp.c.make_zCDP_to_approxDP(one).map(1.0).epsilon(DELTA - OF_THRESHOLD))


def totals() -> tuple[list[ByHand], float, float, float]:
    """Return the statistics by hand, and ε of all with the same ±: Gaussian noise, Laplace noise, and the plan's."""
    result = at(CLINIC)[1]
    own = by_hand(result.planned_queries)
    return own, epsilon_of_rho(sum(each.rho for each in own)), sum(each.epsilon for each in own), result.epsilon


def even_split() -> float:
    """Return ε of the plan's ± where each statistic gets the same part of ε and δ, each with its best plain noise."""
    plan = at(CLINIC)[1].plan
    assert plan is not None
    assert plan.even_split is not None
    return float(plan.even_split)


def lines() -> Iterator[str]:
    """Yield the lines of the table and of the sentence below it."""
    own, *epsilons = totals()
    of_gaussian, of_laplace, planned = map(format_up, epsilons)
    parts = at(CLINIC)[1].planned_queries
    share = float(dp.binary_search(lambda rho: epsilon_of_rho(rho) <= epsilons[-1], bounds=(1e-9, 1e3))) / len(own)
    heads = (
        "statistic",
        "±",
        "plan: noise, part of ε",
        "by hand: Gaussian ρ, or Laplace ε",
        "± by hand, ε as the plan",
    )
    yield f"| {' | '.join(heads)} |"
    yield "|---|---|---|---|---|"
    for each, part in zip(own, parts, strict=True):
        width = each.half_width(share)
        cells = (
            each.name,
            format_up(part.half_width),
            f"{noise_words(part.noise.family)}, {part.share}",
            f"{format_up(each.rho)}, or {format_up(each.epsilon)}",
            format_up(width) if width >= _LEAST_SHOWN else f"below {_LEAST_SHOWN}",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield f"All together, with the ± of the plan, cost ε = {planned} by the plan. By hand they cost"
    yield f"{of_gaussian} with Gaussian noise and ρ-zCDP, and {of_laplace} with Laplace noise and all ε added."
    even = format_up(even_split())
    yield f"With an even split of ε and δ (DP Wizard splits evenly) they cost {even}: what needs most decides."


if __name__ == "__main__":
    print("\n".join(lines()))
