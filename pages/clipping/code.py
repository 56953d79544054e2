"""The answers as programs, what each library has of them, and the guarantees that are proved on request."""

from collections.abc import Callable, Iterator

from dpcore import truncated_laplace
from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from dpcore.sensitivity import table_sensitivity
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.results import ClippingResult, ContributionsResult
from pages.clipping.text import bound_conditions, limit_conditions
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target
from pages.shared.looks import guarantee_claim
from pages.shared.other_libraries import ABOUT_EQUAL, DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import SAMPLED, Statistic, level_text, noise_facts, release_downloads

_NO_BOUNDS = {
    DP_ACCOUNTING: "It accounts for privacy, and clips no values.",
    DIFFPRIVLIB: "Its tools.sum takes bounds, and does not choose them or state an error.",
    OPACUS: "It clips gradients, at a norm that the user chooses.",
}
_NO_OPENDP = "Its clamp and sum have this form for whole bounds, a sum, and one person added or removed."
_NO_OWN = "Enter lo and U: the best ones of your own values are in no program."


def bound_snippets(result: ClippingResult) -> tuple[Snippet, ...]:
    """Return the programs that compute the best bound and its noise."""
    bounds = result.bounds
    if bounds is None:
        return ()
    return _best_bound_snippet(result, bounds), _opendp_snippet(result, bounds), *unavailable(_NO_BOUNDS)


def _best_bound_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    setting = result.setting
    if setting.is_own:
        return _own_snippet(result, bounds)
    name, (first, second) = setting.distribution.name, setting.distribution.parameters
    values = f"clipping.{name}({number(first)}, {number(second)}, {bounds.n_values})"
    low = "None" if bounds.is_low_sought else number(bounds.low)
    function = "sum_error" if setting.query == "sum" else "mean_error"
    options = _noise_options(bounds)
    options += "" if bounds.setting.share is None else f", count_share={number(bounds.setting.share)}"
    alpha = f", significance={number(setting.significance)}"
    measure = f"error={setting.error!r}{alpha if setting.error == 'half_width' else ''}"
    best = "best.high"
    if bounds.best_high != bounds.exact_best[1]:  # the page rounds it
        best = "round(float(f'{best.high:.3g}'))" if bounds.setting.is_whole else "float(f'{best.high:.3g}')"
    code = program(
        "from dpcore import clipping",
        "",
        f"values, epsilon = {values}, {number(setting.epsilon)}",
        f"options = dict({options})",
        f"best = clipping.best_bounds(values, epsilon, {low}, {measure}, **options)",
        f"ends = {number(bounds.low)}, {number(bounds.high)}",
        f"error = clipping.{function}(values, *ends, epsilon{alpha}, bias='gross', **options)",
        *(f"print({best})", "print(error.noise_scale)", "print(error.half_width)"),
    )
    printed = bounds.best_high, float(bounds.chosen.noise_scale), float(bounds.chosen.half_width)
    return Snippet(DPCORE, code, "The best bound, and the noise scale and ± at the chosen one.", printed)


def _noise_options(bounds: BoundsResult) -> str:
    setting = bounds.setting
    delta = "" if setting.delta is None else f", delta={number(setting.delta)}"
    return f"noise={setting.noise!r}, neighbours={setting.neighbours!r}{delta}"


def _own_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    """Return the program of the noise at the user's bound, which needs no values."""
    setting = result.setting
    high = setting.high if bounds.setting.bound is None else bounds.setting.bound
    if bounds.setting.low is None or bounds.setting.share is not None or not high > bounds.low:
        return Snippet(DPCORE, "", _NO_OWN)
    options = f"{number(setting.epsilon)}, {_noise_options(bounds)}"
    code = program(
        "from dpcore import clipping",
        "",
        "values = [0.0]  # your own values, one for each person, in the place of this one",
        f"error = clipping.sum_error(values, {number(bounds.low)}, {number(high)}, {options})",
        "print(error.high)",
        "print(error.noise_scale)",
    )
    printed = high, float(bounds.error_at(high).noise_scale) * bounds.unit_count
    note = "The noise of the sum at your bound, or at the maximum of your range, which does not depend on the values."
    return Snippet(DPCORE, code, note, printed)


