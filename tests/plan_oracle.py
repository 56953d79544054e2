"""Random plans of all kinds, and an oracle of what they cost: outcomes of neighbouring data, convolved.

Nothing here asks dpcore by how much one person moves a statistic, what a release is, or what releases cost together.
The shifts are written down from the definition of each statistic, outcomes are those of the noise's own density, and
losses are rounded down on a grid. So δ of the oracle is never above the exact one, and close to it.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
from scipy import fft, special

from dpcore import quantiles
from dpcore.checks import Array
from dpcore.clipping import lognormal
from dpcore.plan import (
    Candidate,
    Chooser,
    Count,
    Histogram,
    Largest,
    Mean,
    Own,
    Plan,
    Proportion,
    Quantile,
    Query,
    Series,
    Statistic,
    Sum,
    Table,
    UnknownGroups,
    query,
)
from dpcore.quantiles.distribution import sample_of
from tests.linear_factors import factors

ALPHA = 0.05
_GRID = 0.004  # of ε: how far all losses together are rounded down
_WIDE, _POINTS = 9.0, 3001
_LENGTH = 8  # of a series
KINDS = (
    "count",
    "sum",
    "mean",
    "hidden",
    "share",
    "histogram",
    "table",
    "own",
    "groups",
    "series",
    "largest",
    "quantile",
)


def random_queries(rng: np.random.Generator, delta: float) -> list[Query]:
    """Return two to five queries of random kinds, limits and wanted errors, some of them of disjoint people."""
    kinds = [str(kind) for kind in rng.choice(KINDS, rng.integers(2, 6))]
    if delta == 0:
        kinds = [kind for kind in kinds if kind != "groups"] or ["count"]
    return [random_query(rng, kind, delta, place) for place, kind in enumerate(kinds)]


def random_query(rng: np.random.Generator, kind: str, delta: float, place: int) -> Query:
    """Return a query of a kind; unknown groups have a share of δ for their threshold that leaves some to the others.

    Every other query that can have a limit in each of several periods has one, of two or three of them.
    """
    size, k, c = float(rng.uniform(3, 30)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    often: dict[str, Any] = {"name": f"{kind} {place}", "n_releases": int(rng.choice([1, 1, 1, 2, 3]))}
    group: dict[str, Any] = {"group": "ab"[int(rng.integers(2))]} if rng.random() < 0.3 else {}
    neighbours = "replace" if not group and rng.random() < 0.3 else "add_remove"
    cells, is_joint = int(rng.integers(8, 40)), bool(rng.integers(2))
    known: dict[str, Any] = often | group | {"neighbours": neighbours}
    n_periods = int(rng.choice([1, 1, 2, 3]))
    n_own = k * n_periods
    in_all: dict[str, Any] = {"records_per_person": k, "n_periods": n_periods}
    cap: dict[str, Any] = {} if n_periods == 1 else {"cap": float(rng.integers(1, 5)), "n_periods": n_periods}
    if kind == "count":
        return query(size * n_own, Count(**in_all), ALPHA, **known)
    if kind == "sum":
        low, high = float(rng.choice([-3.0, 0.0, 2.0])), float(rng.integers(4, 60))
        return query(size * high * n_own, Sum(low, high, **in_all), ALPHA, **known)
    if kind == "mean":
        return query(size * n_own * 9 / 700, Mean(1, 10, 700, **in_all), ALPHA, **known)
    if kind == "hidden":
        return query(size * n_own * 9 / 700, Mean(1, 10, 700, False, **in_all), ALPHA, **often | group)
    if kind == "share":
        return query(size * n_own / 500, Proportion(500, **in_all), ALPHA, **known)
    if kind == "histogram":
        most = cap.get("cap", 1) * n_periods
        return query(size * most, Histogram(cells, **cap, is_joint=is_joint), ALPHA, **known)
    if kind == "table":
        return query(size * c * k, Table(cells, k, c, **cap, is_joint=is_joint), ALPHA, **known)
    if kind == "own":
        return query(size * k, Own(k, float(np.sqrt(k))), ALPHA, **often)
    if kind == "groups":
        in_all = cap or ({"cap": int(rng.integers(1, k * c + 1))} if is_joint else {})
        statistic = UnknownGroups(k, c, delta / 60, **in_all)
        return query(c * k * (60 + size), statistic, ALPHA, **often)
    if kind == "series":
        published = str(rng.choice(["each", "running_totals", "window"]))
        window = 3 if published == "window" else None
        limit: dict[str, Any] = {"cap": cap["cap"], "cap_years": 2} if cap else {}
        return query(size * k * c * 2, Series(_LENGTH, k, c, published, window, **limit), ALPHA, **often)
    if kind == "largest":
        return query(size * c, Largest(6, c), ALPHA, **often, neighbours=neighbours)
    level = float(rng.choice([0.25, 0.5, 0.9]))
    values = Quantile(lognormal(np.log(30), 0.5, 400), level, 0, 120, 3, **in_all)
    return query(6 + size / 5, values, ALPHA, **often, neighbours=neighbours)


class Outcomes(NamedTuple):
    """The outcomes of one number with a person in the data: ln of the ratio to that without, and their probability."""

    loss: Array
    mass: Array


def n_periods_of(of: Statistic) -> int:
    """Return in how many periods a limit on one person holds, each by itself."""
    return int((of.cap_years if isinstance(of, Series) else getattr(of, "n_periods", None)) or 1)


def n_records_of(of: Count | Sum | Mean | Proportion | Quantile) -> int:
    """Return how many records a person has who has as many as are allowed in every period."""
    return sum(of.records_per_person for _ in range(of.n_periods))


def _shifts(asked: Query) -> list[float]:
    """Return by how much one person moves each number that gets noise of its own."""
    of, n_people = asked.statistic, 2 if asked.neighbours == "replace" else 1
    if isinstance(of, Count):
        return [float(n_records_of(of))]
    if isinstance(of, Sum):
        if n_people == 2 and n_records_of(of) == 1:
            return [of.high - of.low]
        one = max(of.high, 0) - min(of.low, 0) if n_people == 2 else max(abs(of.low), abs(of.high))
        return [one * n_records_of(of)]
    if isinstance(of, Mean | Proportion):
        width = of.high - of.low if isinstance(of, Mean) else 1.0
        n_own = n_records_of(of)
        return [n_own * width / of.n_records] if of.is_n_public else [n_own] * 2  # else a count and a centred sum
    if isinstance(of, Histogram):  # all records of a person in one cell
        return [sum(of.cap or 1.0 for _ in range(of.n_periods or 1))] * n_people
    if isinstance(of, Table):
        own = _amounts(of) if of.cap else [of.per_cell] * of.cells_per_person
        return own * n_people
    if isinstance(of, Series):
        return _fullest(of)
    assert isinstance(of, UnknownGroups)
    return max(_group_amounts(of), key=lambda own: (sum(own), math.hypot(*own)))


@cache
def _group_amounts(of: UnknownGroups) -> list[list[float]]:
    """Return what a person can add to the groups that she is in: all whole amounts within all limits."""
    records = sum(of.cap or math.inf for _ in range(of.n_periods or 1))
    tried = (
        own for k in range(of.groups_per_person) for own in combinations_with_replacement(range(of.per_group), k + 1)
    )
    lists = ([1.0 + amount for amount in own] for own in tried)
    return [own for own in lists if sum(own) <= records]


@cache
def _amounts(of: Table) -> list[float]:
    """Return what a person adds to the cells of a table who adds most, by trying all whole amounts in all periods."""
    assert of.cap is not None
    places = list(product(range(1, int(of.per_cell) + 1), range(of.n_periods or 1)))
    tried = list[list[float]]()
    for k in range(1, of.cells_per_person + 1):
        for cells in product(places, repeat=k):
            in_period = Counter[int]()
            for amount, period in cells:
                in_period[period] += amount
            if max(in_period.values()) <= of.cap:
                tried.append([float(amount) for amount, _ in cells])
    return max(tried, key=lambda own: (sum(own), math.hypot(*own)))


@cache
def _people(of: Series) -> Array:
    """Return what a person can add to each period of a series, in rows: all whole amounts within all limits."""
    own = np.array(list(product(range(int(of.per_period) + 1), repeat=of.n_periods)), np.float64)
    own = own[np.count_nonzero(own, axis=1) <= of.contributions]
    if of.cap is None:
        return own
    years = own.reshape(len(own), of.cap_years or 1, -1).sum(axis=2)
    return own[(years <= of.cap).all(axis=1)]


def _fullest(of: Series) -> list[float]:
    """Return the amounts of a person who adds most to a series where each period gets noise of its own."""
    own = max(_people(of).tolist(), key=sum)
    return [amount for amount in own if amount]


def _norm(asked: Query, family: str) -> float:
    """Return the ℓ₂ norm of what one person moves, of a series the largest of all that a person can add."""
    of = asked.statistic
    if isinstance(of, Own):
        return float(of.l2_sensitivity or of.l1_sensitivity)
    if isinstance(of, Series) and family == "gaussian":
        errors = of.strategy_errors("gaussian", asked.neighbours)
        branching, bands, publication, aim = errors.options
        rows, _ = factors(errors.workload, errors.strategy, branching, bands, publication, aim)
        return float(np.linalg.norm(rows @ _people(of).T, axis=0).max())
    return float(np.linalg.norm(_shifts(asked)))


def _moved(family: str, scale: float, shift: float) -> Outcomes:
    """Return the outcomes of a number with noise that is moved by `shift`."""
    if family == "gaussian":
        x = scale * np.linspace(-_WIDE, _WIDE, _POINTS)
        mass = np.diff(np.append(0.0, special.ndtr(x / scale)))
        return Outcomes((shift * shift - 2 * shift * x) / (2 * scale * scale), mass)  # at the right ends: the least
    if family == "laplace":
        x = np.append(np.linspace(0, shift, _POINTS), np.inf)
        mass = np.diff(np.append(0.0, 1 - np.exp(-x / scale) / 2))
        return Outcomes(np.clip((shift - 2 * x) / scale, -shift / scale, shift / scale), mass)
    k = np.arange(-int(60 * scale) - 20, int(60 * scale) + 21)
    energy = abs(k) / scale if family == "geometric" else k * k / (2 * scale * scale)
    moved = abs(k - shift) / scale if family == "geometric" else (k - shift) ** 2 / (2 * scale * scale)
    mass = np.exp(-energy)
    is_seen = mass > 1e-30
    return Outcomes((moved - energy)[is_seen], mass[is_seen] / mass.sum())


def _chosen(asked: Query, noise: Chooser) -> Outcomes:
    """Return the outcomes of a choice on data that differ in one person."""
    of, epsilon, is_replace = asked.statistic, noise.epsilon, asked.neighbours == "replace"
    if isinstance(of, Quantile):  # each record of a person moves every score, so each has its part of ε
        values, n_own = sample_of(of.values).sorted, n_records_of(of)
        other = np.append(values[n_own:], [values[-1]] * n_own) if is_replace else values[n_own:]
        known = of.quantile, epsilon / n_own, quantiles.Grid(of.candidates, noise.family), asked.neighbours
        both = (quantiles.released_distribution(data, *known).probabilities for data in (values, other))
        first, second = both
        is_seen = (first > 1e-30) & (second > 0)
        return Outcomes(np.log(first[is_seen] / second[is_seen]), first[is_seen])
    assert isinstance(of, Largest)
    ratio = np.exp(-epsilon)  # of the weights of two equal counts after a person has left one, or moved from it
    if noise.family == "permute_and_flip":
        first, second = np.array([0.5, 0.5]), np.array([1 - ratio / 2, ratio / 2])
    else:
        rates = np.exp([epsilon / 2, -epsilon / 2]) if is_replace else np.array([1.0, ratio])
        first, second = np.array([0.5, 0.5]), rates / rates.sum()
    return Outcomes(np.log(first / second), first)


def outcomes(asked: Query, noise: Candidate | Chooser) -> list[tuple[Outcomes, int]]:
    """Return the outcomes of all numbers of a query, each with how often there are such."""
    if isinstance(noise, Chooser):
        return [(_chosen(asked, noise), asked.n_releases)]
    if noise.family == "gaussian":
        return [(_moved("gaussian", noise.scale, _norm(asked, "gaussian")), asked.n_releases)]
    shifts = [float(asked.statistic.l1_sensitivity)] if isinstance(asked.statistic, Own) else _shifts(asked)
    return [(_moved(noise.family, noise.scale, shift), asked.n_releases) for shift in shifts]


def least_delta(plan: Plan, epsilon: float) -> float:
    """Return a δ that the exact one of a plan at ε is not below: of the worst list that one person can be in."""
    pairs = list(zip(plan.queries, plan.noises, strict=True))
    names = sorted({asked.group for asked, _ in pairs if asked.group})
    choices = product(*([pair for pair in pairs if pair[0].group == name] for name in names))
    always = [pair for pair in pairs if not pair[0].group]
    return max(_delta([*always, *chosen], epsilon) for chosen in choices)


def _delta(pairs: Sequence[tuple[Query, Candidate | Chooser]], epsilon: float) -> float:
    """Return δ of queries; in unknown groups a person is among others, or alone in all of them."""
    rest = [pair for pair in pairs if not isinstance(pair[0].statistic, UnknownGroups)]
    hidden = 1.0  # the probability that no group of a person alone appears
    for asked, noise in pairs:
        if isinstance(asked.statistic, UnknownGroups):
            limit = float(asked.statistic.threshold(noise.family, noise.scale).threshold)
            hidden *= min(_hidden(noise, limit, own) for own in _group_amounts(asked.statistic)) ** asked.n_releases
    among = _delta_of([part for pair in pairs for part in outcomes(*pair)], epsilon)
    if len(rest) == len(pairs):
        return among
    others = _delta_of([part for pair in rest for part in outcomes(*pair)], epsilon - np.log(hidden)) if rest else 0.0
    return max(among, 1 - hidden + hidden * others)


def _hidden(noise: Candidate | Chooser, limit: float, amounts: Sequence[float]) -> float:
    """Return how often no group of a person appears who is alone in groups of these amounts."""
    below = (limit - np.array(amounts)) / noise.scale
    return float(np.prod(special.ndtr(below) if noise.family == "gaussian" else 1 - np.exp(-below) / 2))


def _delta_of(parts: Sequence[tuple[Outcomes, int]], epsilon: float) -> float:
    """Return E max(1 − e^(ε − L), 0) of the sum L of losses, each rounded down to a multiple of a step."""
    step = _GRID * max(epsilon, 1e-3) / sum(count for _, count in parts)
    masses, first = list[tuple[Array, int]](), 0
    for (loss, mass), count in parts:
        place = np.floor(loss / step + 1e-9).astype(np.int64)
        masses.append((np.asarray(np.bincount(place - place.min(), mass), np.float64), count))
        first += int(place.min()) * count
    size = sum((mass.size - 1) * count for mass, count in masses) + 1
    length = fft.next_fast_len(size, real=True)
    spectrum = np.prod([np.fft.rfft(mass, length) ** count for mass, count in masses], axis=0)
    total = np.maximum(np.fft.irfft(spectrum, length)[:size], 0.0)
    losses = step * (first + np.arange(size))
    return float(total @ np.maximum(-np.expm1(np.minimum(epsilon - losses, 0.0)), 0.0))


def largest_loss(plan: Plan) -> float:
    """Return the largest loss that a person can have of pure noise: the least ε of a plan without δ."""
    pairs = list(zip(plan.queries, plan.noises, strict=True))
    sums = {
        asked.name: sum(float(part.loss.max()) * count for part, count in outcomes(asked, noise))
        for asked, noise in pairs
    }
    names = {asked.group for asked, _ in pairs if asked.group}
    grouped = sum(max(sums[asked.name] for asked, _ in pairs if asked.group == name) for name in names)
    return grouped + sum(sums[asked.name] for asked, _ in pairs if not asked.group)
