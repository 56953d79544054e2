"""One query of a plan: how far its answer may differ between neighbours, which error is wanted, what is fixed."""

from dataclasses import asdict, dataclass, replace
from types import MappingProxyType

import numpy as np

from dpcore.accuracy import ACCURACY_RANGE, each_significance
from dpcore.checks import (
    CELLS_RANGE,
    DELTA_RANGE,
    POSITIVE_EPSILON_RANGE,
    RECORDS_RANGE,
    SENSITIVITY_RANGE,
    SIGNIFICANCE_RANGE,
    DomainError,
    interval_bounds,
    leave_out,
    option,
    or_default,
    refuse,
    scalar,
    scalar_integer,
)
from dpcore.composition import COUNT_RANGE
from dpcore.families import FAMILIES
from dpcore.rounding import round_down
from dpcore.sensitivity import QUERY_ARGUMENTS, Sensitivity, query_sensitivity, table_sensitivity

MECHANISMS = tuple(sorted((key for key in FAMILIES if FAMILIES[key].is_planned), key=lambda key: FAMILIES[key].whole))
"""The families of noise of a plan: those on the real numbers, then those on the whole numbers."""
PURE_MECHANISMS = tuple(key for key in MECHANISMS if FAMILIES[key].pure)
WHOLE_MECHANISMS = tuple(key for key in MECHANISMS if FAMILIES[key].whole)
_SCALE_RANGE = "[1e-100, 1e100]"
_TABLE_ARGUMENTS = ("n_cells", "cells_per_person", "per_cell", "cap", "n_periods", "is_joint")
KIND_ARGUMENTS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        **QUERY_ARGUMENTS,
        "mean": (*QUERY_ARGUMENTS["mean"], "is_n_public"),
        "proportion": (*QUERY_ARGUMENTS["proportion"], "is_n_public"),
        "histogram": tuple(name for name in _TABLE_ARGUMENTS if name not in ("cells_per_person", "per_cell")),
        "table": _TABLE_ARGUMENTS,
        "own": ("l1_sensitivity", "l2_sensitivity", "n_cells", "is_joint"),
    }
)
"""The arguments of `query` that belong to each kind, beside those of all; others are refused."""
KINDS = tuple(KIND_ARGUMENTS)


@dataclass(frozen=True)
class Query:
    """A query of a plan; `query` makes it.

    Attributes
    ----------
    name : for messages and tables.
    kind : one of `KINDS`.
    half_width : the wanted half-width of the error, in query units; not used where `epsilon` or `scale` is fixed.
    significance : α of one number: a share 1 − α of releases has an error within ±`half_width`. Where it holds for
        several numbers at once, it is the α of each of them.
    l1, l2 : Δ₁ and Δ₂ of all numbers of the query, in the unit of the noise.
    n_moved, largest : how many numbers one person moves, each by at most so much; `n_moved` is 0 where only Δ₁ and Δ₂
        are known.
    whole : whether the answers are whole numbers, so that noise on the whole numbers may be used.
    width, n_records : of a mean whose number of records is not public: the width of the range of a value, and the
        number of records; else 0.
    group : the name of a set of queries of which each person is in one only; empty for none.
    mechanism : one of `MECHANISMS` where it is fixed, else empty.
    epsilon, scale : fixed, or 0.
    n_releases : how often the query is released, with fresh noise; the error is that of each time.
    """

    name: str
    kind: str
    half_width: float
    significance: float
    l1: float
    l2: float
    n_moved: int
    largest: float
    whole: bool
    width: float = 0.0
    n_records: float = 0.0
    group: str = ""
    mechanism: str = ""
    epsilon: float = 0.0
    scale: float = 0.0
    n_releases: int = 1

    @property
    def is_fixed(self) -> bool:
        """Whether the noise does not follow from the wanted error."""
        return self.epsilon > 0 or self.scale > 0

    def noise_half_width(self, factor: float = 1.0) -> float:
        """Return the half-width that the noise may have where the wanted error is `factor` times as large.

        It is the wanted half-width a itself, or for a mean of n records whose number is not public h = an/(w + a): both
        the count and the sum of (value − middle)/(w/2) get noise of half-width h, and with |mean − middle| ≤ w/2 the
        quotient is off by at most (h w/2 + h w/2)/(n − h) = a.

        Examples
        --------
        >>> f"{query(0.1, kind='mean', high=10, n_records=1000, is_n_public=False).noise_half_width():.4f}"
        '9.9010'
        """
        target = self.half_width * factor
        return round_down(target * self.n_records / (self.width + target), 4) if self.width else target

    def half_width_of(self, noise_half_width: float) -> float:
        """Return the half-width of the query's error where its noise has this half-width: the inverse.

        It is infinite for a mean whose noisy count may be 0.
        """
        if not self.width:
            return noise_half_width
        left = self.n_records - noise_half_width
        return noise_half_width * self.width / left * (1 + 1e-15) if left > 0 else float("inf")


