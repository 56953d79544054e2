"""What the list costs by every accountant over the number of its runs."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore.checks import Array
from pages.composition import accounts
from pages.composition.accountant_rules import RULES, missing
from pages.composition.accounts import Releases
from pages.composition.found import Found
from pages.composition.parameters import MOST_RUNS

NAMES = {
    "basic": "Adding up releases",
    "drv": "Dwork–Rothblum–Vadhan",
    "kov": "Kairouz–Oh–Viswanath",
    "kov_optimal": "KOV, optimal",
    "zcdp_standard": "zCDP, standard",
    "zcdp": "zCDP, tight",
    "rdp_standard": "RDP, standard",
    "rdp": "RDP, tight",
    "clt": "Central limit (CLT)",
    "exact": "Exact",
}
_STEPS, _FEW_STEPS = (1, 1.6, 2.5, 4, 6.3), (1, 3)  # few of a list that takes up to .1 s at each number of runs


@dataclass(frozen=True, eq=False)
class Totals:
    """ε at each number of runs by each accountant, inf where it has none; `missing` says why one can't take the list.

    `known` is whether "exact" is the exact ε, which is right to about nine digits or, where that can't be had,
    above it by at most .2 %, NaN where many numbers of runs would take long; else it is the least that is proved.
    """

    runs: Array
    epsilon: dict[str, Array]
    missing: dict[str, str]
    known: bool

    def ratio(self, key: str) -> Array:
        """ε by an accountant over the exact one; inf where it has none, NaN where the exact one is 0 or has none."""
        exact = self.epsilon["exact"]
        usable = (exact > 0) & np.isfinite(exact)
        return np.where(usable, self.epsilon[key] / np.where(usable, exact, 1), np.nan)

    def at(self, key: str) -> float:
        """ε at the first number of runs."""
        return float(self.epsilon[key][0])


def along(found: Found) -> Totals:
    """The totals over the numbers of runs that are drawn."""
    return totals(found.once, found.setting.delta, drawn_runs(found.once, last_decade(found)))


def here(found: Found) -> Totals:
    """The totals at the page's number of runs."""
    return totals(found.once, found.setting.delta, (int(found.setting.runs),))


def last_decade(found: Found) -> int:
    """The power of ten at which the axis of runs ends."""
    runs = [found.setting.runs, *([found.pinned.setting.runs] if found.pinned else [])]
    return 4 if max(runs) <= 1e4 else 6


@lru_cache(64)
def drawn_runs(releases: Releases, decade: int) -> tuple[int, ...]:
    """Numbers of runs up to a power of ten, as far as no line is released too often."""
    most = min(10**decade, MOST_RUNS // max(each.count for each in releases))
    between = _STEPS if accounts.is_smooth(releases) else _FEW_STEPS
    steps = {round(10**power * step) for power in range(decade) for step in between}
    return tuple(sorted({each for each in (*steps, most) if each <= most}))


@lru_cache(256)
def totals(releases: Releases, delta: float, runs: tuple[int, ...]) -> Totals:
    """What a list costs at δ, for each number of runs."""
    times, why = np.array(runs, dtype=np.float64), missing(releases)
    epsilon = {key: rule(releases, delta, times) for key, rule in RULES.items() if key not in why}
    least = np.min([values for key, values in epsilon.items() if key != "clt"], axis=0)
    known = accounts.is_known(releases)
    epsilon["exact"] = np.minimum(_exact(releases, delta, runs), least) if known else least
    return Totals(times, epsilon, why, known)


def _exact(releases: Releases, delta: float, runs: tuple[int, ...]) -> Array:
    """Of one line of promises in closed form; of others as in the section on the list for one number of runs."""
    if len(releases) == 1 and releases[0].kind == "promise":
        return RULES["kov_optimal"](releases, delta, np.array(runs, dtype=np.float64))
    if len(runs) == 1:
        return np.array([accounts.exact(accounts.repeated(releases, runs[0]), delta)])
    lists = [accounts.repeated(releases, each) for each in runs]
    if accounts.converges(lists[len(lists) // 2], delta):
        return np.array([accounts.soon_exact(each, delta) for each in lists])
    return np.array([np.nan if accounts.is_long(each) else accounts.certified(each, delta)[0] for each in lists])
