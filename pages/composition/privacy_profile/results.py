"""δ(ε) of the whole list, exactly and by other bounds, and the trade-off curve that follows from it."""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np

from dpcore import composition
from dpcore.checks import Array
from dpcore.composition import EpsilonBound
from pages.composition.results import CompositionResult, all_releases
from pages.framework.chart.theme import round_axis_end
from pages.framework.rendering.uploaded_files import kept
from pages.shared.releases import Releases
from pages.shared.status_lines import refined

MAX_EPSILON = 1e6  # the largest ε of a profile
_MIN_AXIS_DELTA, _MIN_LINE_DELTA = 1e-12, 1e-10
_POINTS, _MAX_LINES = 181, 24
_DIGITS = 3  # significant digits of a point of the trade-off curve in a link


@dataclass(frozen=True, eq=False)
class Profile:
    """The least known δ at each ε, and δ by RDP and zCDP, NaN where a line does not satisfy ρ-zCDP.

    `is_exact` is whether the least δ is the exact one; `bound` says of each value what kind of number it is.
    """

    epsilon: Array
    least: Array
    rdp: Array
    zcdp: Array
    is_exact: bool
    bound: EpsilonBound


@dataclass(frozen=True)
class ProfilePoints:
    """The least proved δ at the page's ε and that of RDP, and ε at the page's δ."""

    delta: float
    delta_rdp: float
    epsilon: float
    epsilon_rdp: float


def profile_at(result: CompositionResult) -> Profile:
    """Return the profile of the whole list over the ε of the figure."""
    return kept(list_profile, all_releases(result), axis_end(result))


def points_at(result: CompositionResult) -> ProfilePoints:
    """Return the points of the profile at the page's ε and at the page's δ."""
    return kept(list_points, all_releases(result), result.setting.epsilon, result.setting.delta)


def axis_end(result: CompositionResult) -> float:
    """Return the ε at which the axis ends: where little δ is left, of the list and of the pinned one."""
    lists = [
        (all_releases(page_result), page_result.setting.delta)
        for page_result in (result, result.pinned)
        if page_result is not None
    ]
    return max(kept(_list_axis_end, releases, min(_MIN_AXIS_DELTA, delta)) for releases, delta in lists)


def _list_axis_end(releases: Releases, delta: float) -> float:
    """Return the least round ε at which RDP leaves at most δ, or twice the δ of the guarantees."""
    log_unbroken = math.fsum(
        release.count * math.log1p(-release.numbers[1]) for release in releases if release.kind == "guarantee"
    )
    at = min(max(delta, -2 * math.expm1(log_unbroken)), 0.5)
    by_rdp = float(composition.epsilon(releases, at, "rdp").value)
    return min(round_axis_end(by_rdp), MAX_EPSILON) if math.isfinite(by_rdp) else 1.0


def list_profile(releases: Releases, end: float) -> Profile:
    """Return the profile of a list from ε = 0 to `end`; that of guarantees alone is dense where it falls in steps."""
    epsilon = np.linspace(0, end, _POINTS)
    if all(release.kind == "guarantee" for release in releases):

        def deltas(epsilon: Array) -> Array:
            least, rdp = composition.delta_profile(releases, epsilon), composition.delta(releases, epsilon, "rdp")
            return np.stack([least.value, rdp.value])

        epsilon = np.union1d(epsilon, refined(epsilon, deltas, is_log=False))
    least = composition.delta_profile(releases, epsilon)
    rdp, zcdp = (composition.delta(releases, epsilon, name).value for name in ("rdp", "zcdp"))
    has_rho = "zcdp" not in composition.unavailable(releases)
    zcdp = zcdp if has_rho else np.full(epsilon.shape, np.nan)
    return Profile(epsilon, least.value, rdp, zcdp, composition.is_known(releases), least)


def list_points(releases: Releases, epsilon: float, delta: float) -> ProfilePoints:
    """Return δ of a list at ε, and its ε at δ."""
    at_epsilon = (composition.delta(releases, epsilon, name).value for name in ("best", "rdp"))
    at_delta = (composition.epsilon(releases, delta, name).value for name in ("best", "rdp"))
    return ProfilePoints(*(float(value) for value in (*at_epsilon, *at_delta)))


def least_epsilon(releases: Releases, delta: float, end: float) -> float:
    """Return the least known ε at δ, or a little more, for a table beside the profile up to `end`."""
    profile = kept(list_profile, releases, end)
    return composition.epsilon_beside_profile(releases, delta, profile.epsilon, profile.bound)


def tradeoff_points(releases: Releases, end: float) -> str:
    """Return points α_β~α_β … of a trade-off curve of the list, as in the link of the trade-off page.

    The list is (εᵢ, δᵢ)-DP at some εᵢ up to `end`, so that β ≥ 1 − δᵢ − e^{εᵢ}α; the points are where neighbouring
    lines meet. The straight line between two of them is one of these lines, and as α and β are rounded down it
    comes to lie below. The page counts each point with its errors exchanged too; none is omitted, since a chord
    over a missing point would claim a stronger guarantee.
    """
    epsilon, delta = _supporting_lines(kept(list_profile, releases, end))
    step = np.diff(delta) / -np.expm1(np.diff(epsilon))
    alpha, beta = np.exp(-epsilon[:-1]) * step, 1 - delta[:-1] - step
    first = _rounded_from_1(1 - delta[0])
    corners = [f"{_rounded_down(x)}_{_rounded_from_1(y)}" for x, y in zip(alpha, beta, strict=True)]
    return "~".join(dict.fromkeys((f"0_{first}", *corners, "1_0")))


def _supporting_lines(profile: Profile) -> tuple[Array, Array]:
    """Return some ε of a profile with their δ, the largest ε first, as far as δ is visible."""
    last = int(np.count_nonzero(profile.least >= _MIN_LINE_DELTA))
    place = np.unique(np.linspace(min(last, profile.epsilon.size - 1), 0, _MAX_LINES).astype(int))[::-1]
    return profile.epsilon[place], np.maximum.accumulate(profile.least[place])


def _rounded_down(alpha: float) -> str:
    """Return a number rounded down to few digits."""
    number = Decimal(alpha) * (1 - Decimal("1e-12"))
    return str(_quantized(number, ROUND_FLOOR)) if number else "0"


def _rounded_from_1(beta: float) -> str:
    """Return a number rounded down such that its difference from 1 has few digits."""
    lack = Decimal(1) - Decimal(beta) + Decimal("1e-15")
    return f"{max(1 - _quantized(lack, ROUND_CEILING), Decimal(0)):f}"


def _quantized(number: Decimal, rounding: str) -> Decimal:
    return number.quantize(Decimal(1).scaleb(number.adjusted() - _DIGITS + 1), rounding=rounding)