def query(
    half_width: float | None = None,
    significance: float = 0.05,
    kind: str = "count",
    *,
    name: str = "",
    neighbours: str | None = None,
    low: float | None = None,
    high: float | None = None,
    n_records: int | None = None,
    is_n_public: bool | None = None,
    n_cells: int | None = None,
    cells_per_person: int | None = None,
    per_cell: float | None = None,
    cap: float | None = None,
    n_periods: int | None = None,
    is_joint: bool | None = None,
    whole: bool | None = None,
    l1_sensitivity: float | None = None,
    l2_sensitivity: float | None = None,
    group: str = "",
    mechanism: str | None = None,
    epsilon: float | None = None,
    scale: float | None = None,
    n_releases: int = 1,
) -> Query:
    """Return a query of a plan.

    Parameters
    ----------
    half_width : a in [1e-100, 1e100], in query units: a share 1 − α of releases is to have an error within ±a. 1 by
        default; left out where `epsilon` or `scale` is fixed, since the error follows from it.
    significance : α in [1e-300, 1).
    kind : "count", "sum" or "mean" of values in [low, high], "proportion", "histogram" (a person is in one cell, or
        with `cap` adds up to so many records to any cells), "table" (a person is in up to `cells_per_person` cells, by
        at most `per_cell` in each and `cap` in all), or "own" with `l1_sensitivity` and `l2_sensitivity`. Each has the
        arguments of `KIND_ARGUMENTS`.
    name : for messages; the kind if it is left out.
    neighbours : "add_remove", by default, or "replace"; "own" has it in its sensitivities, and leaves it out unless it
        has a group.
    low, high : of a sum and a mean, as in `dpcore.sensitivity.query_sensitivity`; 0 and 1 by default.
    n_records : of a mean and a proportion: their number, or a lower bound of it, a whole number in [1, 1e12], 1 by
        default.
    is_n_public : of these: whether that number is public, as by default. If it is not, the noisy sum is divided by a
        noisy count, both of which are released; neighbours must then be "add_remove".
    n_cells : of a histogram and a table: their number of cells, if it is known; of these and of "own" where `is_joint`.
    cells_per_person, per_cell : of a table, as in `dpcore.sensitivity.table_sensitivity`; 1 by default.
    cap, n_periods : of a table and a histogram, as there.
    is_joint : of a histogram, a table and "own": whether ±a holds for all cells at once, instead of for each alone.
    whole : whether the answers are whole numbers; by default those of counts, histograms and tables are if what a
        person adds is, and others are not. Only a query whose sensitivity is a whole number can be whole, and no mean.
    l1_sensitivity, l2_sensitivity : Δ₁ and Δ₂ of "own", in [1e-100, 1e100], Δ₂ at most Δ₁ and equal to it by default;
        Δ₁ is 1 by default.
    group : queries of the same group are of disjoint sets of people (parallel composition); only under "add_remove".
    mechanism : one of `MECHANISMS` to fix it, None to have it chosen.
    epsilon : fixes the ε of a query in [1e-12, 1e6], which then has Laplace or geometric noise, whatever the error.
    scale : fixes the scale of its noise in [1e-100, 1e100], in query units; `mechanism` must be given.
    n_releases : how often it is released with fresh noise, such as 12 for every month of a year, in [1, 1e6].

    Raises
    ------
    ValueError
        where an argument lies outside its range or does not belong to the kind, and where fixed values contradict each
        other.

    Examples
    --------
    >>> ages = query(20, kind="table", name="age by sex", n_cells=36, cells_per_person=1, is_joint=True)
    >>> print(f"{ages.l1:.0f}, {ages.significance:.6f}, {ages.whole}")
    1, 0.001424, True
    """
    option("kind", kind, KINDS)
    own = _Arguments(
        *(low, high, n_records, is_n_public, n_cells, cells_per_person, per_cell, cap, n_periods, is_joint),
        *(l1_sensitivity, l2_sensitivity),
    )
    leave_out(
        f"kind {kind}", **{name: value for name, value in asdict(own).items() if name not in KIND_ARGUMENTS[kind]}
    )
    if kind == "own" and not group:
        leave_out("kind own without group", neighbours=neighbours)
    neighbours = or_default(neighbours, "add_remove")
    if n_cells is not None:
        scalar_integer("n_cells", n_cells, CELLS_RANGE)
    fixed_by = next((name for name, value in (("epsilon", epsilon), ("scale", scale)) if value is not None), "")
    leave_out(f"a query with {fixed_by}", half_width=half_width if fixed_by else None)
    target = scalar("half_width", or_default(half_width, 1.0), ACCURACY_RANGE)
    alpha = scalar("significance", significance, SIGNIFICANCE_RANGE)
    moved = _own_sensitivity(own) if kind == "own" else _sensitivity(kind, neighbours, own)
    if whole and not moved.can_be_whole:
        raise DomainError("whole", "where what a person adds may have fractions", True, "False")
    is_whole = moved.can_be_whole and (kind in ("count", "histogram", "table") if whole is None else whole)
    if group:
        option("neighbours of a group", neighbours, ("add_remove",))
    fixed = *_fixed(mechanism, epsilon, scale, is_whole), scalar_integer("n_releases", n_releases, COUNT_RANGE)
    alpha = max(float(each_significance(alpha, moved.n_numbers)), 1e-300)
    norms = moved.l1, moved.l2, moved.n_moved, moved.largest, is_whole, moved.width, moved.n_records
    return Query(name or kind, kind, target, alpha, *norms, group, *fixed)


