"""δ(ε) of the whole list: exactly and by the bounds beside it, and the trade-off curve that it proves."""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

import numpy as np

from dpcore import composition
from dpcore.checks import Array
from pages.composition import accounts
from pages.composition.accountant_rules import ORDERS, divergences, log_kept, pure_sum
from pages.composition.accounts import Releases
from pages.composition.found import Found
from pages.composition.together import whole
from pages.shared.theme import round_reach

MOST_EPSILON = 1e6  # of a profile
_LEAST_DRAWN, _LEAST_SEEN, _LEAST_DELTA = 1e-12, 1e-10, 1e-300
_POINTS, _FEW_POINTS, _FEWEST_POINTS, _LINES = 121, 13, 7, 24
_COARSE, _CLOSE = 0.05, 0.01  # of δ and of ε: less than is seen on the axes
_FEW_RELEASES = 1000  # of more δ is certified less closely, within a page's time
_MOST_ERROR = 1e-4  # of δ by the contour integral, which is added to it
_DIGITS = 3  # of a point of the trade-off curve in a link


@dataclass(frozen=True, eq=False)
class Profile:
    """δ at each ε: the least that is proved, and by RDP and zCDP, NaN where a list keeps no ρ.

    `known` is whether the least one is the exact one: by the contour integral or, where that does not converge,
    `certified`.
    """

    epsilon: Array
    least: Array
    rdp: Array
    zcdp: Array
    known: bool
    certified: bool


@dataclass(frozen=True)
class Point:
    """At the page's ε the least δ that is proved and that of RDP; at the page's δ the ε."""

    delta: float
    delta_rdp: float
    epsilon: float
    epsilon_rdp: float


def profile(found: Found) -> Profile:
    """The profile of the whole list over the ε that are drawn."""
    return profile_of(whole(found), reach(found))


def point(found: Found) -> Point:
    """Where the page's ε and δ meet the profile."""
    return point_of(whole(found), found.setting.epsilon, found.setting.delta)


def reach(found: Found) -> float:
    """The ε at which the axis ends: where little δ is left, of the list and of the kept one."""
    lists = [(whole(each), each.setting.delta) for each in (found, found.pinned) if each is not None]
    return max(_reach(releases, min(_LEAST_DRAWN, delta)) for releases, delta in lists)


@lru_cache(256)
def _reach(releases: Releases, delta: float) -> float:
    """The least round ε at which RDP leaves no more than δ, or twice what the promises break."""
    broken = -math.expm1(log_kept(releases))
    found = accounts.rdp(releases, min(max(delta, 2 * broken), 0.5))
    return min(round_reach(found), MOST_EPSILON) if math.isfinite(found) else 1.0


@lru_cache(256)
def profile_of(releases: Releases, end: float) -> Profile:
    """The profile of a list from ε = 0 to `end`, certified where the contour integral does not converge."""
    epsilon = np.linspace(0, end, _POINTS)
    exact = _contour(releases, epsilon)
    certified = bool(np.isnan(exact).any())
    if certified:
        exact = composition.certified_profile(releases, epsilon, _COARSE).bound
    rdp, rho = _by_rdp(releases, epsilon), composition.rho(releases)
    zcdp = composition.delta_from_rho(rho, epsilon) if rho <= 1e15 else np.full(epsilon.shape, np.nan)
    known = accounts.is_known(releases)
    return Profile(epsilon, np.fmin(np.minimum(exact, rdp), zcdp), rdp, zcdp, known, certified)


def _on_chord(profile: Profile, delta: float) -> float:
    """ε at δ on the line between two points of a profile, above which no δ lies that is convex in e^ε; inf beyond."""
    below = np.flatnonzero(profile.least <= delta)
    if not below.size:
        return math.inf
    last = int(below[0])
    if last == 0:
        return 0.0
    (start, end), (high, low) = profile.epsilon[last - 1 : last + 1], profile.least[last - 1 : last + 1]
    share, fall = (high - delta) / (high - low), math.exp(start - end)
    return float(end + math.log(share * (1 - fall) + fall) + 1e-12 * end)


@lru_cache(1024)
def point_of(releases: Releases, epsilon: float, delta: float) -> Point:
    """δ of a list at ε, and its ε at δ."""
    by_rdp = float(composition.rdp_delta(releases, epsilon).value)
    least = min(float(least_delta(releases, np.array([epsilon]))[0]), by_rdp)
    return Point(least, by_rdp, accounts.exact(releases, delta), accounts.rdp(releases, delta))


