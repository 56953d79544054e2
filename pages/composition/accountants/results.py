"""The ε of the list by every accountant over the number of its runs."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import composition
from dpcore.checks import Array
from pages.composition.results import CompositionResult
from pages.shared.releases import MAX_COUNT, Releases

ACCOUNTANT_NAMES = {
    "basic": "Basic composition of releases",
    "drv": "Dwork–Rothblum–Vadhan",
    "kov": "Kairouz–Oh–Viswanath",
    "kov_optimal": "Kairouz–Oh–Viswanath, optimal",
    "zcdp_standard": "zCDP, standard conversion",
    "zcdp": "zCDP, tight conversion",
    "rdp_standard": "RDP, standard conversion",
    "rdp": "RDP, tight conversion",
    "clt": "Central limit theorem (CLT)",
    "exact": "Exact",
}
_DPCORE_NAMES = {"drv": "advanced", "kov": "kairouz", "kov_optimal": "kairouz_optimal", "exact": "best"}
"""The names in dpcore of the accountants that have another one here, in the columns of the CSV."""
_STEPS = 1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8  # so near that no line between them is off by more than 1 %
_FEW_STEPS = 1, 1.4, 2, 2.8, 4, 5.6, 8  # for lists that take up to .1 s per number


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

    def first_epsilon(self, key: str) -> float:
        """Return ε at the first number of runs."""
        return float(self.epsilon[key][0])


def totals_over_runs(result: CompositionResult) -> Totals:
    """Return the totals at the numbers of runs of the figure."""
    return accountant_totals(
        result.single_run, result.setting.delta, run_numbers(result.single_run, last_decade(result))
    )


def totals_at(result: CompositionResult) -> Totals:
    """Return the totals at the page's number of runs."""
    return accountant_totals(result.single_run, result.setting.delta, (int(result.setting.runs),))


def last_decade(result: CompositionResult) -> int:
    """Return the power of ten at which the axis of runs ends."""
    runs = [result.setting.runs, *([result.pinned.setting.runs] if result.pinned else [])]
    return 4 if max(runs) <= 1e4 else 6


def run_numbers(releases: Releases, decade: int) -> tuple[int, ...]:
    """Return numbers of runs up to a power of ten, as far as no line is released too often."""
    largest = min(10**decade, MAX_COUNT // max(release.count for release in releases))
    is_smooth = any(release.kind in ("gaussian", "sampled") for release in releases)
    between = _STEPS if is_smooth else _FEW_STEPS
    steps = {round(10**power * step) for power in range(decade) for step in between}
    return tuple(sorted({n_runs for n_runs in (*steps, largest) if n_runs <= largest}))


@lru_cache(256)
def accountant_totals(releases: Releases, delta: float, runs: tuple[int, ...]) -> Totals:
    """Return the ε of a list at δ by every accountant, for each number of runs."""
    bounds = composition.epsilon_by_accountant(releases, delta, runs)
    reasons = composition.unavailable(releases)
    names = {key: _DPCORE_NAMES.get(key, key) for key in ACCOUNTANT_NAMES}
    epsilon = {key: bounds[name].value for key, name in names.items() if name in bounds}
    missing = {key: reasons[name] for key, name in names.items() if name in reasons}
    return Totals(np.array(runs, dtype=np.float64), epsilon, missing, composition.is_known(releases))
