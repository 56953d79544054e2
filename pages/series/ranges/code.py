"""The answer as a program with dpcore, a tree with OpenDP, and why other libraries have none."""

from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.series.over_time.code import each_lines, least_epsilon_lines
from pages.series.ranges.results import BRANCHINGS, AllRanges, RangeMethod, range_errors
from pages.series.results import SeriesResult
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and publishes no numbers.",
    DIFFPRIVLIB: "It adds noise to each cell of a histogram.",
    OPACUS: "It trains models.",
}


_MOST_MOVED = 1e6  # of counts in 32 bits


def snippets(result: SeriesResult) -> tuple[Snippet, ...]:
    """Return the program that computes the largest half-width of a range and the noise."""
    setting, found = result.setting, result.ranges
    cells, method = found.cells, found.best_method
    options = {
        "per_cell": None if cells.per_cell == 1 else number(cells.per_cell),
        "total": None if cells.total is None else number(cells.total),
        "neighbours": None if cells.neighbours == "add_remove" else repr(cells.neighbours),
        "noise": None if cells.noise == "gaussian" else repr(cells.noise),
        "branching": None if method.branching is None else str(method.branching),
    }
    words = "".join(f", {name}={value}" for name, value in options.items() if value is not None)
    guarantee = ", ".join(map(number, found.guarantee))
    least, enough = least_epsilon_lines(setting, found, "ages")
    library, each = each_lines(setting, cells.n * (cells.n + 1) // 2)
    level = "each" if each else number(setting.significance)
    code = program(
        f"from dpcore import {library}linear_queries",
        "",
        f"ages = linear_queries.error('ranges', {method.strategy!r}, {cells.n}, {cells.contributions}{words})",
        *each,
        f"print(linear_queries.half_widths(ages, {guarantee}, {level}).max())",
        f"print(linear_queries.noise_scale(ages, {guarantee}))",
        *least,
    )
    printed = found.largest[method], found.range_scale, *enough
    ours = Snippet(
        DPCORE, code, f"The largest ± of a range, and the {setting.noise.symbol} of each noisy sum.", printed
    )
    return ours, _opendp_tree(found), *unavailable(_OTHERS)


def _opendp_tree(found: AllRanges) -> Snippet:
    """Return the tree with the least mean error with Laplace noise as OpenDP has it, which prints the scale."""
    cells = found.cells
    most = cells.contributions * cells.per_cell if cells.total is None else cells.total
    moved = min(most, cells.contributions * cells.per_cell) * (1 if cells.neighbours == "add_remove" else 2)
    if not float(cells.per_cell).is_integer() or moved > _MOST_MOVED:
        return Snippet(
            OPENDP, "", "Its tree is of whole counts: what a person adds has to be a whole number up to 1e6."
        )
    trees = [range_errors(cells._replace(noise="laplace"), RangeMethod("tree", branching)) for branching in BRANCHINGS]
    tree = min(trees, key=lambda errors: errors.root_mean_square)
    branching, n_levels, size = tree.options.branching, 1, 1
    while size < cells.n:
        n_levels, size = n_levels + 1, size * branching
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)",
        f"tree = dp.t.make_b_ary_tree(*space, leaf_count={cells.n}, branching_factor={branching})",
        f"cells = dp.t.make_consistent_b_ary_tree(branching_factor={branching}, TIA=int, TOA=float)",
        "noisy = lambda scale: tree >> dp.m.then_laplace(scale) >> cells",
        f"print(dp.binary_search_param(noisy, {int(moved)}, {number(found.epsilon)}))",
    )
    note = (
        "It prints the scale of whole-number Laplace noise, for ε without δ; noisy(scale)(counts) draws the cells, of "
        f"which a range is the sum. Its tree has {n_levels} levels, with sums that are not full, and states no error."
    )
    return within(
        Snippet(OPENDP, code, note, (n_levels * moved / found.epsilon,), 1 - 1e-9, 1 + 1e-9),
        Limit("ε", found.epsilon, 0.01, 10),
    )
