"""The noise of the table, with dpcore and with other libraries."""

import math

from dpcore.mechanism import Mechanism
from pages.framework.export.exhibit import CONFIDENTIAL_CODE
from pages.framework.layout.code_panel import Limit, Snippet, number, program, unavailable, within
from pages.shared.counts.link_format import MOST_CELLS
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import OPENDP_TABLE, gaussian_sigma, geometric_accuracy, laplace_accuracy
from pages.tables.found import Found

_NO_TABLE = {
    OPENDP: "It has no σ by this formula.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It states no ± of noise.",
    OPACUS: "It has Gaussian noise on gradients only.",
}
_NO_EXPERIMENT = {
    OPENDP: "It has none of the σ that are compared, but one by ρ-zCDP.",
    DP_ACCOUNTING: "It accounts for privacy, and releases no table.",
    DIFFPRIVLIB: "It has no σ of probabilistic DP, which stands in every comparison.",
    OPACUS: _NO_TABLE[OPACUS],
}
_SHIPPED = {"czech": "tables.czech_autoworkers()", "mildew": "tables.mildew()"}
_VERDICTS = ("as published", "too close", "reversed")


def snippets(found: Found) -> tuple[Snippet, ...]:
    """The noise of the open section with its scale and its ±, or Liu's experiment; none where there is none."""
    section = found.values.get("section", "noise")
    if section == "paper":
        return _experiment(found)
    noise = (found.recommended and found.recommended.mechanism) if section == "noise" else found.noise
    if found.missing or noise is None:
        return ()
    reach = noise.half_width(found.significance)
    return _dpcore(found, noise, reach, section), *_peers(found, noise, reach)


def _dpcore(found: Found, noise: Mechanism, reach: float, section: str) -> Snippet:
    now = found.setting
    moved = f"{number(now.per_person)}, {number(now.per_cell)}, {now.neighbours!r}, {int(now.margins)}"
    together = f"accuracy.each_significance({number(now.significance)}, {found.n_cells})"
    recommended = section == "noise" or now.mechanism == "recommended"
    chosen = (
        f"recommendation.recommend(noises, {now.promise!r}, {bool(found.sensitivity.whole)}, significance).mechanism"
        if recommended
        else f"next(each for each in noises if each.key == {noise.key!r})"
    )
    imported = ["accuracy", *(["recommendation"] if recommended else []), "tables"]
    code = program(
        f"from dpcore import {', '.join(imported)}",
        "from dpcore.sensitivity import table_sensitivity",
        "",
        f"person = table_sensitivity({moved}, {found.n_cells})",
        f"noises = tables.mechanisms({number(now.epsilon)}, {number(now.delta)}, person, {number(now.p)})",
        f"significance = {together if now.error == 'all' else number(now.significance)}",
        f"noise = {chosen}",
        "print(noise.scale)",
        "print(noise.half_width(significance))",
    )
    meant = f"for all {found.n_cells:,} cells together" if now.error == "all" and found.n_cells > 1 else "for a cell"
    rest = "" if section == "noise" else " What they leave of your table the page computes from its counts."
    return Snippet(DPCORE, code, f"{noise.name} noise: its {noise.symbol}, and ± {meant}.{rest}", (noise.scale, reach))


def _peers(found: Found, noise: Mechanism, reach: float) -> tuple[Snippet, ...]:
    now, l1, l2 = found.setting, float(found.sensitivity.l1), float(found.sensitivity.l2)
    if noise.key == "analytic":
        return gaussian_sigma(now.epsilon, now.delta, l2, noise.scale)
    known: tuple[Snippet, ...] = ()
    if noise.key == "laplace":
        known = laplace_accuracy(now.epsilon, l1, found.significance, reach)
    elif noise.key == "geometric":
        known = (geometric_accuracy(now.epsilon, l1, found.significance, reach),)
    elif noise.key == "discrete_gaussian":
        known = (_discrete_gaussian(now.epsilon, now.delta, l2, noise.scale),)
    has = {each.library for each in known}
    return *known, *unavailable({library: reason for library, reason in _NO_TABLE.items() if library not in has})


def _discrete_gaussian(epsilon: float, delta: float, sensitivity: float, ours: float) -> Snippet:
    code = program(
        *OPENDP_TABLE,
        f"epsilon, delta, l2_sensitivity = {number(epsilon)}, {number(delta)}, {number(sensitivity)}",
        "",
        "def noisy(scale):",
        "    of_rho = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=scale))",
        "    return dp.c.make_fix_delta(of_rho, delta=delta)",
        "",
        "bounds = l2_sensitivity / 30, l2_sensitivity * 1e4",
        "print(dp.binary_search_param(noisy, d_in=l2_sensitivity, d_out=(epsilon, delta), bounds=bounds))",
    )
    limits = (
        Limit("ε", epsilon, 0.01, 10),
        Limit("δ", delta, 1e-10, 0.1),
        Limit("Δ₂", sensitivity, 1, 100),
        Limit("σ ÷ Δ₂", ours / sensitivity if sensitivity else math.inf, 0.5, 1e6),
    )
    note = "σ by ρ-zCDP, where dpcore solves the exact δ of the discrete noise."
    return within(Snippet(OPENDP, code, note, (ours,), 1.0, 1.7), *limits)


def _experiment(found: Found) -> tuple[Snippet, ...]:
    """How often Liu's order came out; none where nothing was compared, or the table is too long to be listed."""
    asked, table = found.experiment, found.setting.table
    short = found.values["data"] == "table" and (table in _SHIPPED or found.n_cells <= MOST_CELLS)
    if not short or asked is None or asked.order is None or asked.exact:
        return ()
    counts = f"{_SHIPPED[table]}['count']" if table in _SHIPPED else f"np.array({asked.counts.tolist()})"
    processed = f"lambda noisy: tables.post_process(noisy, n, n, {asked.post == 'rounded'})"
    code = program(
        "import numpy as np",
        "from dpcore import tables",
        "",
        f"counts = {counts}",
        "n = counts.sum()",
        f"settings = tables.experiment_settings({list(asked.epsilons)}, {list(asked.deltas)})",
        f"post = {'None' if asked.post == 'none' else processed}",
        f"rng = np.random.default_rng({asked.seed})",
        f"results = tables.experiment(counts, settings, rng, {asked.n_repeats}, post)",
        "verdicts = tables.paper_ordering(results)['verdict'].to_list()",
        f"print(*map(verdicts.count, {_VERDICTS}))",
    )
    verdicts = asked.order["verdict"].to_list()
    note = "In how many comparisons Liu’s order came out, was too close to call, and was the other way round."
    if table not in _SHIPPED:
        note = f"{note} {CONFIDENTIAL_CODE}"
    own = Snippet(DPCORE, code, note, tuple(float(verdicts.count(each)) for each in _VERDICTS))
    return own, *unavailable(_NO_EXPERIMENT)
