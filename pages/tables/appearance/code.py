"""The groups that appear as a program with dpcore and with OpenDP, and why other libraries have none."""

import numpy as np

from dpcore import unknown_groups
from dpcore.unknown_groups import ThresholdRelease
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.tables.results import TablesResult

_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and has no threshold.",
    DIFFPRIVLIB: "It has no threshold for groups.",
    OPACUS: "It trains models, and publishes no groups.",
}


_ABOVE = (
    "On whole numbers it publishes counts at its threshold too, and its map states the δ of those above: enter there a "
    "threshold that is 1 greater than the map needs."
)


def _opendp_snippet(release: ThresholdRelease, epsilon: float, delta: float) -> Snippet:
    """Return the δ that OpenDP's own map states of the noise and the threshold, beside the exact one."""
    if release.noise == "truncated_geometric":
        return Snippet(OPENDP, "", f"It has no geometric noise that ends at ±N. {_ABOVE}")
    groups, c = int(release.groups_per_person), number(float(release.contributions))
    values = release.scale, release.threshold, groups, release.noise, release.contributions
    exact = float(unknown_groups.delta_from_threshold(epsilon, *values))
    is_gaussian = release.noise == "gaussian"
    metric, moved = ("l02inf", f"{groups}**0.5") if is_gaussian else ("l01inf", f"{groups}")
    place = f"{number(float(release.scale))}, {number(float(release.threshold))}"
    start = (
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "of_names, of_counts = dp.atom_domain(T=str), dp.atom_domain(T=float, nan=False)",
        f"space = dp.map_domain(of_names, of_counts), dp.{metric}_distance(dp.absolute_distance(T=float))",
        f"release = dp.m.make_{release.noise}_threshold(*space, {place})",
    )
    if is_gaussian:
        code = program(
            *start,
            "release = dp.c.make_zCDP_to_approxDP(release)",
            f"profile, delta = release.map(({groups}, {moved} * {c}, {c}))",
            f"print(profile.delta({number(epsilon)}) + delta)",
        )
        note = "The δ at this ε of ρ-zCDP, with that of its threshold added: above the exact δ, which adds neither."
        snippet = Snippet(OPENDP, code, f"{note} {_ABOVE}", (exact,), 1.0, 30.0)
    else:
        code = program(*start, f"epsilon, delta = release.map(({groups}, {moved} * {c}, {c}))", "print(delta)")
        snippet = Snippet(OPENDP, code, f"The δ of its threshold, at ε = kc/b. {_ABOVE}", (exact,), 1 - 1e-9, 1 + 1e-3)
    k, d = Limit("k", groups, 1, 100), Limit("δ", delta, 1e-10, 0.1)
    return within(snippet, Limit("ε", epsilon, 0.1, 10), d, k)


def snippets(result: TablesResult) -> tuple[Snippet, ...]:
    """Return the programs of the threshold; nothing without an answer."""
    appearance = result.appearance
    if result.is_missing or appearance.problem:
        return ()
    release, wanted = appearance.shown_release, number(appearance.probability)
    arguments = f"{number(appearance.epsilon)}, {number(appearance.delta)}, {int(appearance.groups_per_person)}"
    call = f"{arguments}, {release.noise!r}, {appearance.c}"
    is_least = float(release.threshold) == appearance.least_threshold
    if release.noise == "truncated_geometric" and is_least:
        lines = (f"release = unknown_groups.threshold({call}, probability={wanted})",)
    else:
        scale, threshold = number(float(release.scale)), number(float(release.threshold))
        limits = f'{int(appearance.groups_per_person)}, {appearance.c}, "at_least"'
        end = "math.inf" if np.isinf(release.bound) else number(float(release.bound))
        lines = (
            f"noise = {release.noise!r}, {scale}, {threshold}, {end}",
            f"release = unknown_groups.ThresholdRelease(*noise, {limits})",
        )
    imports = ("import math", "") if "math.inf" in lines[0] else ()
    code = program(
        *imports,
        "from dpcore import unknown_groups",
        "",
        *lines,
        "print(release.scale)",
        "print(release.threshold)",
        f"print(unknown_groups.least_size(release, {wanted}))",
    )
    values = float(release.scale), float(release.threshold), appearance.least_size(appearance.key)
    note = "Its scale, its threshold, and from which count on a group appears with the wanted probability."
    opendp = _opendp_snippet(release, appearance.epsilon, appearance.delta)
    return Snippet(DPCORE, code, note, values), opendp, *unavailable(_OTHERS)
