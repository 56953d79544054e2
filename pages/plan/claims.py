"""The guarantees of a plan: its total, where a formula encloses it, and the error of each query."""

import math
from collections.abc import Iterator

from dpcore.composition import Release
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.plan.results import PlanResult
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import number

_COMPUTED = (
    "There is no closed formula for the losses of such a list. Its ε is computed to about nine digits and rounded up, "
    "or certified on a grid with every step rounded up."
)
_GROUPS = "Queries of one group are about disjoint people: the largest of several totals counts."


def claims(result: PlanResult) -> Iterator[Claim]:
    """Yield the guarantee of the total, and the chance that the error of each query exceeds its half-width."""
    if result.plan is None:
        return
    yield _total_claim(result, result.plan.releases)
    significance = format_input_up(result.setting.significance)
    for part in result.planned_queries:
        if part.query.width:
            continue
        n_cells = part.row.item.n_cells if part.row.item.has_joint_error() else 1
        scale, half_width = exact_text(part.noise.scale), format_up(part.half_width)
        claim = (part.noise.family, part.noise.symbol, scale, half_width, significance, n_cells)
        yield guarantee_claims.half_width_claim(*claim)


def _sum_of_epsilons(releases: tuple[Release, ...]) -> float:
    """Return the sum of the ε of noise that satisfies pure ε-DP; ∞ where a release does not."""
    if any("gaussian" in line.kind for line in releases):
        return math.inf
    return math.fsum(line.count * line.numbers[0] for line in releases)


def _total_claim(result: PlanResult, releases: tuple[Release, ...]) -> Claim:
    setting = result.setting
    epsilon = format_up(result.epsilon)
    delta = "0" if setting.plan_delta == 0 else format_input_up(setting.delta)
    subject = f"δ({epsilon}) of the queries together"
    if any(query.group for query in result.plan.queries) if result.plan else False:
        return Claim(subject, reason=_GROUPS)
    if setting.plan_delta == 0 or result.epsilon >= _sum_of_epsilons(releases):
        parts = [("guarantee", (number(exact_text(line.numbers[0])), number("0")), line.count) for line in releases]
    elif all(line.kind == "gaussian" for line in releases):
        parts = [("gaussian", (number(exact_text(line.numbers[0])),), line.count) for line in releases]
    else:
        return Claim(subject, reason=_COMPUTED)
    return Claim(subject, number(delta), "composition_delta", {"epsilon": number(epsilon), "parts": parts})
