"""The answer as a program with dpcore, its error with JAX Privacy, and why other libraries have none."""

from dpcore import linear_queries
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.framework.parameters.number_format import format_input_down
from pages.series.methods import EPSILONS
from pages.series.over_time.results import ALONE, OverTime
from pages.series.ranges.results import AllRanges
from pages.series.results import SeriesResult, SeriesSetting
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, JAX_PRIVACY, OPACUS, OPENDP

_TOEPLITZ = {ALONE: "", "square_root": "", "banded": "[:8]"}
"""The methods whose sums are a Toeplitz matrix, with which of the coefficients."""
_PERSON = None, "add_remove"
"""No limit in all, and the neighbours of JAX Privacy."""
_NOT_IN_JAX_PRIVACY = (
    "It has running totals with Gaussian noise, by square roots and by sums of noisy periods, for a person who is "
    "added or removed and has no limit N; normalised for one period of a person."
)
_OTHERS = {
    OPENDP: "It has the sums of a tree (make_b_ary_tree) with least squares for all of them at the end, and no numbers "
    "that are published as they go.",
    DP_ACCOUNTING: "It accounts for a tree of sums, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to single numbers.",
    OPACUS: "It trains models.",
}


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width and the noise."""
    setting, found = result.setting, result.over_time
    series = found.series
    options = {
        "per_cell": None if series.per_cell == 1 else number(series.per_cell),
        "total": None if series.total is None else number(series.total),
        "neighbours": None if series.neighbours == "add_remove" else repr(series.neighbours),
        "window": None if series.window is None else str(series.window),
        "publication": repr(series.publication),
        "noise": None if series.noise == "gaussian" else repr(series.noise),
    }
    words = ", ".join(f"{name}={value}" for name, value in options.items() if value is not None)
    guarantee = ", ".join(map(number, found.guarantee))
    least, enough = least_epsilon_lines(setting, found, "months")
    library, each = each_lines(setting, series.n)
    level = "each" if each else number(setting.significance)
    code = program(
        f"from dpcore import {library}linear_queries",
        "",
        f"options = dict({words})",
        f"months = linear_queries.error({series.workload!r}, {found.chosen.strategy!r}, {series.n}, "
        f"{series.contributions}, **options)",
        *each,
        f"print(linear_queries.half_widths(months, {guarantee}, {level}).max())",
        f"print(linear_queries.noise_scale(months, {guarantee}))",
        *least,
    )
    symbol = setting.noise.symbol
    note = f"The largest ±, and the {symbol} of each noisy sum. sample() in the same module draws a trial."
    printed = found.half_width, found.noise_scale, *enough
    return Snippet(DPCORE, code, note, printed), _jax_privacy(found), *unavailable(_OTHERS)


def _jax_privacy(found: OverTime) -> Snippet:
    """Return the error of the worst running total as JAX Privacy has it, for the methods that it has."""
    series, method = found.series, found.chosen.strategy
    n, k = series.n, series.contributions
    is_known = series.workload == "running_totals" and series.noise == "gaussian"
    is_normalized = method == "normalized_square_root" and k == 1
    if not is_known or not (is_normalized or method in _TOEPLITZ) or (series.total, series.neighbours) != _PERSON:
        return Snippet(JAX_PRIVACY, "", _NOT_IN_JAX_PRIVACY)
    roots = f"toeplitz.optimal_max_error_strategy_coefs({n})"
    if is_normalized:
        lines = (
            f"root = toeplitz.materialize_lower_triangular({roots})",
            "matrix = root / jnp.linalg.norm(root, axis=0)  # of sensitivity 1",
            "print(jnp.sqrt(dense.per_query_error(strategy_matrix=matrix).max()))",
        )
    else:
        lines = (
            f"coefs = {'jnp.ones(1)' if method == ALONE else f'{roots}{_TOEPLITZ[method]}'}",
            f"size = toeplitz.minsep_sensitivity_squared(coefs, 1, {k}, n={n})",
            f"print(jnp.sqrt(size * toeplitz.per_query_error(strategy_coef=coefs, n={n}).max()))",
        )
    code = program(
        "import jax",
        "import jax.numpy as jnp",
        f"from jax_privacy.matrix_factorization import {'dense, ' if is_normalized else ''}toeplitz",
        "",
        'jax.config.update("jax_enable_x64", True)',
        *lines,
    )
    note = (
        "It prints the standard error of the worst total, over the σ that one number needs which a person changes by "
        f"{format_input_down(series.per_cell)}. The library draws such noise for the steps of a training."
    )
    snippet = Snippet(JAX_PRIVACY, code, note, (found.chosen.largest / series.per_cell,), 1 - 1e-9, 1 + 1e-9)
    return within(snippet, Limit("T", n, 1, 400))


def each_lines(setting: SeriesSetting, n_numbers: int) -> tuple[str, tuple[str, ...]]:
    """Return what to import for the level at which all numbers are inside at once, and its line; nothing for each."""
    if not setting.is_joint:
        return "", ()
    level = number(setting.significance)
    if setting.series_noise != "gaussian":
        return "", (f"each = {level} / {n_numbers}",)
    return "accuracy, ", (f"each = accuracy.each_significance({level}, {n_numbers})",)


def least_epsilon_lines(
    setting: SeriesSetting, found: OverTime | AllRanges, name: str
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the line that computes the least ε for the ± that is accepted, and what it prints; nothing without one."""
    if setting.wanted is None or setting.epsilon in EPSILONS:
        return (), ()
    known, level = (setting.wanted, found.guarantee[1]), "each" if found.is_joint else number(found.level)
    line = f"print(linear_queries.least_epsilon({name}, {', '.join(map(number, known))}, {level}))"
    return (line,), (linear_queries.least_epsilon(found.chosen, *known, found.level),)
