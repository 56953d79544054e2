"""The answer as a program with dpcore, and why other libraries have none."""

from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.series.methods import has_delta
from pages.series.own_sums.results import OwnSums
from pages.series.parameters import OF_SERIES
from pages.series.results import SeriesResult
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_OTHERS = {
    OPENDP: "It adds noise to sums that you compute (make_laplace, make_gaussian), and chooses no sums.",
    DP_ACCOUNTING: "It accounts for privacy, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to single numbers.",
    OPACUS: "It trains models.",
}
_YEAR = (
    "month = np.arange(12)",
    "quarters = [month // 3 == place for place in range(4)]",
    "halves = [month // 6 == place for place in range(2)]",
    "sums = np.array([*np.eye(12), *quarters, *halves, np.ones(12)])",
)
_OWN = ("sums = np.array([[1, 1, 0], [1, 1, 1]])  # your own",)


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width and the noise; nothing without sums."""
    if result.are_sums_missing:
        return ()
    found, is_own = result.own_sums, result.setting.are_sums_own
    limits = found.limits
    options = {
        "per_cell": None if limits.per_cell == 1 else number(limits.per_cell),
        "total": None if limits.total is None else number(limits.total),
        "neighbours": None if limits.neighbours == "add_remove" else repr(limits.neighbours),
        "noise": repr(found.noise),
    }
    words = ", ".join(f"{name}={value}" for name, value in options.items() if value is not None)
    delta = number(found.delta) if has_delta(found.noise) else "0"
    guarantee = f"{number(found.epsilon)}, {delta}"
    code = program(
        *(() if result.setting.sums == OF_SERIES else ("import numpy as np",)),
        "from dpcore import linear_queries",
        "",
        *_sums_lines(result),
        f"known = sums, {_method(found, is_own)!r}, sums.shape[1], {limits.contributions}",
        f"errors = linear_queries.error(*known, {words})",
        f"print(linear_queries.half_widths(errors, {guarantee}, {number(found.significance)}).max())",
        f"print(linear_queries.noise_scale(errors, {guarantee}))",
    )
    if is_own:
        return Snippet(DPCORE, code, _OWN_NOTE), *unavailable(_OTHERS)
    printed = found.error, found.scale(found.method)
    return Snippet(DPCORE, code, "The largest ±, and the scale of each noisy sum.", printed), *unavailable(_OTHERS)


_OWN_NOTE = (
    "The largest ±, and the scale of each noisy sum. Your own sums are in no program: enter them in the place of these."
)


def _sums_lines(result: SeriesResult) -> tuple[str, ...]:
    """Return the lines that make the sums."""
    if result.setting.sums == OF_SERIES:
        series = result.setting.series
        known = f"{series.workload!r}, {series.n}{'' if series.window is None else f', {series.window}'}"
        return (f"sums = linear_queries.workload({known}).matrix()",)
    return _OWN if result.setting.are_sums_own else _YEAR


def _method(found: OwnSums, is_own: bool) -> str:
    """Return the way of the answer; of three cells in the place of the user's own, one that all sums have."""
    return "per_period" if is_own and found.method == "optimum" else found.method