@dataclass(frozen=True)
class _Arguments:
    """The arguments of a query that not every kind has; None where they are left out."""

    low: float | None
    high: float | None
    n_records: int | None
    is_n_public: bool | None
    n_cells: int | None
    cells_per_person: int | None
    per_cell: float | None
    cap: float | None
    n_periods: int | None
    is_joint: bool | None
    l1_sensitivity: float | None
    l2_sensitivity: float | None

    def joint_numbers(self) -> int:
        """Return how many numbers have their error together."""
        if self.is_joint and self.n_cells is None:
            raise DomainError("n_cells", f"{CELLS_RANGE} for a joint error", None)
        return int(or_default(self.n_cells, 1)) if self.is_joint else 1


@dataclass(frozen=True)
class _Moved:
    """By how much one person moves a query: `n_numbers` have their error together; see `Query` for the others."""

    l1: float
    l2: float
    n_moved: int
    largest: float
    can_be_whole: bool
    n_numbers: int = 1
    width: float = 0.0
    n_records: float = 0.0


def _own_sensitivity(own: _Arguments) -> _Moved:
    leave_out("kind own without is_joint", n_cells=None if own.is_joint else own.n_cells)
    l1 = scalar("l1_sensitivity", or_default(own.l1_sensitivity, 1.0), SENSITIVITY_RANGE)
    l2 = scalar("l2_sensitivity", or_default(own.l2_sensitivity, l1), SENSITIVITY_RANGE)
    refuse("l2_sensitivity", np.asarray(l2), np.asarray(l2 > l1), "[1e-100, l1_sensitivity]")
    return _Moved(l1, l2, int(l1 == l2), l1, l1 == int(l1) and l1 == l2, own.joint_numbers())


def _sensitivity(kind: str, neighbours: str, own: _Arguments) -> _Moved:
    """Return by how much one person moves a query that is not "own"."""
    if kind in ("histogram", "table"):
        anywhere = kind == "histogram" and own.cap is not None  # up to so many records, in any cells
        sensitivity = table_sensitivity(
            or_default(own.n_cells, interval_bounds(CELLS_RANGE)[1])
            if anywhere
            else or_default(own.cells_per_person, 1),
            or_default(own.cap if anywhere else own.per_cell, 1.0),
            neighbours,
            n_cells=own.n_cells,
            cap=own.cap,
            n_periods=or_default(own.n_periods, 1),
        )
        return _moved_by(sensitivity, own.joint_numbers())
    if own.is_n_public is False:
        option("neighbours", neighbours, ("add_remove",))
        records = scalar_integer("n_records", or_default(own.n_records, 1), RECORDS_RANGE)
        width = float(query_sensitivity("sum", "replace", own.low, own.high).l1)
        # The released sum, of (value − middle) ÷ half the width, is no whole number.
        return replace(_moved_by(table_sensitivity(2, 1.0), 2), can_be_whole=False, width=width, n_records=records)
    return _moved_by(query_sensitivity(kind, neighbours, own.low, own.high, own.n_records))


def _moved_by(sensitivity: Sensitivity, n_numbers: int = 1) -> _Moved:
    """Return the same of a sensitivity; where numbers differ unevenly, under a cap, only its norms are used."""
    n_moved = int(sensitivity.n_moved) if sensitivity.equal else 0
    norms = float(sensitivity.l1), float(sensitivity.l2), n_moved, float(sensitivity.largest)
    return _Moved(*norms, bool(sensitivity.whole), n_numbers)


def _fixed(
    mechanism: str | None, epsilon: float | None, scale: float | None, is_whole: bool
) -> tuple[str, float, float]:
    """Return what of the noise is fixed, checked: the mechanism or an empty text, ε or 0, and the scale or 0."""
    allowed = MECHANISMS if is_whole else tuple(key for key in MECHANISMS if key not in WHOLE_MECHANISMS)
    if epsilon is not None:
        allowed = tuple(key for key in allowed if key in PURE_MECHANISMS)
        leave_out("a query with epsilon", scale=scale)
    if mechanism is not None:
        option("mechanism", mechanism, allowed)
    elif scale is not None:
        raise DomainError("mechanism", f"{', '.join(allowed)} where scale is fixed", None)
    return (
        mechanism or "",
        0.0 if epsilon is None else scalar("epsilon", epsilon, POSITIVE_EPSILON_RANGE),
        0.0 if scale is None else scalar("scale", scale, _SCALE_RANGE),
    )


def plan_delta(delta: float) -> float:
    """Return the δ of a plan, checked: 0 for a guarantee of pure ε-DP, or in [1e-300, 1)."""
    least, _ = interval_bounds(DELTA_RANGE)
    value = scalar("delta", delta, "[0, 1)")
    refuse("delta", np.asarray(value), np.asarray(0 < value < least), f"0 or {DELTA_RANGE}")
    return value