def soon_least(releases: Releases, delta: float, end: float) -> float:
    """The least ε that is proved at δ, or a little above it, for a table beside the profile up to `end`."""
    found = [accounts.rdp(releases, delta), accounts.zcdp(releases, delta)]
    if accounts.has_losses(releases):
        drawn = profile_of(releases, end)
        found.append(_on_chord(drawn, delta) if drawn.certified else accounts.soon_exact(releases, delta))
    return min(found)


def least_delta(releases: Releases, epsilon: Array) -> Array:
    """The least δ that is proved at each ε: by the contour integral, certified where that does not converge, by RDP."""
    bound, exact = _by_rdp(releases, epsilon), _contour(releases, epsilon)
    excess = 0.01 if sum(each.count for each in releases) <= _FEW_RELEASES else 0.1
    for place in np.flatnonzero(np.isnan(exact) & (bound > 0)):
        exact[place] = composition.certified_delta(releases, epsilon[place], excess).bound
    return np.fmin(exact, bound)


def _contour(releases: Releases, epsilon: Array) -> Array:
    """δ by the contour integral, rounded up, NaN where it does not converge, 1 where it is too small for it."""
    if not accounts.has_losses(releases):
        return np.ones(epsilon.shape)
    if not accounts.may_converge(releases):
        return np.full(epsilon.shape, np.nan)
    found = composition.exact_delta(releases, epsilon)
    value = np.minimum((found.value + 2 * found.error) * (1 + 1e-13), 1.0)
    usable = found.error <= _MOST_ERROR * found.value
    return np.where(found.value < _LEAST_DELTA, 1.0, np.where(usable, value, np.nan))


def _by_rdp(releases: Releases, epsilon: Array) -> Array:
    """δ by RDP at the best of `ORDERS`, with what the promises break."""
    divergence = np.broadcast_to(divergences(releases), (epsilon.size, ORDERS.size))
    found = composition.delta_from_rdp(ORDERS, divergence, epsilon).value
    pure = pure_sum(releases)
    free, kept = np.where(epsilon >= pure, 0.0, found), log_kept(releases)
    broken = -math.expm1(kept)
    return np.minimum(broken * (1 + 1e-12) + math.exp(kept) * (1 + 1e-12) * free, 1.0)


@lru_cache(256)
def promised_points(releases: Releases, end: float) -> str:
    """Points α_β~α_β … of a trade-off curve that the list keeps, as the link of the trade-off page has them.

    The list is (εᵢ, δᵢ)-DP at some εᵢ up to `end`, so that β ≥ 1 − δᵢ − e^{εᵢ}α; the points are where neighbouring
    lines meet. The straight line between two of them is one of these lines, and as α and β are rounded down it comes to
    lie below. The page counts each point with its errors exchanged too; none is left out, since a chord over one that
    is missing would promise more.
    """
    epsilon, delta = _lines(profile_of(releases, end))
    step = np.diff(delta) / -np.expm1(np.diff(epsilon))
    alpha, beta = np.exp(-epsilon[:-1]) * step, 1 - delta[:-1] - step
    first = _below_1(1 - delta[0])
    corners = [f"{_down(each)}_{_below_1(other)}" for each, other in zip(alpha, beta, strict=True)]
    return "~".join(dict.fromkeys((f"0_{first}", *corners, "1_0")))


def _lines(profile: Profile) -> tuple[Array, Array]:
    """Some ε of a profile, the largest first, with their δ: as far as δ can be seen."""
    last = int(np.count_nonzero(profile.least >= _LEAST_SEEN))
    place = np.unique(np.linspace(min(last, profile.epsilon.size - 1), 0, _LINES).astype(int))[::-1]
    return profile.epsilon[place], np.maximum.accumulate(profile.least[place])


def _down(alpha: float) -> str:
    """A number rounded down to few digits."""
    number = Decimal(alpha) * (1 - Decimal("1e-12"))
    return str(_few(number, ROUND_FLOOR)) if number else "0"


def _below_1(beta: float) -> str:
    """A number rounded down such that what it lacks of 1 has few digits."""
    lack = Decimal(1) - Decimal(beta) + Decimal("1e-15")
    return f"{max(1 - _few(lack, ROUND_CEILING), Decimal(0)):f}"


def _few(number: Decimal, rounding: str) -> Decimal:
    return number.quantize(Decimal(1).scaleb(number.adjusted() - _DIGITS + 1), rounding=rounding)
