"""The guarantees of a plan: its total, where a formula encloses it, and the error of each query."""

from collections.abc import Iterator

from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.plan.results import PlanResult
from pages.shared import guarantee_claims
from pages.shared.releases import Releases

_GROUPS = "Queries of one group are about disjoint people: the largest of several totals counts."


def claims(result: PlanResult) -> Iterator[Claim]:
    """Yield the guarantee of the total, and the chance that the error of each query exceeds its half-width."""
    if result.plan is None:
        return
    yield _total_claim(result, result.plan.lines)
    significance = format_input_up(result.setting.significance)
    for part in result.planned_queries:
        if part.query.width or part.is_choice or part.query.spread != 1:
            continue
        n_cells = part.row.item.n_cells if part.row.item.has_joint_error() else 1
        scale, half_width = exact_text(part.noise.scale), format_up(part.half_width)
        claim = (part.noise.family, part.noise.symbol, scale, half_width, significance, n_cells)
        yield guarantee_claims.half_width_claim(*claim)


def _total_claim(result: PlanResult, releases: Releases) -> Claim:
    setting = result.setting
    epsilon = format_up(result.epsilon)
    delta = "0" if setting.plan_delta == 0 else format_input_up(setting.delta)
    subject = f"δ({epsilon}) of the queries together"
    if result.plan is not None and any(query.group for query in result.plan.queries):
        return Claim(subject, reason=_GROUPS)
    if setting.plan_delta == 0 or result.epsilon >= guarantee_claims.sum_of_epsilons(releases):
        return guarantee_claims.basic_claim(subject, releases, epsilon, delta)
    return guarantee_claims.exact_claim(subject, releases, epsilon, delta)
