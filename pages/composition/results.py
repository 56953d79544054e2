"""The setting of the page and its result, and the ε of the list of releases: by accountant, over runs, by line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dpcore import composition
from dpcore.checks import LEAST_DELTA, Array
from dpcore.composition import Release
from dpcore.rounding import round_up
from pages.composition.dp_sgd.results import Training, TrainingNumbers, solve_training
from pages.framework.parameters import list_parameter
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import format_up
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.shared.releases import MAX_COUNT, Item, Releases, labels, repeated
from pages.shared.shared_parameters import SharedSetting, read_setting

EDITOR_KEY = "releases_box"
EDIT_LINK = f"[Edit the list of releases](#{EDITOR_KEY})"


@dataclass(frozen=True)
class CompositionSetting(SharedSetting):
    """The parameters of the list of releases, which the pinned setting has too."""

    releases: tuple[Item, ...]
    runs: float
    accountant: str


@dataclass(frozen=True)
class CompositionResult:
    """The result at one setting, each part computed once; `pinned` is the result of the pinned setting."""

    setting: CompositionSetting
    values: Values
    pinned: "CompositionResult | None" = None

    @property
    def section(self) -> str:
        """Return the key of the open section."""
        return self.values["section"]

    @cached_property
    def names(self) -> list[str]:
        """Return a short name for every line."""
        return labels(self.setting.releases)

    @property
    def chosen_position(self) -> int:
        """Return the position of the chosen line."""
        return list_parameter.chosen_position(self.setting.releases)

    @cached_property
    def single_run(self) -> tuple[Release, ...]:
        """Return the releases of the list, released once."""
        return tuple(item.release for item in self.setting.releases)

    @cached_property
    def totals(self) -> "Totals":
        """Return the ε of the list by every accountant at the number of runs."""
        return accountant_totals(self.single_run, self.setting.delta, (int(self.setting.runs),))

    @cached_property
    def training(self) -> Training:
        """Return the training with DP-SGD, with the open number solved for."""
        return kept(solve_training, self.values["solve"], self.asked_training, self.setting.epsilon)

    @property
    def asked_training(self) -> TrainingNumbers:
        """Return the training as it was entered, before the open number is solved for."""
        records, batch, epochs, noise = (self.values[key] for key in ("records", "batch", "epochs", "noise_multiplier"))
        return TrainingNumbers.of_epochs(records, batch, epochs, noise, self.setting.delta)


def csv_header(result: CompositionResult, units: str, **more: Any) -> dict[str, Any]:
    """Return the header of the CSV of an exhibit about the list: its parameters and its units."""
    setting, pinned_result = result.setting, result.pinned
    header = {"releases": list_text(setting.releases), "runs": int(setting.runs), "delta": repr(setting.delta)}
    header |= more | {"units": f"epsilon in nats; {units}"}
    if pinned_result is not None:
        pinned = pinned_result.setting
        header["pinned"] = f"{list_text(pinned.releases)}, runs {int(pinned.runs)}"
    return header


def compute_result(values: Values) -> CompositionResult:
    """Return the result of the page at the values of its parameters."""
    pinned_result = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None})
    return CompositionResult(read_setting(CompositionSetting, values), values, pinned_result)


@dataclass(frozen=True)
class Accountant:
    """An accountant: its name, that beside its curve, the curve's colour and dash, its name in dpcore, and its ε."""

    name: str
    curve_name: str
    look: tuple[str, str]
    dpcore_name: str
    kind: str = "upper bound"


ACCOUNTANTS = {
    "basic": Accountant("Basic composition of releases", "Basic", ("grey", "solid"), "basic"),
    "drv": Accountant(
        *("Dwork–Rothblum–Vadhan", "Advanced (DRV)", ("ochre", "solid"), "advanced"),
        "upper bound; often above basic composition",
    ),
    "kov": Accountant(
        *("Kairouz–Oh–Viswanath", "KOV", ("orange", "solid"), "kairouz"),
        "upper bound; never above basic composition",
    ),
    "kov_optimal": Accountant(
        *("Kairouz–Oh–Viswanath, optimal", "KOV, optimal for (ε, δ)", ("rose", "dashdot"), "kairouz_optimal"),
        "upper bound; exact if only the ε of each release is known",
    ),
    "zcdp_standard": Accountant("zCDP, standard conversion", "zCDP, standard", ("purple", "dash"), "zcdp_standard"),
    "zcdp": Accountant("zCDP, tight conversion", "zCDP", ("purple", "solid"), "zcdp"),
    "rdp_standard": Accountant("RDP, standard conversion", "RDP, standard", ("green", "dash"), "rdp_standard"),
    "rdp": Accountant("RDP, tight conversion", "RDP", ("green", "solid"), "rdp"),
    "clt": Accountant("Central limit theorem (CLT)", "CLT (no bound)", ("fails", "dot"), "clt", "an estimate"),
    "exact": Accountant(
        "Exact", "exact", ("blue", "solid"), "best", "correct to about 9 digits, or a certified upper bound"
    ),
}
_STEPS = 1, 1.4, 2, 2.8, 4, 5.6, 8  # few, as a number takes up to .1 s; more are put where a curve bends
_LAST_UNEVEN = {"guarantee": 100, "laplace": 60, "geometric": 60}  # up to which even numbers leave the line of odd ones
_MOST_OFF, _ROUNDS = 0.006, 7  # of a straight line between two numbers, relative; of putting numbers between


