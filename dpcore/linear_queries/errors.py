"""The error of each published number, as a multiple of the noise at sensitivity 1: R, L, and what one person moves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from dpcore.checks import Array, integer, leave_out, option, or_default, refuse, scalar, scalar_integer
from dpcore.families import FAMILIES
from dpcore.linear_queries.optimum import optimum
from dpcore.linear_queries.strategies import (
    CLOSED_FORMS,
    ROOTS,
    Options,
    Persons,
    Strategy,
    closed_form,
    largest_change,
    root_of,
    triangular,
)
from dpcore.linear_queries.trees import fewest_nodes, tree_weights
from dpcore.linear_queries.workloads import PERIODS_RANGE, Workload, known_workload

STRATEGIES = (*CLOSED_FORMS, "optimum", "best")
PUBLICATIONS = ("once", "as_it_goes")
NOISES = ("gaussian", "laplace", "discrete_gaussian", "geometric")
NORMS = {key: 1 if FAMILIES[key].pure else 2 for key in NOISES}
WHOLE_NOISES = tuple(key for key in NOISES if FAMILIES[key].whole)
WHOLE_STRATEGIES = ("per_period", "per_number", "tree", "binary_tree", "best")  # those with R of zeros and ones
_OWN_ARGUMENTS = {"branching": ("tree", "best"), "bands": ("banded",), "aim": ("optimum",)}
_WHOLE_AMOUNT_RANGE = "[1, 1e9]"
_AMOUNT_RANGE = "[1e-100, 1e100]"  # what a person adds to one cell, or to all
_BRANCHING_RANGE = "[2, 1000]"


@dataclass(frozen=True, eq=False)
class Errors:
    """The errors of published numbers, as multiples of the standard deviation of the noise at sensitivity 1.

    Attributes
    ----------
    strategy : which one; of "best" the one that was found.
    sensitivity : max ‖Rx‖ of one person, in the norm of the noise, rounded up; at least that.
    is_exact : whether a person reaches the sensitivity; if not, the errors are upper bounds too.
    each : of each published number, sensitivity · ‖L_i‖₂.
    largest, root_mean_square : of all published numbers.
    noise : of the four of `error`.
    workload, options, persons : what was asked, for half-widths, draws and other persons.
    sizes : the sensitivities that are known of other numbers of periods.
    """

    strategy: str
    sensitivity: float
    is_exact: bool
    each: Array
    largest: float
    root_mean_square: float
    noise: str
    workload: Workload
    options: Options
    persons: Persons
    sizes: dict[int, float] = field(default_factory=dict, repr=False)

    @property
    def asked(self) -> tuple[Workload, str, Options]:
        """The arguments of L and R, the same where options differ that the strategy does not use."""
        return self.workload, self.strategy, _used(self.strategy, self.options)

    def sensitivity_of(self, contributions: int) -> float:
        """Return the sensitivity of the same strategy for persons in another number of periods, computed once."""
        if contributions not in self.sizes:
            strategy = _strategy(*self.asked)
            persons = self.persons._replace(contributions=contributions)
            self.sizes[contributions] = largest_change(strategy, persons, NORMS[self.noise]).size
        return self.sizes[contributions]


def error(
    workload: str | ArrayLike,
    strategy: str,
    n: int,
    contributions: int = 1,
    *,
    per_cell: float = 1.0,
    total: float | None = None,
    neighbours: str = "add_remove",
    noise: str = "gaussian",
    window: int | None = None,
    branching: int | None = None,
    bands: int | None = None,
    publication: str = "once",
    aim: str | None = None,
) -> Errors:
    """max ‖Rx‖ · ‖L_i‖₂ with LR = W: the error of each number i when the sums R receive the noise ([LM15]).

    A number's standard deviation is this multiple of the standard deviation of one number's noise at sensitivity 1:
    σ₁ = `gaussian.analytic_sigma(epsilon, delta)`, or √2/ε of Laplace noise. ε and δ are those of a person for the
    whole series, however long it is.

    Parameters
    ----------
    workload : "each", "running_totals", "window" (the last w), "ranges" (all sums of neighbouring cells),
        "year_to_date" (running totals that begin again every w periods), "cumulated_distribution", or an own matrix of
        zeros and ones with n columns.
    strategy : "per_period", "per_number", "tree" (b-ary, whole subtrees only, least squares), "binary_tree"
        (plain, [CSS11]), "square_root" ([FHU23]),
        "normalized_square_root" ([HKU25]), "banded" (the square root's first diagonals); "best": that with the least
        `largest` of these; or "optimum": the numerical optimum of one contribution, for n up to 64.
    n : T, the number of periods or cells, in [1, 1000].
    contributions : k, in how many periods a person may be, in [1, 1000]; n counts if it is less.
    per_cell : c, how much a person may add to one cell, in [1e-100, 1e100].
    total : N, how much a person may add to all cells, in [1e-100, 1e100]; None for k·c.
    neighbours : "add_remove" a person, or "replace" one by another.
    noise : "gaussian" or "discrete_gaussian", with sensitivities in ℓ₂ norm; "laplace" or "geometric", in ℓ₁ norm.
        Noise in whole numbers is for whole counts and amounts, and for sums of cells: "per_period", "per_number",
        trees, and "best" of these. Its standard deviation is not quite proportional to the sensitivity, so that these
        multiples are approximate; half-widths are not.
    window : w in [1, 1000], of "window" and "year_to_date" alone; 12 by default.
    branching : b in [2, 1000], of "tree" and "best" alone; 2 by default.
    bands : how many diagonals, in [1, 1000], of "banded" alone; 8 by default.
    publication : "once" at the end, or "as_it_goes", each number with its last period, never to change. It matters to
        "tree" alone, whose numbers then have no nodes that end later. With Gaussian noise a triangular R with the same
        RᵀR has the errors of "once" as it goes: so has the optimum, and so its price is 0 there.
    aim : "largest" or "root_mean_square", of "optimum" alone; "largest" by default.

    Returns
    -------
    Errors
        In the unit of `per_cell`. The sensitivity is exact for one contribution under "add_remove", and for more with
        "per_period", trees, and the square roots of running totals; else `is_exact` says it. An upper bound that is
        not exact is on the safe side: more noise than is needed.

    Raises
    ------
    ValueError
        `n must be in [1, 1000], got 0`; so for each argument outside its range, and for one that the workload or the
        strategy does not use.

    Examples
    --------
    >>> adding_up = error("running_totals", "per_period", 36)
    >>> round(adding_up.largest, 6), round(adding_up.root_mean_square, 3)
    (6.0, 4.301)
    >>> round(error("running_totals", "square_root", 36).largest, 6)
    2.204741
    >>> error("running_totals", "best", 36, contributions=18).strategy
    'per_period'
    """
    numbers = known_workload(workload, n, window)
    k = scalar_integer("contributions", contributions, PERIODS_RANGE)
    option("noise", noise, NOISES)
    is_whole = noise in WHOLE_NOISES
    option("strategy", strategy, WHOLE_STRATEGIES if is_whole else STRATEGIES)
    amount, interval = (scalar_integer, _WHOLE_AMOUNT_RANGE) if is_whole else (scalar, _AMOUNT_RANGE)
    c = amount("per_cell", per_cell, interval)
    most = np.inf if total is None else amount("total", total, interval)
    option("neighbours", neighbours, ("add_remove", "replace"))
    own = {"branching": branching, "bands": bands, "aim": aim}
    leave_out(f"strategy {strategy}", **{name: own[name] for name in own if strategy not in _OWN_ARGUMENTS[name]})
    b = scalar_integer("branching", or_default(branching, 2), _BRANCHING_RANGE)
    diagonals = min(scalar_integer("bands", or_default(bands, 8), PERIODS_RANGE), numbers.n)
    option("publication", publication, PUBLICATIONS)
    options = Options(b, diagonals, publication, or_default(aim, "largest"))
    persons = Persons(min(k, numbers.n), c, most, neighbours)
    names = (strategy,) if strategy != "best" else WHOLE_STRATEGIES[:-1] if is_whole else CLOSED_FORMS
    candidates = [_errors(name, numbers, options, persons, noise) for name in names]
    return min(candidates, key=lambda errors: errors.largest)


def _errors(name: str, numbers: Workload, options: Options, persons: Persons, noise: str) -> Errors:
    strategy = _strategy(numbers, name, _used(name, options))
    size, is_exact = largest_change(strategy, persons, NORMS[noise])
    each = size * np.sqrt(strategy.squares)
    root_mean_square = float(size * np.sqrt(strategy.squares.mean()))
    return Errors(name, size, is_exact, each, float(each.max()), root_mean_square, noise, numbers, options, persons)


def largest_errors(errors: Errors, contributions: ArrayLike) -> Array:
    """max ‖Rx‖ · max ‖L_i‖: the `largest` error of the same strategy for persons in other numbers of periods.

    Parameters
    ----------
    errors : of `error`.
    contributions : k, in how many periods a person may be, in [1, 1000]; any shape. Where k is above n, n counts.

    Returns
    -------
    The `largest` of each k, in the shape of `contributions`.

    Examples
    --------
    >>> largest_errors(error("running_totals", "square_root", 36), [1, 4, 12]).round(3).tolist()
    [2.205, 7.555, 19.631]
    """
    return np.asarray(sensitivities(errors, contributions) * (errors.largest / errors.sensitivity))


def sensitivities(errors: Errors, contributions: ArrayLike) -> Array:
    """Return the sensitivity of the same strategy for persons in each of other numbers of periods."""
    k = np.minimum(integer("contributions", contributions, PERIODS_RANGE), errors.workload.n)
    distinct, place = np.unique(k, return_inverse=True)
    return np.array([errors.sensitivity_of(int(periods)) for periods in distinct])[place].reshape(k.shape)


def root_coefficients(errors: Errors) -> Array:
    """The coefficients r₀, r₁, … of R, in which period j has r_{i−j} in sum i ([FHU23]), for a program that draws them.

    Of "normalized_square_root", R is this with each column divided by its length. Of "year_to_date" R begins again each
    year, and these are those of one year, or of all n periods if a year has more.

    Parameters
    ----------
    errors : of "square_root", "normalized_square_root" or "banded", whose coefficients beyond its diagonals are 0.

    Raises
    ------
    ValueError
        `the strategy of coefficients must be in square_root, normalized_square_root, banded, got tree`.

    Examples
    --------
    >>> root_coefficients(error("running_totals", "square_root", 4)).tolist()
    [1.0, 0.5, 0.375, 0.3125]
    """
    option("the strategy of coefficients", errors.strategy, ROOTS)
    return root_of(errors.workload, errors.strategy, errors.options.bands).series.copy()


def optimum_sums(errors: Errors) -> Array:
    """R of the numerical optimum, lower triangular: sum i has R_{ij} of cell j ([LM15]), for a program that draws them.

    Parameters
    ----------
    errors : of "optimum".

    Returns
    -------
    R, n × n, with the RᵀR of the optimum and a positive diagonal, so that the cells are determined by the sums.

    Raises
    ------
    ValueError
        `the strategy of sums must be in optimum, got 'tree'`.

    Examples
    --------
    >>> optimum_sums(error("each", "optimum", 2)).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    option("the strategy of sums", errors.strategy, ("optimum",))
    return triangular(optimum(errors.workload, errors.options.aim).gram)


def _used(name: str, options: Options) -> Options:
    """Return the options that a strategy uses, and the same in place of the others."""
    is_tree = name == "tree"
    return Options(
        options.branching if is_tree else 0,
        options.bands if name == "banded" else 0,
        options.publication if is_tree else "",
        options.aim if name == "optimum" else "",
    )


@lru_cache(8)
def _strategy(numbers: Workload, name: str, options: Options) -> Strategy:
    return optimum(numbers, options.aim) if name == "optimum" else closed_form(numbers, name, options)


_ENTRIES_RANGE = "[1, 4e6]"


@lru_cache(8)
def noise_weights(numbers: Workload, name: str, options: Options) -> Array:
    """Return L, the weights of the noise of each sum in the published numbers."""
    entries = np.array(numbers.first.size * float(numbers.n) * 2)
    refuse("twice the number of published numbers times n", entries, entries > 4e6, _ENTRIES_RANGE)
    if name == "per_period":
        found = numbers.matrix()
    elif name == "per_number":
        found = np.eye(numbers.first.size)[:, np.argsort(numbers.end, kind="stable")]
    elif name == "binary_tree":
        found = fewest_nodes(numbers)
    elif name == "tree":
        found = tree_weights(numbers, options.branching, options.publication)
    elif name == "optimum":
        r = triangular(optimum(numbers, options.aim).gram)
        found = np.asarray(solve_triangular(r.T, numbers.matrix().T, lower=False).T)
    else:
        found = root_of(numbers, name, options.bands).weights(numbers)
    found = found.view()
    found.flags.writeable = False
    return found


def added(numbers: Workload, name: str, options: Options, noise: Callable[[int], Array]) -> Array:
    """Return L times the noise that is drawn for so many sums: what is added to each published number."""
    if name == "per_period":
        return numbers.sums(noise(numbers.n))
    if name in ROOTS:
        return numbers.sums(root_of(numbers, name, options.bands).cells(noise(numbers.n)))
    weights = noise_weights(numbers, name, options)
    return weights @ noise(weights.shape[1])