def _opendp_snippet(result: ClippingResult, bounds: BoundsResult) -> Snippet:
    setting = result.setting
    high = setting.high if setting.is_own and bounds.setting.bound is None else bounds.high
    whole = float(bounds.low).is_integer() and float(high).is_integer() and max(abs(bounds.low), high) < 2**31
    if setting.is_own and bounds.setting.low is None:
        return Snippet(OPENDP, "", _NO_OWN)
    if not (whole and setting.query == "sum" and setting.neighbours == "add_remove"):
        return Snippet(OPENDP, "", _NO_OPENDP)
    low, top = int(bounds.low), int(high)
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()",
        f"clipped_sum = space >> dp.t.then_clamp(({low}, {top})) >> dp.t.then_sum()",
        "print(clipped_sum.map(1))",
        f"print(dp.binary_search_param(lambda b: clipped_sum >> dp.m.then_laplace(b), 1, {number(setting.epsilon)}))",
    )
    note = "It clamps and sums whole values; it prints the sensitivity, and the scale of its discrete Laplace noise."
    if setting.is_own or not FAMILIES[setting.noise].pure:
        return Snippet(OPENDP, code, note)
    printed = float(bounds.chosen.sensitivity), float(bounds.chosen.noise_scale)
    return within(Snippet(OPENDP, code, note, printed, *ABOUT_EQUAL), Limit("ε", setting.epsilon, 0.01, 10))


def bound_downloads(result: ClippingResult, state: Callable[[ClippingResult], Statements | None]) -> Downloads | None:
    """Return the program that releases the clipped sum; `state` makes the statements on it.

    There is none for a mean, which is released with the public number of records, or values added up for each person.
    """
    bounds, setting = result.bounds, result.setting
    is_added_up = result.values is not None and bool(result.values.person)
    if bounds is None or setting.query != "sum" or is_added_up:
        return None
    chosen = bounds.chosen
    scale, sensitivity = float(chosen.noise_scale), float(chosen.sensitivity)
    noise = NoiseDistribution(setting.noise, (scale,), scale)
    if noise.family not in SAMPLED:
        return None
    statistic = Statistic(
        name="Sum",
        kind="sum",
        **noise_facts(noise),
        l1=sensitivity,
        l2=sensitivity,
        half_width=noise.half_width(setting.significance),
        level=level_text(setting.significance),
        unit=setting.unit,
        low=float(chosen.low),
        high=float(chosen.high),
    )
    guarantee = setting.epsilon, setting.noise_delta or 0.0
    return release_downloads(
        (statistic,), guarantee, bounds.setting.neighbours, bound_conditions(result), lambda: state(result)
    )


_OF_VALUES = "The error depends on the values, of which the page knows a distribution or the user’s own."

_COUNTED = "It is that of two releases, of a sum and of a count: open each in “One number” to have it proved."