@dataclass(frozen=True, eq=False)
class Totals:
    """ε at each number of runs by each accountant, inf where it has none.

    `missing` has the reason why an accountant cannot take the list. `is_exact` is whether "exact" is the exact ε,
    which is right to about nine digits or, where the integral does not converge, above it by at most .2 %, NaN
    where many numbers of runs would take long; otherwise it is the least proved ε.
    """

    runs: Array
    epsilon: dict[str, Array]
    missing: dict[str, str]
    is_exact: bool

    def ratio(self, key: str) -> Array:
        """Return ε by an accountant over the exact ε; inf where it has none, NaN where the exact ε is 0 or infinite."""
        exact = self.epsilon["exact"]
        usable = (exact > 0) & np.isfinite(exact)
        return np.where(usable, self.epsilon[key] / np.where(usable, exact, 1), np.nan)

    def joined(self, others: "Totals") -> "Totals":
        """Return the totals with those at other numbers of runs, where these have the exact ε."""
        usable = ~np.isnan(others.epsilon["exact"])
        runs, first = np.unique(np.append(self.runs, others.runs[usable]), return_index=True)
        epsilon = {key: np.append(values, others.epsilon[key][usable])[first] for key, values in self.epsilon.items()}
        return replace(self, runs=runs, epsilon=epsilon)

    def first_epsilon(self, key: str) -> float:
        """Return ε at the first number of runs."""
        return float(self.epsilon[key][0])


def totals_over_runs(result: CompositionResult) -> Totals:
    """Return the totals at the numbers of runs of the figure."""
    return kept(totals_up_to, result.single_run, result.setting.delta, last_decade(result))


def last_decade(result: CompositionResult) -> int:
    """Return the power of ten at which the axis of runs ends."""
    runs = [result.setting.runs, *([result.pinned.setting.runs] if result.pinned else [])]
    return 4 if max(runs) <= 1e4 else 6


