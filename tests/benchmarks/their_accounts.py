"""The accountants of dp-accounting for a list of releases, and the size of their upward rounding."""

import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from dp_accounting import DpEvent, GaussianDpEvent, LaplaceDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import RdpAccountant

from dpcore import composition
from dpcore.composition import Release

LONGEST = 20  # seconds of processor that dp-accounting may take
CELLS, TOTAL_CELLS = 1e5, 4e5  # of the losses of one release, and of all


@dataclass(frozen=True)
class Question:
    """A list of releases and a δ."""

    releases: tuple[Release, ...]
    delta: float

    def __str__(self) -> str:
        lines = [f"{release.kind}_release{(*release.numbers, release.count)}" for release in self.releases]
        return f"[{', '.join(lines)}], {self.delta!r}"


class TooLongError(Exception):
    """dp-accounting exceeded its time limit."""


RAISED = TooLongError, ValueError, ArithmeticError, LookupError, MemoryError


def few_digits(value: float) -> float:
    return float(f"{value:.3g}")


def interval(question: Question) -> float:
    """Return the width of dp-accounting's cells: 1e-4, or more for large losses."""
    single = max(loss_reach(release) for release in question.releases)
    total = float(composition.rdp_epsilon(question.releases, question.delta).value)
    return few_digits(max(1e-4, 2 * single / CELLS, 3 * total / TOTAL_CELLS))


def loss_reach(release: Release) -> float:
    """Return approximately the largest loss of one release."""
    first = release.numbers[0]
    return 9 / first + 0.5 / first**2 if release.kind in ("gaussian", "sampled") else first


def their_distribution(release: Release, width: float) -> pld.PrivacyLossDistribution:
    """Return dp-accounting's loss distribution of one release."""
    first, *more = release.numbers
    if release.kind == "guarantee":
        parameters = common.DifferentialPrivacyParameters(first, more[0])
        return pld.from_privacy_parameters(parameters, value_discretization_interval=width)
    if release.kind == "laplace":
        return pld.from_laplace_mechanism(1 / first, value_discretization_interval=width)
    rate = more[0] if more else 1.0
    return pld.from_gaussian_mechanism(first, value_discretization_interval=width, sampling_prob=rate)


def their_pld(question: Question, width: float) -> float:
    """Return dp-accounting's pessimistic ε."""
    total = pld.identity(value_discretization_interval=width)
    for release in question.releases:
        alone = their_distribution(release, width)
        total = total.compose(alone.self_compose(release.count) if release.count > 1 else alone)
    return float(total.get_epsilon_for_delta(question.delta))


def their_rdp(question: Question) -> float:
    """Return dp-accounting's ε by RDP; NaN if it has no RDP of a line."""
    accountant = RdpAccountant()
    for release in question.releases:
        if release.kind == "guarantee":
            return math.nan
        accountant.compose(SelfComposedDpEvent(event(release), release.count))
    return float(accountant.get_epsilon(question.delta))


def event(release: Release) -> DpEvent:
    """Return a release as an event of dp-accounting."""
    first, *rate = release.numbers
    if release.kind == "laplace":
        return LaplaceDpEvent(1 / first)
    return PoissonSampledDpEvent(rate[0], GaussianDpEvent(first)) if rate else GaussianDpEvent(first)


def rounded_up(question: Question, width: float) -> tuple[float, float]:
    """Return the possible excess of dp-accounting's ε: a proved bound, and twice an estimate."""
    guarantees = sum(release.count for release in question.releases if release.kind == "guarantee")
    others = sum(release.count for release in question.releases) - guarantees
    order = float(composition.rdp_epsilon(question.releases, question.delta).order)
    return (guarantees + others) * width, guarantees * width + 2 * others * width**2 / 8 * order


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise TooLongError after a number of processor seconds."""

    def stop(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def at_finer_cells(question: Question) -> float:
    """Return dp-accounting's pessimistic ε with cells of a tenth of the width; ∞ if it has none."""
    try:
        with at_most(LONGEST), np.errstate(all="ignore"):
            return their_pld(question, interval(question) / 10)
    except RAISED:
        return math.inf
