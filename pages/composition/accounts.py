"""What a list of releases costs by each accountant, each found once for all sessions.

Every ε is an upper bound; the exact one is right to ten digits and rounded up by what it may be off.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from dpcore import composition
from dpcore.composition import Release

Releases = tuple[Release, ...]
LEAST_DELTA = 1e-300  # for which there is an answer
_BOUNDED = {"zcdp", "exponential"}  # whose losses are not known, only bounded
_SMOOTH = ("gaussian", "sampled")  # without one of these the contour integral does not converge
_FINE = 1e-4  # the excess of a bound that stands for the exact value
_PURE = ("laplace", "exponential", "promise")  # of which a line needs no δ but its own


def repeated(releases: Sequence[Release], runs: float) -> Releases:
    """A list of releases, so many times."""
    return tuple(each.times(each.count * int(runs)) for each in releases)


def total(accountant: str, releases: Releases, delta: float) -> float:
    """ε of all releases together at δ by an accountant; inf where it has no answer.

    The exact one takes the least of all: it has no answer of its own for a list with a line of which only ρ is known.
    """
    return _TOTALS[accountant](releases, delta)


def left_out(accountant: str, releases: Releases, delta: float) -> list[float]:
    """ε of the list without each of its lines, at the same δ; 0 for a list of one."""
    without = (releases[:place] + releases[place + 1 :] for place in range(len(releases)))
    return [total(accountant, rest, delta) if rest else 0.0 for rest in without]


@lru_cache(4096)
def alone(release: Release, delta: float) -> float:
    """ε of all runs of one line at δ, by the best accountant."""
    return exact((release,), delta)


@lru_cache(4096)
def exact(releases: Releases, delta: float) -> float:
    """The least ε that any accountant proves: the exact one where every line says how its losses are distributed.

    Of an exponential mechanism only a bound on them is known, so that another accountant may prove less.
    """
    kinds = {each.kind for each in releases}
    if not kinds & _BOUNDED:
        return distributed(releases, delta)
    found = [rdp(releases, delta), zcdp(releases, delta)]
    if "zcdp" not in kinds:
        found.append(distributed(releases, delta))
    if len(releases) > 1:
        found.append(basic(releases, delta))
    return min(found)


def distributed(releases: Releases, delta: float) -> float:
    """ε by the contour integral, where some noise is smooth enough for it, and else by privacy loss distributions."""
    if is_smooth(releases):
        found = composition.exact_epsilon(releases, delta)
        if bool(found.converged):
            return float(found.value + 2 * found.error) * (1 + 1e-13)
    return certified(releases, delta, _FINE)[0]


def is_smooth(releases: Releases) -> bool:
    """Whether some noise of a list is smooth enough for the contour integral."""
    return any(each.kind in _SMOOTH for each in releases)


@lru_cache(4096)
def certified(releases: Releases, delta: float, excess: float = 2e-3) -> tuple[float, float]:
    """A proved bound on ε by privacy loss distributions, and by how much it may exceed the truth as it says itself."""
    found = composition.certified_epsilon(releases, delta, excess)
    return float(found.bound), float(found.excess)


@lru_cache(4096)
def rdp(releases: Releases, delta: float) -> float:
    """ε by Rényi differential privacy at the best order, by the tight conversion."""
    return float(composition.rdp_epsilon(releases, delta).value)


@lru_cache(4096)
def zcdp(releases: Releases, delta: float) -> float:
    """ε by zCDP, by the tight conversion; inf where a line keeps no ρ."""
    return float(composition.zcdp_epsilon(releases, delta))


@lru_cache(4096)
def basic(releases: Releases, delta: float) -> float:
    """The ε of the lines added up, each with its own; δ is shared equally by the lines that need some of it.

    A line whose releases have an ε without δ is the sum of theirs; what promises spend of δ comes first.
    """
    spent = sum(each.count * each.numbers[1] for each in releases if each.kind == "promise")
    needing = [each for each in releases if each.kind not in _PURE]
    pure = math.fsum(each.count * each.numbers[0] for each in releases if each.kind in _PURE)
    if not needing:
        return pure if spent <= delta else math.inf
    share = (delta - spent) / len(needing) * (1 - 1e-15)
    if share < LEAST_DELTA:
        return math.inf
    return (pure + math.fsum(alone(each, share) for each in needing)) * (1 + 1e-15)


_TOTALS = {"exact": exact, "rdp": rdp, "zcdp": zcdp, "basic": basic}