def totals_up_to(releases: Releases, delta: float, decade: int) -> Totals:
    """Return the totals over runs up to a power of ten, as far as no line is released too often.

    Their numbers of runs are so near that no straight line between two of them is off by more than 1 %.
    """
    largest = min(10**decade, MAX_COUNT // max(release.count for release in releases))
    steps = {round(10**power * step) for power in range(decade) for step in _STEPS}
    steps |= {*range(1, _LAST_UNEVEN.get(releases[0].kind, 0) + 1)} if len(releases) == 1 else set()
    totals = accountant_totals(releases, delta, tuple(sorted({n for n in (*steps, largest) if n <= largest})))
    for _ in range(_ROUNDS):
        between = _bent_middles(totals)
        if not between.size:
            break
        numbers = between if between.size > 1 else [totals.runs[0], *between]  # of a single one ε is computed anew
        totals = totals.joined(accountant_totals(releases, delta, tuple(int(number) for number in numbers)))
    return totals


def _bent_middles(totals: Totals) -> Array:
    """Return whole numbers in the middle of the steps within which a curve may leave the line between its ends."""
    if totals.runs.size < 3:
        return np.empty(0)
    along = np.log(totals.runs)
    steps, off = np.diff(along), np.zeros(along.size - 1)
    for values in (*totals.epsilon.values(), *map(totals.ratio, totals.epsilon)):
        known = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        bends = np.abs(np.diff(np.diff(np.log(known)) / steps))
        before, after = np.append(bends[:1], bends), np.append(bends, bends[-1:])
        before, after = np.where(np.isnan(before), after, before), np.where(np.isnan(after), before, after)
        off = np.fmax(off, steps * (before + after) / 4)  # at most, if the slope changes at one place
        off[np.isnan(known[1:]) & ~np.isnan(known[:-1])] = 1  # where a curve ends between two numbers
    middles = np.rint(np.exp((along[1:] + along[:-1]) / 2))[off > _MOST_OFF]
    return np.setdiff1d(middles, totals.runs)


def accountant_totals(releases: Releases, delta: float, runs: tuple[int, ...]) -> Totals:
    """Return the ε of a list at δ by every accountant, for each number of runs."""
    bounds = composition.epsilon_by_accountant(releases, delta, runs)
    reasons = composition.unavailable(releases)
    names = {key: accountant.dpcore_name for key, accountant in ACCOUNTANTS.items()}
    epsilon = {key: bounds[name].value for key, name in names.items() if name in bounds}
    missing = {key: reasons[name] for key, name in names.items() if name in reasons}
    return Totals(np.array(runs, dtype=np.float64), epsilon, missing, composition.is_known(releases))


PERIODS = {"once": 1, "yearly for 3 years": 3, "daily for a week": 7, "daily for 30 days": 30, "daily for a year": 365}


DPCORE_ACCOUNTANTS = {"exact": "best", "rdp": "rdp", "zcdp": "zcdp", "basic": "basic_of_lines"}
"""The name in dpcore of each accountant of the page."""
_FEW_LINES, _MANY_RELEASES = 4, 300
_MOST_GROWTH_POINTS = 40  # of the curve of ε as releases add up
GROWTH_ENDS = 12, 100, 365  # of its axis: a dozen releases, a hundred, or a year of days
_COARSE_EXCESS = 2e-3  # the excess of a certified bound on DP-SGD that stands beside the exact value


def epsilon_or_none(value: float) -> str:
    """Return ε rounded up, or "none" where there is none."""
    return format_up(value) if math.isfinite(value) else "none"


@dataclass(frozen=True)
class Cost:
    """ε of a list at δ by an accountant: together, of each line alone, and without each line.

    `basic` is the ε of the list by basic composition of lines. Where to certify the list without each of its lines
    would take long, `without` is by RDP, and so is what is saved; `rdp_total` is then the ε together by RDP.
    """

    together: float
    alone: tuple[float, ...]
    without: tuple[float, ...]
    basic: float
    rdp_total: float | None = None

    @property
    def savings_base(self) -> float:
        """Return the ε together from which the savings count: by RDP where `without` is."""
        return self.together if self.rdp_total is None else self.rdp_total

    @cached_property
    def saved(self) -> tuple[float, ...]:
        """Return what leaving out each line would save, in ε."""
        return tuple(0.0 if math.isinf(epsilon) else max(self.savings_base - epsilon, 0.0) for epsilon in self.without)


def all_releases(result: CompositionResult) -> Releases:
    """Return the releases of all runs of the list."""
    return repeated(result.single_run, result.setting.runs)


def sum_of_deltas(result: CompositionResult) -> float:
    """Return the sum of the δ of all (ε, δ) guarantees of the list."""
    return math.fsum(
        release.count * release.numbers[1] for release in all_releases(result) if release.kind == "guarantee"
    )


def pure_epsilon(result: CompositionResult) -> float:
    """Return the ε of the list without a δ, the sum over all releases, rounded up; ∞ where a line has none."""
    releases = all_releases(result)
    if not all(release.has_epsilon for release in releases) or sum_of_deltas(result) > 0:
        return math.inf
    return float(round_up(math.fsum(release.count * release.numbers[0] for release in releases)))


def cost_at(result: CompositionResult) -> Cost:
    """Return what the list costs, over all its runs."""
    return kept(list_cost, all_releases(result), result.setting.delta, result.setting.accountant)


def certified_bound(result: CompositionResult) -> tuple[float, float] | None:
    """Return a certified bound on ε of all runs, and its largest possible excess, 0 if that is not known.

    It is None where only ρ of a line is known, where RDP is as close, and where there is no ε.
    """
    releases, delta = all_releases(result), result.setting.delta
    has_steps = any(release.kind == "sampled" for release in releases)
    bound = composition.epsilon(releases, delta, "certified", excess=_COARSE_EXCESS if has_steps else None)
    if math.isinf(bound.value):
        return None
    if composition.is_known(releases):
        return float(bound.value), float(bound.error)
    return (float(bound.value), 0.0) if bound.value < composition.rdp_epsilon(releases, delta).value else None


def list_epsilon(releases: Releases, delta: float, accountant: str) -> float:
    """Return ε of a list at δ by an accountant of the page."""
    return float(composition.epsilon(releases, delta, DPCORE_ACCOUNTANTS[accountant]).value)


def list_cost(releases: Releases, delta: float, accountant: str) -> Cost:
    """Return what a list costs at δ by an accountant."""
    total, basic = (list_epsilon(releases, delta, name) for name in (accountant, "basic"))
    lines = [(release,) for release in releases]
    remainders = [releases[:place] + releases[place + 1 :] for place in range(len(releases))]
    if accountant != "exact":
        alone, without = ([list_epsilon(part, delta, accountant) for part in lists] for lists in (lines, remainders))
        return Cost(total, tuple(alone), tuple(without), basic)
    alone, _ = _best_or_rdp(lines, np.full(len(lines), delta))
    without, is_best = _best_or_rdp(remainders, np.full(len(remainders), delta))
    return Cost(total, tuple(alone), tuple(without), basic, None if is_best else list_epsilon(releases, delta, "rdp"))


def _best_or_rdp(lists: Sequence[Releases], deltas: Array, max_certified: int = 4) -> tuple[list[float], bool]:
    """Return ε of several lists, ∞ at a δ that is too small, and whether it is the best ε: else it is by RDP."""
    valid_deltas = np.maximum(deltas, LEAST_DELTA)
    best = composition.epsilon_of_lists(lists, valid_deltas, max_certified)
    pairs = zip(lists, valid_deltas, strict=True)
    values = best.value if best else [list_epsilon(releases, float(delta), "rdp") for releases, delta in pairs]
    return np.where(deltas < LEAST_DELTA, np.inf, values).tolist(), best is not None


@dataclass(frozen=True)
class PeriodCosts:
    """ε together, by RDP, and by basic composition of the days, for each period over which the list can be run.

    The days share δ equally. `is_exact` is whether ε together is the exact one; it is by RDP where to certify so
    many lists would take long.
    """

    rows: dict[str, tuple[float, float, float]]
    is_exact: bool


def period_costs(releases: Releases, delta: float) -> PeriodCosts:
    """Return what a list costs over each period."""
    names = [name for name, runs in PERIODS.items() if runs * max(release.count for release in releases) <= MAX_COUNT]
    runs = [PERIODS[name] for name in names]
    lists = [repeated(releases, n_runs) for n_runs in runs]
    by_rdp = composition.rdp_epsilon(releases, delta, n_runs=runs).value.tolist()
    once = list_epsilon(releases, delta, "exact")
    max_certified = 1 if any(release.kind == "sampled" for release in releases) or _is_long(releases) else 4
    together, is_best = _best_or_rdp(lists[1:], np.full(len(lists) - 1, delta), max_certified)
    shares = delta / np.array(runs[1:]) * (1 - 1e-15)
    days, _ = _best_or_rdp([releases] * len(shares), shares, max_certified)
    basic = [n_runs * daily * (1 + 1e-15) for n_runs, daily in zip(runs, [once, *days], strict=True)]
    rows = zip([once, *together], by_rdp, basic, strict=True)
    return PeriodCosts(dict(zip(names, rows, strict=True)), is_best and composition.is_known(releases))


def _is_long(releases: Releases) -> bool:
    """Return whether it would take long to certify a list for a year of days: its sum of losses has too many cells."""
    n_releases = sum(release.count for release in releases)
    return len(releases) > _FEW_LINES and n_releases > _MANY_RELEASES


def periods_at(result: CompositionResult) -> PeriodCosts:
    """Return what the list of the page costs over each period."""
    return kept(period_costs, result.single_run, result.setting.delta)


@dataclass(frozen=True)
class Growth:
    """ε of the first releases of a list of one line: of them together, and by basic composition (∞: it has none)."""

    releases: Array
    together: Array
    basic: Array
    axis_ends: tuple[float, float]


def growth_at(result: CompositionResult) -> Growth | None:
    """Return how ε grows with the releases of the only line; None for several lines, and for the steps of DP-SGD.

    The axis of releases ends at a dozen, a hundred or a year of them, so that it seldom moves.
    """
    lines, accountant = all_releases(result), result.setting.accountant
    if len(lines) != 1 or lines[0].kind == "sampled":
        return None
    count = lines[0].count
    last = next((end for end in GROWTH_ENDS if count <= end), count)
    totals, at_end = kept(_growing_totals, lines[0], result.setting.delta, last)
    key = accountant if accountant in ("rdp", "zcdp") else "exact"
    none = np.full(totals.runs.size, np.inf)
    together = totals.epsilon.get(key, none).copy()
    together[-1] = cost_at(result).together  # which the answer says
    highest = [at_end.first_epsilon(name) for name in ("basic", key) if name in at_end.epsilon]
    ends = float(last), max(filter(math.isfinite, highest), default=1.0)
    return Growth(totals.runs, together, totals.epsilon.get("basic", none), ends)


def _growing_totals(release: Release, delta: float, last: int) -> tuple[Totals, Totals]:
    """Return the totals of the first releases of a line, and those where the axes end."""
    numbers = np.unique(np.rint(np.geomspace(1, release.count, _MOST_GROWTH_POINTS)).astype(np.int64))
    totals, at_end = (
        accountant_totals((release.times(1),), delta, runs) for runs in (tuple(numbers.tolist()), (last,))
    )
    return totals, at_end
