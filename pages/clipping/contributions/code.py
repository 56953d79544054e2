"""The best limit and its noise, as a program with dpcore."""

from pages.clipping.contributions.results import ContributionsResult
from pages.clipping.results import ClippingResult
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_OTHERS = {
    OPENDP: "It truncates the records of a person to a limit (`truncate_per_group` of its data frames), and does not "
    "choose the limit.",
    DP_ACCOUNTING: "It accounts for privacy, and limits no records.",
    DIFFPRIVLIB: "It takes each record for a person.",
    OPACUS: "It takes each record for a person.",
}


def snippets(result: ClippingResult) -> tuple[Snippet, ...]:
    """Return the program that computes the best limit and its noise."""
    limits = result.contributions
    if limits is None:
        return ()
    return _best_limit_snippet(result, limits), *unavailable(_OTHERS)


def _best_limit_snippet(result: ClippingResult, limits: ContributionsResult) -> Snippet:
    setting = result.setting
    n_people = int(setting.n_records)
    counts = {
        "geometric": f"clipping.geometric_records({number(setting.mean_records)}, {n_people})",
        "zipf": f"clipping.zipf_records({number(setting.exponent)}, {int(setting.most_records)}, {n_people})",
    }[setting.people]
    if setting.is_own:
        counts = "[1]  # your own numbers of records, one for each person, in the place of this one"
    best = f"clipping.best_limit(counts, epsilon, *options, {setting.limit_error!r})"
    options = f"{setting.noise!r}, {int(setting.cells)}, {setting.spread!r}, {setting.dropping!r}"
    code = program(
        "from dpcore import clipping",
        "",
        f"counts = {counts}",
        f"epsilon, options = {number(setting.epsilon)}, ({options}, {number(setting.delta)})",
        f"limit = {limits.setting.limit if setting.is_own else best}",
        f"error = clipping.contribution_error(counts, limit, epsilon, *options, {number(setting.significance)})",
        *("print(limit)", "print(error.noise_scale)"),
    )
    if setting.is_own:
        printed = float(limits.setting.limit), float(limits.yours.noise_scale)
        return Snippet(DPCORE, code, "The noise at your limit, which does not depend on the records.", printed)
    printed = float(limits.best_limit), float(limits.best.noise_scale)
    return Snippet(DPCORE, code, "The best limit, and the scale of its noise in each cell.", printed)
