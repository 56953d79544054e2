"""ε and δ of one list of releases by each accountant without a closed formula; see `dpcore.composition.accountants`.

The ε of a list is computed once and cached, because a page uses it in many places.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from dpcore.checks import LEAST_DELTA, Array
from dpcore.composition._normalize import pure_total, whole
from dpcore.composition._rules import RULES, Releases, basic_is_above, guaranteed_delta, unavailable
from dpcore.composition.bounds import CERTIFIED, ESTIMATE, Account
from dpcore.composition.closed_form import MOST_LOSSES, basic_epsilon
from dpcore.composition.contour import EpsilonEstimate, exact_delta, exact_epsilon
from dpcore.composition.distribution import certified_delta, certified_epsilon
from dpcore.composition.releases import HULL, LATTICE, SMOOTH, SPREAD, Release
from dpcore.composition.renyi import has_steps, rdp_delta
from dpcore.composition.tilts import epsilon_cost

FINE, COARSE = 1e-4, 2e-3  # the excess of a certified ε of steps of DP-SGD that replaces the exact value, and a faster
FINEST = 1e-5  # the excess of any other list's; of several lists at once it is that of `FINE`
FEW_LINES = 4  # lists of more lines with steps of DP-SGD take long to certify closely
_BOUNDED_KINDS = ("zcdp", "exponential", "profile")  # whose losses are not known, only bounded
_CLOSE = 1e-3  # relative: no bound is further above the truth
_TIGHT_RULES = ("basic", "rdp", "zcdp")  # of each family the least
_GUARANTEE_RULES = ("kairouz", "kairouz_optimal")  # beside noise with known losses they take long and say more
_LOG_NO_ATOMS = -15.0  # ln of the share of a sum of losses that is at single values, of which no digit is seen
CONVERGES_FROM = 1e-15  # δ of a quick contour integral
_UNSEEN = 1e-9  # an ε in nats, below which it may be 0


def is_known(releases: Sequence[Release]) -> bool:
    """Return whether every line says how its losses are distributed; of the others only a bound on them is known.

    Examples
    --------
    >>> from dpcore.composition import exponential_release, laplace_release
    >>> is_known([laplace_release(0.1)]), is_known([laplace_release(0.1), exponential_release(0.1)])
    (True, False)
    """
    return all(release.kind not in _BOUNDED_KINDS for release in releases)


def has_losses(releases: Releases) -> bool:
    """Return whether every line has losses to compose, if only bounds on them: ρ-zCDP alone has none."""
    return all(release.kind != "zcdp" for release in releases)


def is_smooth(releases: Releases) -> bool:
    """Return whether some noise of a list is smooth; without it the contour integral mostly does not converge."""
    return any(release.losses == SMOOTH for release in releases)


def _is_spread_or_small(releases: Releases) -> bool:
    """Return whether the losses of a list are spread, by smooth noise or by Laplace noise that runs often, or few."""
    spread = [release for release in releases if release.losses == SPREAD]
    log_atoms = math.fsum(release.count * math.log1p(math.expm1(-release.numbers[0]) / 2) for release in spread)
    is_few = all(release.kind == "guarantee" for release in releases) and whole(releases).n_losses <= MOST_LOSSES
    return is_smooth(releases) or log_atoms < _LOG_NO_ATOMS or is_few


def is_closed(releases: Releases) -> bool:
    """Return whether a list is one line of guarantees, whose exact ε has a closed form."""
    return len(releases) == 1 and releases[0].kind == "guarantee"


def repeated(releases: Releases, n_runs: float) -> Releases:
    """Return the list in which every release runs so many times as often."""
    if n_runs == 1:
        return tuple(releases)
    return tuple(release.times(release.count * int(n_runs)) for release in releases)


def must_be_certified(releases: Releases, delta: float) -> bool:
    """Return whether the best ε of a list takes a certified bound."""
    if not releases or not has_losses(releases) or is_closed(releases):
        return False
    estimate = accounts_of(releases, delta).contour if _is_spread_or_small(releases) else None
    return estimate is None or estimate.value <= _UNSEEN


def of_lists(lists: Sequence[Releases], deltas: Sequence[float], most_certified: int) -> list[Account] | None:
    """Return the best ε of several lists, each at its δ, or None if more than so many have to be certified."""
    most, accounts = most_certified if len(lists) <= FEW_LINES else 1, []
    for releases, delta in zip(lists, deltas, strict=True):
        accounts.append(None if must_be_certified(releases, delta) else accounts_of(releases, delta).best_known(FINE))
        if accounts.count(None) > most:
            return None
    excess = default_excess if len(lists) == 1 else _excess_of_several
    return [
        account or accounts_of(releases, delta).best_known(excess(releases))
        for account, releases, delta in zip(accounts, lists, deltas, strict=True)
    ]


def _excess_of_several(releases: Releases) -> float:
    """Return the excess at which one of several lists is certified: steps of DP-SGD take the longest."""
    return COARSE if has_steps(releases) else FINE


def default_excess(releases: Releases) -> float:
    """Return the excess at which a list is certified: coarse for many lines of DP-SGD, which take long."""
    if not has_steps(releases):
        return FINEST
    return COARSE if len(releases) > FEW_LINES else FINE


@dataclass(frozen=True, eq=False)
class Accounts:
    """The ε of a list at one δ by each accountant; what takes time is computed once."""

    releases: Releases
    delta: float
    _by_rule: dict[str, Account] = field(default_factory=dict)
    _by_excess: dict[float, Account] = field(default_factory=dict)
    _cells: dict[float, tuple[int, float]] = field(default_factory=dict)
    _best: dict[float, Account] = field(default_factory=dict)

    def best_known(self, excess: float) -> Account:
        """Return the least ε that any accountant finds, with its kind, accountant and error."""
        if excess not in self._best:
            self._best[excess] = self._least_known(excess)
        return self._best[excess]

    def _least_known(self, excess: float) -> Account:
        releases = self.releases
        if not releases:
            return Account(0.0, CERTIFIED, "best", 0.0)
        if is_closed(releases):
            return self.by_rule("kairouz_optimal")._replace(error=0.0)
        by_losses = [self._by_losses(excess)] if has_losses(releases) else []
        if is_known(releases) and by_losses[0].kind == ESTIMATE:
            names = ["basic"] if _may_be_basic(releases, self.delta, by_losses[0]) else []
            return least([*(self.by_rule(name) for name in names), *by_losses])
        lines = [self.of_lines] if len(releases) > 1 else []
        is_pure = all(release.has_epsilon for release in releases)
        tight = _TIGHT_RULES if is_known(releases) and not is_pure else (*_GUARANTEE_RULES, *_TIGHT_RULES)
        rules = [name for name in tight if name not in self.unavailable]
        return least([*(self.by_rule(name) for name in rules), *lines, *by_losses])

    def _by_losses(self, excess: float) -> Account:
        """ε by the contour integral, where some noise is smooth enough for it, and else by loss distributions."""
        estimate = self.contour if _is_spread_or_small(self.releases) else None
        if estimate is None:
            return self._close(excess)
        if estimate.value > _UNSEEN:
            return estimate
        proved = self.by_distribution(excess)  # which may be 0
        return least([estimate, proved._replace(accountant="exact")])

    @cached_property
    def unavailable(self) -> dict[str, str]:
        """Why each accountant that cannot take the list cannot."""
        return unavailable(self.releases)

    @cached_property
    def estimate(self) -> EpsilonEstimate:
        """The contour integral."""
        return exact_epsilon(self.releases, self.delta)

    @property
    def contour(self) -> Account | None:
        """ε by the contour integral with twice its error added, or None where it does not converge."""
        estimate, releases = self.estimate, self.releases
        if not estimate.converged:
            return None
        value = min(with_error(estimate), pure_total(releases)) if math.isfinite(estimate.value) else math.inf
        return Account(value, ESTIMATE, "exact", float(estimate.error) if is_known(releases) else math.nan)

    def _close(self, excess: float) -> Account:
        """Return the certified bound, without RDP, which takes time, where losses alone come as close as wanted."""
        bound = self.by_distribution(excess)
        is_close = math.isnan(bound.error) or bound.error <= excess * bound.value
        return bound if is_close else self.certified(excess)

    def certified(self, excess: float) -> Account:
        """Return the smaller bound, by the loss distribution or by RDP, with how far it may exceed the truth."""
        by_rdp = self.by_rule("rdp").value
        if not has_losses(self.releases):
            return Account(by_rdp, CERTIFIED, "certified", math.nan)
        if self.cost_of_training(excess)[1] > by_rdp:  # the finest cells there may be are too wide
            return Account(by_rdp, CERTIFIED, "certified", by_rdp)
        bound = self.by_distribution(excess)
        if bound.value <= by_rdp:
            return bound
        truth = bound.value - bound.error  # about; wrong where it is above what RDP proves
        is_told = math.isfinite(truth) and truth <= by_rdp
        return bound._replace(value=by_rdp, error=by_rdp - truth if is_told else math.nan)

    def cost_of_training(self, excess: float) -> tuple[int, float]:
        """Return how many cells the ε of a training takes, and how much they add to ε;
        0 where it is no training of many steps.
        """
        release = self.releases[0]
        if len(self.releases) > 1 or release.kind != "sampled" or release.is_gaussian or release.count == 1:
            return 0, 0.0
        if excess not in self._cells:
            self._cells[excess] = epsilon_cost(self.releases, "remove", math.log(self.delta), excess)
        return self._cells[excess]

    def by_distribution(self, excess: float) -> Account:
        """Return the upper bound by the distribution of the losses, with the excess that it states."""
        if excess not in self._by_excess:
            certified = certified_epsilon(self.releases, self.delta, excess)
            bound, risen = float(certified.value), float(certified.error)
            error = risen if is_known(self.releases) else math.nan
            self._by_excess[excess] = Account(bound, CERTIFIED, "certified", error)
        return self._by_excess[excess]

    def exact(self, excess: float) -> Account:
        """Return the contour integral; the certified bound where that does not converge or losses are only bounded."""
        if not is_known(self.releases) or not self.estimate.converged:
            return self.certified(excess)
        return Account(float(self.estimate.value), ESTIMATE, "exact", float(self.estimate.error))

    def by_rule(self, name: str) -> Account:
        """Return ε by one of the formulas of `_rules`."""
        if name not in self._by_rule:
            value = float(RULES[name](self.releases, np.array([self.delta]), np.ones(1))[0])
            self._by_rule[name] = Account(value, ESTIMATE if name == "clt" else CERTIFIED, name, math.nan)
        return self._by_rule[name]

    @cached_property
    def of_lines(self) -> Account:
        """Basic composition of lines, each with its best ε at an equal share of what the guarantees leave of δ.

        Lines are certified like several lists.
        """
        releases, delta = self.releases, self.delta
        nothing = Account(math.inf, CERTIFIED, "basic_of_lines", math.nan)
        spent = guaranteed_delta(releases)
        needing = [release for release in releases if not release.has_epsilon]
        pure = [release for release in releases if release.has_epsilon]
        epsilons, counts = [release.numbers[0] for release in pure], [release.count for release in pure]
        total = float(basic_epsilon(epsilons, counts)) if pure else 0.0
        if not needing:
            return nothing if spent > delta else nothing._replace(value=total)
        share = (delta - spent) / len(needing) * (1 - 1e-15) if len(needing) > 1 or spent else delta
        if share < LEAST_DELTA:
            return nothing
        lines = of_lists([(release,) for release in needing], [share] * len(needing), FEW_LINES)
        lines = lines or [accounts_of((release,), share).by_rule("rdp") for release in needing]
        kind = ESTIMATE if any(line.kind == ESTIMATE for line in lines) else CERTIFIED
        total += math.fsum(line.value for line in lines)
        return nothing._replace(value=total * (1 + 1e-15), kind=kind)

    @cached_property
    def quick(self) -> Account:
        """ε by the contour integral or, where that is not close, certified, whatever the number of releases."""
        return with_estimate(self.releases, self.delta, self.estimate if self.delta >= CONVERGES_FROM else None)


accounts_of = lru_cache(4096)(Accounts)  # the lists of a page, of a plan's search, and of searches for noise


def with_estimate(releases: Releases, delta: float, estimate: EpsilonEstimate | None) -> Account:
    """ε by an estimate with twice its error on top where that is small, and else certified."""
    if estimate is None or not is_close(estimate):
        return accounts_of(releases, delta).by_distribution(COARSE)
    return Account(with_error(estimate), ESTIMATE, "exact", float(estimate.error))


def is_close(estimate: EpsilonEstimate) -> bool:
    """Return whether an estimate of ε is closer than is seen."""
    return bool(estimate.error <= max(_MOST_ERROR * estimate.value, _UNSEEN))


def with_error(estimate: EpsilonEstimate) -> float:
    """Return the value of a contour integral with twice its error added, rounded up."""
    return float(estimate.value + 2 * estimate.error) * (1 + 1e-13)


def _may_be_basic(releases: Releases, delta: float, bound: Account) -> bool:
    """Return whether basic composition of releases may say less than a bound that is right to many digits.

    Basic composition is exact for a single release, and where nothing but ε of guarantees counts. Else it says more, so
    that a contour integral well above the sum of these ε is the least.
    """
    pure = math.fsum(release.count * release.numbers[0] for release in releases if release.has_epsilon)
    if len(releases) == 1 and releases[0].count == 1:
        return True
    is_above = bound.kind == ESTIMATE and bound.value > pure * (1 + _CLOSE)
    is_near = pure > 0 and bound.value >= pure * (1 - _CLOSE) and not is_above
    return is_near and not (len(releases) > 1 and basic_is_above(releases, delta, bound.value))


def least(bounds: Sequence[Account]) -> Account:
    """Return the account with the least value, the last one of equals."""
    return min(reversed(bounds), key=lambda account: account.value)


_UNEVEN = SPREAD, HULL  # whose sums are neither few values nor smooth
_MOST_ERROR = 1e-4  # of ε and δ by the contour integral, relative


def best_delta_account(releases: Releases, epsilon: float, excess: float) -> Account:
    by_rdp = Account(float(rdp_delta(releases, epsilon).value), CERTIFIED, "rdp", math.nan)
    if not has_losses(releases) or by_rdp.value == 0:
        return by_rdp
    value, error = (float(part[0]) for part in contour_delta(releases, np.array([epsilon])))
    if math.isnan(value):
        return least([by_rdp, certified_delta_account(releases, epsilon, excess)])
    return least([by_rdp, Account(value, ESTIMATE, "exact", error if is_known(releases) else math.nan)])


def contour_delta(releases: Releases, epsilon: Array) -> tuple[Array, Array]:
    """δ by the contour integral with twice its error on top, NaN where that does not converge, and that error.

    Where δ is too small for the integral, it is 1: another bound is less.
    """
    if not may_converge(releases):
        return np.full(epsilon.shape, np.nan), np.full(epsilon.shape, np.nan)
    estimate = exact_delta(releases, epsilon)
    above = np.minimum((estimate.value + 2 * estimate.error) * (1 + 1e-13), 1.0)
    value = np.where(estimate.error <= _MOST_ERROR * estimate.value, above, np.nan)
    return np.where(estimate.value < LEAST_DELTA, 1.0, value), estimate.error


def may_converge(releases: Releases) -> bool:
    """Return whether the contour integral is worth its time, which it always is with smooth noise.

    Without it that of Laplace noise and of profiles does not converge, nor does that of many lines of noise on
    the whole numbers, which takes long.
    """
    is_long = len(releases) > FEW_LINES and any(release.losses == LATTICE for release in releases)
    return is_smooth(releases) or not (is_long or any(release.losses in _UNEVEN for release in releases))


def certified_delta_account(releases: Releases, epsilon: float, excess: float) -> Account:
    if not has_losses(releases):
        return Account(float(rdp_delta(releases, epsilon).value), CERTIFIED, "certified", math.nan)
    bound = certified_delta(releases, epsilon, excess)
    error = float(bound.error) if is_known(releases) else math.nan
    return Account(float(bound.value), CERTIFIED, "certified", error)


def exact_delta_account(releases: Releases, epsilon: float, excess: float) -> Account:
    estimate = exact_delta(releases, epsilon) if is_known(releases) else None
    if estimate is None or not estimate.converged:
        return certified_delta_account(releases, epsilon, excess)
    return Account(float(estimate.value), ESTIMATE, "exact", float(estimate.error))