def bound_claims(result: ClippingResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise, and that the error is no guarantee."""
    bounds, setting = result.bounds, result.setting
    if bounds is None:
        return
    if bounds.setting.share is not None:
        yield Claim("The guarantee of the mean", reason=_COUNTED)
        yield Claim("The error of the clipped mean", reason=_OF_VALUES)
        return
    sensitivity = float(bounds.chosen.sensitivity) * bounds.unit_count
    scale = format_up(float(bounds.chosen.noise_scale) * bounds.unit_count)
    target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), exact_text(sensitivity))
    if setting.noise == "truncated_laplace":
        bound = truncated_laplace.bound_from_epsilon(setting.epsilon, setting.delta, sensitivity)
        b = truncated_laplace.scale_from_epsilon(setting.epsilon, sensitivity)
        yield guarantee_claims.truncated_laplace(target, exact_text(float(bound)), exact_text(float(b)))
    else:
        yield guarantee_claim(setting.noise, target, scale)
    yield Claim("The error of the clipped sum", reason=_OF_VALUES)


_NO_LIMIT = {
    OPENDP: "It truncates the records of a person to a limit (`truncate_per_group` of its data frames), and does not "
    "choose the limit.",
    DP_ACCOUNTING: "It accounts for privacy, and limits no records.",
    DIFFPRIVLIB: "It takes each record for a person.",
    OPACUS: "It takes each record for a person.",
}


def limit_snippets(result: ClippingResult) -> tuple[Snippet, ...]:
    """Return the program that computes the best limit and its noise."""
    limits = result.contributions
    if limits is None:
        return ()
    return _best_limit_snippet(result, limits), *unavailable(_NO_LIMIT)


def _best_limit_snippet(result: ClippingResult, limits: ContributionsResult) -> Snippet:
    setting = result.setting
    n_people = int(setting.n_records)
    counts = {
        "geometric": f"clipping.geometric_records({number(setting.mean_records)}, {n_people})",
        "zipf": f"clipping.zipf_records({number(setting.exponent)}, {int(setting.most_records)}, {n_people})",
    }[setting.people]
    if setting.is_own:
        counts = "[1]  # your own numbers of records, one for each person, in the place of this one"
    alpha = f", significance={number(setting.significance)}"
    own_alpha = alpha if "half_width" in setting.limit_error else ""
    best = f"clipping.best_limit(counts, epsilon, table, {setting.limit_error!r}{own_alpha})"
    options = f"noise={setting.noise!r}, n_cells={int(setting.cells)}, spread={setting.spread!r}"
    options += f", dropping={setting.dropping!r}"
    options += "" if setting.noise_delta is None else f", delta={number(setting.noise_delta)}"
    code = program(
        "from dpcore import clipping",
        "",
        f"counts = {counts}",
        f"epsilon, table = {number(setting.epsilon)}, clipping.LimitedTable({options})",
        f"limit = {limits.limit if setting.is_own else best}",
        f"error = clipping.contribution_error(counts, limit, epsilon, table{alpha})",
        *("print(limit)", "print(error.noise_scale)"),
    )
    if setting.is_own:
        printed = float(limits.limit), float(limits.yours.noise_scale)
        return Snippet(DPCORE, code, "The noise at your limit, which does not depend on the records.", printed)
    printed = float(limits.best_limit), float(limits.best.noise_scale)
    return Snippet(DPCORE, code, "The best limit, and the scale of its noise in each cell.", printed)


def limit_downloads(result: ClippingResult, state: Callable[[ClippingResult], Statements | None]) -> Downloads | None:
    """Return the program that keeps so many records of each person, at random, and publishes all counts.

    There is none by weight, whose counts are not whole, and for noise that the program has no sampler for.
    """
    limits, setting = result.contributions, result.setting
    if limits is None or setting.dropping == "weight":
        return None
    limit, error = limits.stated
    person, scale = limits.person_at(limit), float(error.noise_scale)
    sensitivity = table_sensitivity(*person)
    noise = NoiseDistribution(setting.noise, (scale,), scale)
    if noise.family not in SAMPLED:
        return None
    statistic = Statistic(
        name="Table",
        kind="table",
        **noise_facts(noise),
        l1=float(sensitivity.l1),
        l2=float(sensitivity.l2),
        half_width=noise.half_width(setting.significance),
        level=level_text(setting.significance),
        unit="records",
        n_cells=int(setting.cells),
        max_cells=limit if limits.is_apart(limit) else int(setting.cells),
        max_in_cell=person[1],
        max_in_all=limit,
    )
    guarantee = setting.epsilon, setting.noise_delta or 0.0
    return release_downloads(
        (statistic,), guarantee, "add_remove", limit_conditions(result), lambda: state(result), _DROPPED
    )


_DROPPED = "Its ± is that of the noise: records that the limit drops are missing besides."
_SEVERAL = "For several cells its guarantee is composed over the cells, each step rounded up."
_OF_RECORDS = "The error depends on the records, of which the page knows a distribution or the user’s own."


def limit_claims(result: ClippingResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise, and that the error is no guarantee."""
    limits, setting = result.contributions, result.setting
    if limits is None:
        return
    sensitivity = table_sensitivity(*limits.person_at(limits.best_limit))
    if FAMILIES[setting.noise].pure or setting.noise == "gaussian":
        size = exact_text(float(sensitivity.l1 if FAMILIES[setting.noise].pure else sensitivity.l2))
        target = Target(format_input_up(setting.epsilon), format_input_up(setting.delta), size)
        yield guarantee_claim(setting.noise, target, format_up(float(limits.best.noise_scale)))
    else:
        yield Claim("The guarantee of the noise in all cells of a person", reason=_SEVERAL)
    yield Claim("The error under the limit", reason=_OF_RECORDS)
