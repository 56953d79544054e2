"""One ε or δ of a list of releases by any accountant, and its curves over runs and over ε, fast enough for a chart.

- `"best"`: the least ε that is known. This is the contour integral with twice its estimated error on top, or where that
  does not converge the certified bound, or of one line of guarantees its closed form. If a line has only a bound on its
  losses (an exponential mechanism, ρ-zCDP), it is the least of all bounds.
- `"exact"`: the contour integral (`exact_epsilon`); where it does not converge `"certified"`.
- `"certified"`: the smaller of the certified loss distribution (`certified_epsilon`) and RDP.
- `"rdp"`, `"rdp_standard"`: Rényi DP at its best order ([Mir17]), by the tight ([CKS20]) or the standard conversion.
- `"zcdp"`, `"zcdp_standard"`: ρ of all releases ([BS16]), by the same two conversions.
- `"basic"`: basic composition of releases ([DR14] Thm 3.16): every single release has its own ε.
- `"basic_of_lines"`: basic composition of lines: each line, with all its releases, has its `"best"` ε.
- `"advanced"`: Dwork, Rothblum & Vadhan ([DR14] Thm 3.20).
- `"kairouz"`, `"kairouz_optimal"`: Kairouz, Oh & Viswanath ([KOV15]), Thm 3.5 and, of one line, Thm 3.3.
- `"clt"`: the central limit theorem ([DRS22]): an estimate of either sign.

Both kinds of basic composition share the δ that the guarantees leave equally: `"basic"` among all single releases that
need some, `"basic_of_lines"` among the lines that do. `"advanced"` and `"kairouz"` keep half of it for themselves.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import (
    DELTA_RANGE,
    EPSILON_RANGE,
    Array,
    integer,
    interval_bounds,
    leave_out,
    number,
    option,
    scalar,
    scalar_integer,
)
from dpcore.composition import _accounts, _rules
from dpcore.composition._accounts import (
    CONVERGES_FROM,
    Accounts,
    accounts_of,
    best_delta_account,
    certified_delta_account,
    contour_delta,
    exact_delta_account,
    has_losses,
    is_close,
    is_closed,
    is_known,
    may_converge,
    repeated,
    with_estimate,
)
from dpcore.composition._rules import RULES, Releases, unavailable
from dpcore.composition.bounds import CERTIFIED, ESTIMATE, Account, EpsilonBound, all_bounds, as_bound
from dpcore.composition.contour import EpsilonEstimate, exact_epsilon
from dpcore.composition.distribution import EXCESS_RANGE
from dpcore.composition.profiles import certified_profile
from dpcore.composition.releases import COUNT_RANGE, Release
from dpcore.composition.renyi import has_steps, rdp_delta, zcdp_delta

_LISTS: dict[str, Callable[[Accounts, float], Account]] = {
    "best": Accounts.best_known,
    "exact": Accounts.exact,
    "certified": Accounts.certified,
    "basic_of_lines": lambda accounts, _: accounts.of_lines,
}
_DELTAS = {"best": best_delta_account, "exact": exact_delta_account, "certified": certified_delta_account}
ACCOUNTANTS = (*_LISTS, *RULES)
DELTA_ACCOUNTANTS = (*_DELTAS, "rdp", "zcdp")
_FEW_RELEASES = 1000  # of more releases δ is certified less closely
_FINE_DELTA, _COARSE_DELTA = 0.01, 0.1


def epsilon(
    releases: Sequence[Release],
    delta: ArrayLike,
    accountant: str = "best",
    n_runs: ArrayLike = 1,
    excess: float | None = None,
) -> EpsilonBound:
    """ε of all releases together at δ by an accountant (formulas and sources: see the module).

    Parameters
    ----------
    releases : at most 20 for "best", "exact", "certified" and "basic_of_lines"; an empty list has ε = 0.
    delta : in [1e-300, 1).
    accountant : one of `ACCOUNTANTS`.
    n_runs : how often the whole list is run, whole numbers that broadcast with `delta`, such that no line has more than
        1e6 releases.
    excess : how far a certified bound may lie above the truth, relative, in [1e-6, 1]: by default 1e-5; with steps of
        DP-SGD 1e-4, and 2e-3 for more than four lines, which take long. Formulas have none: left out of all but "best",
        "exact", "certified" and "basic_of_lines".

    Returns
    -------
    ε in nats, of the shape of `delta` and `n_runs`, with its kind and error; ∞ where the accountant has no answer
    (`unavailable` says why it cannot take the list; else the δ of the guarantees leave too little). All but "exact" and
    "clt" are rounded up. "best" by the contour integral is an estimate, to which twice its error is added.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release, guarantee_release
    >>> releases = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
    >>> best = epsilon(releases, 1e-6)
    >>> f"{best.value:.6f} {best.kind} {best.accountant}"
    '4.464122 estimate exact'
    >>> [f"{epsilon(releases, 1e-6, name).value:.3f}" for name in ("certified", "basic_of_lines", "basic")]
    ['4.464', '5.049', '8.232']
    """
    option("accountant", accountant, ACCOUNTANTS)
    if accountant in RULES:
        leave_out(f"accountant {accountant}", excess=excess)
    listed, chosen = tuple(releases), None if excess is None else scalar("excess", excess, EXCESS_RANGE)
    most = int(interval_bounds(COUNT_RANGE)[1]) // max((release.count for release in listed), default=1)
    delta, runs = np.broadcast_arrays(number("delta", delta, DELTA_RANGE), integer("n_runs", n_runs, f"[1, {most}]"))
    if not listed:
        return as_bound(lambda _: Account(0.0, CERTIFIED, accountant, 0.0), delta)
    if accountant in RULES:
        return _by_rule(listed, delta, runs, accountant)

    def account(delta: float, runs: float) -> Account:
        allowed_excess = _accounts.default_excess(listed) if chosen is None else chosen
        return _LISTS[accountant](accounts_of(_accounts.repeated(listed, runs), float(delta)), allowed_excess)

    return as_bound(account, delta, runs)


def _by_rule(releases: Releases, delta: Array, runs: Array, accountant: str) -> EpsilonBound:
    """ε by a formula, at every δ and number of runs at once; a single one is kept."""
    value = np.full(delta.shape, np.inf)
    if delta.size == 1:
        accounts = accounts_of(_accounts.repeated(releases, runs.item()), delta.item())
        if accountant not in accounts.unavailable:
            value = np.full(delta.shape, accounts.by_rule(accountant).value)
    elif accountant not in _rules.unavailable(releases):
        value = RULES[accountant](releases, delta.ravel(), runs.ravel()).reshape(delta.shape)
    return all_bounds(value, ESTIMATE if accountant == "clt" else CERTIFIED, accountant)


def delta(
    releases: Sequence[Release], epsilon: ArrayLike, accountant: str = "best", excess: float | None = None
) -> EpsilonBound:
    """δ of all releases together at ε by an accountant (formulas and sources: see the module).

    Parameters
    ----------
    releases : from 1 to 400 for "best", "exact" and "certified".
    epsilon : in [0, 1e6] nats.
    accountant : one of `DELTA_ACCOUNTANTS`.
    excess : how far a certified bound may lie above the truth, relative, in [1e-6, 1]: by default 0.01, and 0.1 for
        more than 1000 releases, which take long; left out of "rdp" and "zcdp".

    Returns
    -------
    δ of the shape of `epsilon`, with its kind and error; "zcdp" is 1 where the list does not satisfy ρ-zCDP. All but
    "exact" are rounded up. "best" is the least of the contour integral (or, where that does not converge, the certified
    bound) and RDP; for many ε use `delta_profile`.

    Examples
    --------
    >>> from dpcore.composition import laplace_release, sampled_release
    >>> training = delta([sampled_release(1.1, 0.01, 1000)], [1.0, 2.0])
    >>> [f"{value:.3e}" for value in training.value], training.kind.tolist()
    (['7.669e-04', '7.866e-08'], ['estimate', 'estimate'])
    >>> f"{delta([laplace_release(0.1, count=100)], 4.984174, 'rdp').value:.4g}"
    '1e-06'
    """
    option("accountant", accountant, DELTA_ACCOUNTANTS)
    listed, epsilon = tuple(releases), number("epsilon", epsilon, EPSILON_RANGE)
    if accountant not in _DELTAS:
        leave_out(f"accountant {accountant}", excess=excess)
        value = zcdp_delta(listed, epsilon) if accountant == "zcdp" else rdp_delta(listed, epsilon).value
        return all_bounds(value, CERTIFIED, accountant)
    few = sum(release.count for release in listed) <= _FEW_RELEASES
    allowed_excess = (
        (_FINE_DELTA if few else _COARSE_DELTA) if excess is None else scalar("excess", excess, EXCESS_RANGE)
    )
    return as_bound(lambda value: _DELTAS[accountant](listed, float(value), allowed_excess), epsilon)


def epsilon_of_lists(
    lists: Sequence[Sequence[Release]], delta: ArrayLike, most_certified: int = 4
) -> EpsilonBound | None:
    """Return the "best" ε of several lists, unless it would take long.

    Parameters
    ----------
    lists : each as for `epsilon`.
    delta : in [1e-300, 1), one of each list or one for all.
    most_certified : of how many lists the certified bound may be computed, each of which may take a quarter of a
        second; of more than four lists only one may.

    Returns
    -------
    one entry of each list; several lists are certified to 1e-4, or to 2e-3 if they have steps of DP-SGD. None where
    more lists would have to be certified.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> releases = [gaussian_release(4, 5), laplace_release(0.2, 5)]
    >>> totals = epsilon_of_lists([releases, releases[:1]], 1e-6)
    >>> [f"{value:.3f}" for value in totals.value]
    ['3.161', '2.549']
    """
    listed = [tuple(releases) for releases in lists]
    deltas = np.broadcast_to(number("delta", delta, DELTA_RANGE), (len(listed),))
    bounds = _accounts.of_lists(listed, deltas.tolist(), scalar_integer("most_certified", most_certified, "[0, 1e3]"))
    return None if bounds is None else as_bound(lambda place: bounds[place], np.arange(len(bounds)))


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
    bounds = {name: epsilon(listed, delta, name, n_runs) for name in names}
    if np.size(n_runs) == 1:
        return {"best": epsilon(listed, delta, "best", n_runs)} | bounds
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
        bounds.append(epsilon(releases, delta, "basic_of_lines", runs))
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
