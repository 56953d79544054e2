"""The curves of a list of releases, fast enough for a chart: every accountant over runs, and δ over ε."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, number, scalar
from dpcore.composition._accounts import (
    CONVERGES_FROM,
    accounts_of,
    contour_delta,
    has_losses,
    is_close,
    is_closed,
    is_known,
    may_converge,
    repeated,
    with_estimate,
)
from dpcore.composition._rules import RULES, Releases, unavailable
from dpcore.composition.accountants import epsilon as epsilon_at
from dpcore.composition.bounds import CERTIFIED, ESTIMATE, Account, EpsilonBound, as_bound
from dpcore.composition.contour import EpsilonEstimate, exact_epsilon
from dpcore.composition.profiles import certified_profile
from dpcore.composition.releases import Release
from dpcore.composition.renyi import has_steps, rdp_delta, zcdp_delta

_MANY = 10_000  # releases, which may take long to certify
_COARSE_PROFILE = 0.05  # the excess of δ: less than is seen on a logarithmic axis


def epsilon_by_accountant(releases: Sequence[Release], delta: float, n_runs: ArrayLike = 1) -> dict[str, EpsilonBound]:
    """ε by every accountant that takes the list, over how often the whole list is run.

    Parameters
    ----------
    releases : from 1 to 400.
    delta : one number in [1e-300, 1).
    n_runs : whole numbers, such that no line has more than 1e6 releases.

    Returns
    -------
    of "best" and each formula of `ACCOUNTANTS` that is not in `unavailable` the ε of `epsilon`. For several `n_runs`
    "best" is certified less closely, so that a curve takes less than a second: it may lie above the truth by a relative
    2e-3, and is NaN where that would still take long. It is never above another bound.

    Examples
    --------
    >>> from dpcore.composition import laplace_release
    >>> bounds = epsilon_by_accountant([laplace_release(0.1)], 1e-6, [10, 100])
    >>> {name: f"{bounds[name].value[1]:.2f}" for name in ("best", "rdp", "kairouz", "basic")}
    {'best': '4.69', 'rdp': '4.98', 'kairouz': '5.76', 'basic': '10.00'}
    """
    listed, delta = tuple(releases), scalar("delta", delta, DELTA_RANGE)
    reasons = unavailable(listed)
    names = [name for name in RULES if name not in reasons]
    bounds = {name: epsilon_at(listed, delta, name, n_runs) for name in names}
    if np.size(n_runs) == 1:
        return {"best": epsilon_at(listed, delta, "best", n_runs)} | bounds
    return {"best": _best_curve(listed, delta, np.asarray(n_runs), bounds)} | bounds


def _best_curve(
    releases: Releases, delta: float, runs: Array, bound_by_accountant: dict[str, EpsilonBound]
) -> EpsilonBound:
    """Return the least ε over runs: of every accountant, and by the losses where there are any."""
    middle = repeated(releases, runs.ravel()[runs.size // 2])
    converges = delta >= CONVERGES_FROM and may_converge(middle) and has_losses(middle)
    converges = converges and is_close(exact_epsilon(middle, delta))
    bounds = [bound for name, bound in bound_by_accountant.items() if name != "clt"]
    if not is_known(releases) and not has_steps(releases):  # whose lines take long
        bounds.append(epsilon_at(releases, delta, "basic_of_lines", runs))
    least = np.argmin([bound.value for bound in bounds], axis=0)
    estimates = exact_epsilon(releases, delta, runs.ravel()) if converges else None

    def account(at: int, runs: float) -> Account:
        bound = bounds[least.ravel()[at]]
        best = Account(
            *(np.ravel(part)[at].item() for part in (bound.value, bound.kind, bound.accountant, bound.error))
        )
        if is_closed(releases) or not has_losses(releases):
            return best
        estimate = estimates and EpsilonEstimate(*(part[int(at)] for part in vars(estimates).values()))
        each_run = repeated(releases, runs)
        if estimate is None and sum(release.count for release in each_run) > _MANY:
            return Account(math.nan, CERTIFIED, "certified", math.nan) if is_known(releases) else best
        by_losses = with_estimate(each_run, delta, estimate)
        return by_losses if by_losses.value < best.value else best

    return as_bound(account, np.arange(runs.size).reshape(runs.shape), runs)


def delta_profile(releases: Sequence[Release], epsilon: ArrayLike) -> EpsilonBound:
    """Return the least δ that is known at each of many ε, for a curve.

    Where the contour integral converges at every ε it is that, with twice its error on top, and else a certified curve
    that may lie above the truth by 5 %; RDP or zCDP where these say less.

    Parameters
    ----------
    releases : from 1 to 400.
    epsilon : in [0, 1e6] nats.

    Returns
    -------
    δ of the shape of `epsilon`, with its kind and the accountant that found it.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release
    >>> [f"{value:.4f}" for value in delta_profile([gaussian_release(1)], [0.0, 1.0, 2.0]).value]
    ['0.3829', '0.1269', '0.0209']
    """
    listed, epsilon = tuple(releases), number("epsilon", epsilon, EPSILON_RANGE)
    bounds = [(rdp_delta(listed, epsilon).value, CERTIFIED, "rdp"), (zcdp_delta(listed, epsilon), CERTIFIED, "zcdp")]
    if has_losses(listed):
        by_losses, kind, name = contour_delta(listed, epsilon)[0], ESTIMATE, "exact"
        if np.isnan(by_losses).any():
            by_losses, kind, name = certified_profile(listed, epsilon, _COARSE_PROFILE).value, CERTIFIED, "certified"
        bounds.insert(0, (by_losses, kind, name))
    least = np.argmin([value for value, _, _ in bounds], axis=0)
    value = np.min([value for value, _, _ in bounds], axis=0)
    kinds, names = (np.array([bound[part] for bound in bounds], dtype="U15")[least] for part in (1, 2))
    return EpsilonBound(value, kinds, names, np.full(epsilon.shape, np.nan))


def epsilon_beside_profile(
    releases: Sequence[Release], delta: float, epsilon: ArrayLike, profile: EpsilonBound
) -> float:
    """Return the least ε that is known at δ, or a little above it, where a profile of the list is known already.

    Parameters
    ----------
    releases : from 1 to 400.
    delta : one number in [1e-300, 1).
    epsilon, profile : increasing ε, and what `delta_profile` says there. Where it is certified, ε is read from it,
        which takes no time: on the chord between two points, above which no δ lies that is convex in e^ε.

    Returns
    -------
    ε in nats, at most that of RDP and zCDP; ∞ where the δ of the guarantees leave too little.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.composition import laplace_release
    >>> releases, places = [laplace_release(0.1, count=100)], np.linspace(0, 10, 121)
    >>> f"{epsilon_beside_profile(releases, 1e-6, places, delta_profile(releases, places)):.2f}"
    '4.70'
    """
    listed, delta = tuple(releases), scalar("delta", delta, DELTA_RANGE)
    bounds = [accounts_of(listed, delta).by_rule(name).value for name in ("rdp", "zcdp")]
    if has_losses(listed):
        is_certified = bool(np.any(profile.accountant == "certified"))
        known = number("epsilon", epsilon, EPSILON_RANGE), profile.value
        bounds.append(_on_chord(*known, delta) if is_certified else accounts_of(listed, delta).quick.value)
    return min(bounds)


def _on_chord(epsilon: Array, profile: Array, delta: float) -> float:
    """ε at δ on the line between two points of a profile; ∞ where all of the profile is above δ."""
    below = np.flatnonzero(profile <= delta)
    if not below.size:
        return math.inf
    last = int(below[0])
    if last == 0:
        return float(epsilon[0])
    (start, end), (high, low) = epsilon[last - 1 : last + 1], profile[last - 1 : last + 1]
    share, fall = (high - delta) / (high - low), math.exp(start - end)
    return float(end + math.log(share * (1 - fall) + fall) + 1e-12 * end)
