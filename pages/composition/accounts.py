"""What a list of releases costs by each accountant, each found once for all sessions.

Every ε is an upper bound, but that of the contour integral: it is right to nine digits or more, not proved, and given
with twice its estimated error on top.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dpcore import composition
from dpcore.composition import Release

Releases = tuple[Release, ...]
LEAST_DELTA = 1e-300  # for which there is an answer
PURE = ("laplace", "exponential", "promise")  # of which a release needs no δ but its own
_BOUNDED = ("zcdp", "exponential")  # whose losses are not known, only bounded
_SMOOTH = ("gaussian", "sampled")  # whose noise is smooth enough for the contour integral
_FINE, _COARSE = 1e-4, 2e-3  # the excess of a bound that stands for the exact value, and of one for a curve
_MOST_CERTIFIED = 4  # lists of one question, of which each may take a quarter of a second
_CONVERGES_FROM, _MOST_ERROR, _UNSEEN = 1e-15, 1e-4, 1e-9  # δ, and the error of ε: a share of it, and in nats
_MANY = 10_000  # releases


def repeated(releases: Sequence[Release], runs: float) -> Releases:
    """A list of releases, so many times."""
    return tuple(each.times(each.count * int(runs)) for each in releases)


def total(accountant: str, releases: Releases, delta: float) -> float:
    """ε of all releases together at δ by an accountant; inf where it has no answer.

    The exact one takes the least of all: it has no answer of its own for a list with a line of which only ρ is known.
    """
    return _TOTALS[accountant](releases, delta)


def several(questions: Sequence[tuple[Releases, float]], most: int = _MOST_CERTIFIED) -> list[float] | None:
    """The exact ε of lists, each at its δ, 0 of an empty one; None where more of them would have to be certified."""
    most, found = most if len(questions) <= _MOST_CERTIFIED else 1, []
    for question in questions:
        found.append(_settled(*question))
        if np.count_nonzero(np.isnan(found)) > most:
            return None
    closely = len(questions) == 1
    return [
        exact(*question, *(() if closely else (_excess(question[0]),))) if math.isnan(value) else value
        for value, question in zip(found, questions, strict=True)
    ]


def _excess(releases: Releases) -> float:
    """How closely one of several lists is certified: steps of DP-SGD take the longest."""
    return _COARSE if any(each.kind == "sampled" for each in releases) else _FINE


def _settled(releases: Releases, delta: float) -> float:
    """The exact ε where nothing need be certified for it, else NaN."""
    if not releases or delta < LEAST_DELTA:
        return math.inf if releases else 0.0
    if has_losses(releases) and not (is_smooth(releases) and by_contour(releases, delta) > _UNSEEN):
        return math.nan
    return exact(releases, delta)


@lru_cache(4096)
def exact(releases: Releases, delta: float, excess: float = 0.0) -> float:
    """The least ε that any accountant proves: the exact one where every line says how its losses are distributed.

    Of an exponential mechanism only a bound on them is known, so that another accountant may prove less.
    """
    excess = excess or (_COARSE if is_broad(releases) else _FINE)
    if is_known(releases):
        return _distributed(releases, delta, excess)
    found = [rdp(releases, delta), zcdp(releases, delta)]
    if has_losses(releases):
        found.append(_distributed(releases, delta, excess))
    if len(releases) > 1:
        found.append(basic(releases, delta))
    return min(found)


def is_known(releases: Releases) -> bool:
    """Whether every line says how its losses are distributed; of others there is a bound on them only."""
    return all(each.kind not in _BOUNDED for each in releases)


def has_losses(releases: Releases) -> bool:
    """Whether there are losses to add up, if only worst ones: a ρ stands for none."""
    return all(each.kind != "zcdp" for each in releases)


def is_smooth(releases: Releases) -> bool:
    """Whether some noise of a list is smooth, without which the contour integral mostly does not converge."""
    return any(each.kind in _SMOOTH for each in releases)


def is_broad(releases: Releases) -> bool:
    """Whether it takes long to certify a list closely, of so many lines."""
    return len(releases) > _MOST_CERTIFIED


def is_long(releases: Releases) -> bool:
    """Whether it may take long to certify a list, of so many releases."""
    return sum(each.count for each in releases) > _MANY


def origin(releases: Releases, delta: float) -> str:
    """What the exact ε is: by the "contour" integral, "certified" in its place, or the "least" bound there is."""
    if not is_known(releases):
        return "least"
    return "contour" if is_smooth(releases) and not math.isnan(by_contour(releases, delta)) else "certified"


def _distributed(releases: Releases, delta: float, excess: float) -> float:
    """ε by the contour integral, where some noise is smooth enough for it, and else by privacy loss distributions."""
    found = by_contour(releases, delta) if is_smooth(releases) else math.nan
    if math.isnan(found):
        return certified(releases, delta, excess)[0]
    return min(found, certified(releases, delta, excess)[0]) if found <= _UNSEEN else found  # which may be 0, proved


@lru_cache(4096)
def by_contour(releases: Releases, delta: float) -> float:
    """ε by the contour integral with its error on top; NaN where it does not converge."""
    found = composition.exact_epsilon(releases, delta)
    return _with_error(found) if bool(found.converged) else math.nan


def _with_error(found: composition.Contour) -> float:
    return float(found.value + 2 * found.error) * (1 + 1e-13)


@lru_cache(4096)
def soon_exact(releases: Releases, delta: float) -> float:
    """ε for a curve: by the contour integral with its error on top where that is small, and else certified."""
    found = composition.exact_epsilon(releases, delta) if delta >= _CONVERGES_FROM else None
    return _with_error(found) if found and _is_close(found) else certified(releases, delta)[0]


def _is_close(found: composition.Contour) -> bool:
    return bool(found.error <= max(_MOST_ERROR * found.value, _UNSEEN))


def converges(releases: Releases, delta: float) -> bool:
    """Whether the contour integral is of use for a curve, all of whose lists are like this one."""
    if delta < _CONVERGES_FROM or not may_converge(releases):
        return False
    return _is_close(composition.exact_epsilon(releases, delta))


def may_converge(releases: Releases) -> bool:
    """Whether the contour integral is worth its time: of Laplace noise without smooth noise it does not converge."""
    return is_smooth(releases) or all(each.kind != "laplace" for each in releases)


def proved(releases: Releases, delta: float) -> float:
    """ε certified as closely as stands for the exact one, or by RDP if that is less."""
    return min(certified(releases, delta, _FINE)[0], rdp(releases, delta))


@lru_cache(4096)
def certified(releases: Releases, delta: float, excess: float = _COARSE) -> tuple[float, float]:
    """A proved bound on ε by privacy loss distributions, and by how much it may exceed the truth as it says itself."""
    found = composition.certified_epsilon(releases, delta, excess)
    return float(found.bound), float(found.excess)


@lru_cache(4096)
def rdp(releases: Releases, delta: float) -> float:
    """ε by Rényi differential privacy at the best order, by the tight conversion; inf for less than the least δ."""
    return float(composition.rdp_epsilon(releases, delta).value) if delta >= LEAST_DELTA else math.inf


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
    needing = [each for each in releases if each.kind not in PURE]
    pure = math.fsum(each.count * each.numbers[0] for each in releases if each.kind in PURE)
    if not needing:
        return pure if spent <= delta else math.inf
    share = (delta - spent) / len(needing) * (1 - 1e-15) if len(needing) > 1 or spent else delta
    if share < LEAST_DELTA:
        return math.inf
    return (pure + math.fsum(of_lines(needing, share))) * (1 + 1e-15)


def of_lines(lines: Sequence[Release], delta: float) -> list[float]:
    """ε of each line alone at δ: exact, or by RDP where many would have to be certified."""
    return several([((each,), delta) for each in lines]) or [rdp((each,), delta) for each in lines]


_TOTALS = {"exact": exact, "rdp": rdp, "zcdp": zcdp, "basic": basic}
