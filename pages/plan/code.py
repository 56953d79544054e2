"""The plan in lines of code with dpcore and OpenDP, how its numbers are computed, and the claims that are proved."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from dpcore.clipping import Distribution
from dpcore.families import FAMILIES
from dpcore.plan import Query
from pages.framework.layout.panels import Limit, list_lines, number, program, unavailable, within
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import escape_markdown, exact_text, format_input_up, format_up
from pages.plan.quantities import NOISE_NAMES
from pages.plan.queries import query_arguments, statistic_arguments
from pages.plan.query_kinds import KINDS
from pages.plan.results import PlannedQuery, PlanResult
from pages.shared import guarantee_claims
from pages.shared.looks import family_look
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import SAMPLED
from pages.shared.releases import Releases

_MAX_LINES = 4  # lines of code for the queries, whatever their number
_ROUNDING = 1e-6  # the relative difference of OpenDP's own privacy map, which rounds up
_CHOSEN = "It chooses medians and the largest of several as on A median, whose page has the program."
_NO_SAMPLER = "It has no {} noise."
_REASONS = {
    DP_ACCOUNTING: "It accounts for releases and chooses no noise for errors; “All releases together” has its program.",
    DIFFPRIVLIB: "It splits no budget by errors, and composes (ε, δ) guarantees only.",
    OPACUS: "It has Gaussian noise on gradients only.",
}


def snippets(result: PlanResult) -> Iterator[Snippet]:
    """Yield the plan with dpcore and its measurements with OpenDP; nothing without a plan."""
    if result.plan is not None:
        yield _dpcore_snippet(result)
        noisy = [part for part in result.planned_queries if not part.is_choice]
        others = [part.noise.family for part in noisy if part.noise.family not in SAMPLED]
        if noisy and not others:
            yield _opendp_snippet(noisy)
        reason = _NO_SAMPLER.format(NOISE_NAMES[others[0]]) if others else "" if noisy else _CHOSEN
        yield from unavailable(_REASONS | ({OPENDP: reason} if reason else {}))


def _dpcore_snippet(result: PlanResult) -> Snippet:
    setting = result.setting
    calls = [f"plan.query({_arguments(part, result)})" for part in result.planned_queries]
    libraries = "clipping, plan" if any("clipping." in call for call in calls) else "plan"
    lines = [f"from dpcore import {libraries}", "", *list_lines("queries", calls, _MAX_LINES)]
    delta, note = number(setting.plan_delta), "The total ε of the plan; its mechanisms are the noise of each query."
    if not result.is_epsilon_set or all(part.row.item.is_fixed for part in result.planned_queries):
        code = program(*lines, f"print(plan.choose(queries, {delta}).total.value)")
        return Snippet(DPCORE, code, note, (result.epsilon,))
    call = f"scaled = plan.scaled_to(queries, {number(setting.epsilon)}, {delta})"
    code = program(*lines, call, "print(scaled.factor, scaled.plan.total.value, sep='\\n')")
    note = f"The factor on all errors, and {note[0].lower()}{note[1:]}"
    return Snippet(DPCORE, code, note, (result.factor, result.epsilon))


def _arguments(part: PlannedQuery, result: PlanResult) -> str:
    """Return the arguments of the call that makes a query."""
    item, setting = part.row.item, result.setting
    arguments = query_arguments(item, setting.neighbours, int(setting.periods))
    half_width = None if item.is_fixed else number(part.query.half_width)
    record_arguments = _keyword_arguments(statistic_arguments(item, setting.threshold_delta))
    record = f"plan.{KINDS[item.kind].record.__name__}({record_arguments})"
    named = _keyword_arguments({"significance": setting.significance} | arguments)
    return f"{half_width}, {record}, {named}"


def _keyword_arguments(arguments: dict[str, Any]) -> str:
    """Return arguments of a call by their names."""
    return ", ".join(f"{name}={_argument_text(value)}" for name, value in arguments.items())


def _argument_text(value: Any) -> str:
    if isinstance(value, Distribution):
        return f"clipping.{value.name}({', '.join(map(number, value.parameters))}, {value.n})"
    return number(value) if isinstance(value, float) else repr(value)


def _opendp_snippet(parts: Sequence[PlannedQuery]) -> Snippet:
    """Return the measurement of each query with its scale, and the ε or ρ that OpenDP's own privacy map states."""
    noises = ", ".join(
        f"({_opendp_space(part)!r}, {number(part.noise.scale)}, {_sensitivity_text(part)})" for part in parts
    )
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "cells = {T: dp.vector_domain(dp.atom_domain(T=T, **nan)) for T, nan in ((int, {}), (float, {'nan': False}))}",
        "make = {(name, T): (dp.m.make_laplace if name == 'laplace' else dp.m.make_gaussian, cells[T],",
        "    dp.l1_distance(T=T) if name == 'laplace' else dp.l2_distance(T=float))",
        "    for name in ('laplace', 'gaussian') for T in (int, float)}",
        f"for kind, scale, sensitivity in [{noises}]:".replace("'int'", "int").replace("'float'", "float"),
        "    measurement, domain, metric = make[kind]",
        "    print(measurement(domain, metric, scale=scale).map(sensitivity))",
    )
    limits = [Limit("every scale", part.noise.scale, 1e-3, 1e6) for part in parts]
    limits += [Limit("every sensitivity", max(_query_of_noise(part).l1, 1e-9), 1e-6, 1e6) for part in parts]
    note = (
        "The measurement of each query, or of both numbers of a quotient; its map states ε of Laplace and geometric "
        "noise, and ρ of Gaussian noise."
    )
    values = tuple(_map_value(part) for part in parts)
    return within(Snippet(OPENDP, code, note, values, 1 - _ROUNDING, 1 + _ROUNDING), *limits)


def _opendp_space(part: PlannedQuery) -> tuple[str, str]:
    family = FAMILIES[part.noise.family].continuous or part.noise.family
    return family, "int" if part.noise.whole else "float"


def _sensitivity_text(part: PlannedQuery) -> str:
    if part.noise.family == "geometric":
        return str(math.ceil(part.query.l1))
    return number(_query_of_noise(part).l1 if part.noise.family == "laplace" else part.query.l2)


def _query_of_noise(part: PlannedQuery) -> Query:
    """Return the query as its noise sees it."""
    return part.query.seen_by(part.noise.family)


def _map_value(part: PlannedQuery) -> float:
    scale = part.noise.scale
    if FAMILIES[part.noise.family].pure:
        return _query_of_noise(part).l1 / scale
    return (part.query.l2 / scale) ** 2 / 2


_PARAGRAPHS = (
    "**From the error to the noise.** A wanted half-width $a$ with significance level $\\alpha$ fixes the scale of "
    "each mechanism: Laplace noise $b=a/\\ln(1/\\alpha)$, Gaussian noise $\\sigma=a/\\Phi^{-1}(1-\\alpha/2)$, "
    "geometric and discrete Gaussian noise the largest scale with $\\Pr(|X|>a)\\le\\alpha$. If the error is that of "
    "all $m$ cells at once, each cell has $1-(1-\\alpha)^{1/m}$. Where the number $n$ of records of a mean is not "
    "public, a noisy sum of $(x-c)/(w/2)$ with $c$ the middle of the range and $w$ its width is divided by a noisy "
    "count, with noise of the same scale $b$. The error is within $\\pm a$, wherever in its range the mean is, if "
    "$\\Pr(X+(1+t)Y>tn/b)+\\Pr(X+\\max(t,1-t)Y>tn/b)\\le\\alpha$ with $t=2a/w$ and noises $X,Y$ of scale 1: both "
    "tails are closed forms, and the bound is reached by a mean at an end of its range.",
    "**Limits of one person.** In a histogram a person is in one cell ($\\Delta_1=1$), in a table in up to $k$ cells "
    "by at most $c$ in each ($\\Delta_1=kc$, $\\Delta_2=c\\sqrt{k}$). Where a person adds at most $N$ in all to a "
    "table in each of $P$ periods, and each cell is of one period, at most $f=\\min(k,P\\lfloor N/c\\rfloor)$ cells "
    "change by $c$, and $g=\\min(k-f,P)$ by the rest $r=N\\bmod c$: $\\Delta_1=fc+gr$, $\\Delta_2=\\sqrt{fc^2+gr^2}$. "
    "At most 4 visits a year in 36 months of three years give $\\Delta_1=12$ and $\\Delta_2=\\sqrt{48}$. A series, "
    "whose noisy sums may span years, takes $NP$ in all as its limit: the same where $c$ divides $N$, else a safe "
    "bound that is a little larger ($\\sqrt{57}$ instead of $\\sqrt{51}$ with $N=5$, $c=4$, $P=3$). In a histogram "
    "all of $NP$ may be in one cell. Where up to $N$ records of a person count in each of $P$ periods, a count, a "
    "sum, a mean or a share moves $NP$ times as far as by one record, and so does the score of a quantile, whose ε is "
    "then $NP$ times as large. If a person is replaced, a sum then moves by $NP(\\max(hi,0)-\\min(lo,0))$: both may "
    "have other numbers of records.",
    "**Statistics that are no plain number with noise.** A median or quantile is drawn on its grid by "
    "permute-and-flip or the exponential mechanism; the least ε with the wanted error is found on a typical "
    "sample of a lognormal distribution (A median). The largest of $m$ counts is at most $g$ below the true "
    "largest with $\\varepsilon=c\\ln((m-1)(1-\\alpha)/\\alpha)/g$ by the exponential mechanism, less by "
    "permute-and-flip. Unknown groups get noise on $k$ counts and a threshold "
    "$\\tau=c+\\sigma\\Phi^{-1}((1-\\delta_\\tau)^{1/k})$; all thresholds have a tenth of δ, which is taken from it "
    "first (an upper bound). With at most $N$ in all the noise is that of $N$ as in a table, and the threshold that of "
    "$\\min(c,N)$ in each of $\\min(k,N)$ groups; over $P$ periods $NP$ stands for $N$. A series has the "
    "best strategy of A series: its $\\Delta_2$ is that of the noisy sums, and ± is that of its worst number.",
    "**From the noise to the total.** Privacy losses of independent releases add up. The total is the exact ε at δ of "
    "their sum: a closed form for Gaussian noise alone, a contour integral to nine digits, or a certified bound on a "
    "grid of losses (Doroshenko et al. 2022), as on “All releases together”. Without δ, the ε of Laplace and geometric "
    "noise are added (Dwork & Roth 2014). A person is in only one query of a group, so the largest total of all "
    "combinations counts (McSherry 2009, Theorem 4).",
    "**The choice.** A search starts from the plans with one mechanism for all and changes one query at a time while "
    "an estimate of the total falls, by the saddle point of the contour integral. The best plans, and each plan of one "
    "mechanism that comes near them, are compared by their exact totals. The result is the best plan that was tried, "
    "which need not be the best of all.",
    "**If the total is known.** One factor multiplies all wanted errors that are not fixed. The total falls as the "
    "factor grows; the least factor at which it is at most ε is rounded up. With noise on whole numbers the total "
    "falls in steps, so that some of ε may be left.",
)


def explanation_text(result: PlanResult) -> str:
    """Return how the numbers are computed, and what an even split of the total would require."""
    return "\n\n".join((*_PARAGRAPHS, *filter(None, [_even_split_text(result)])))


def _even_split_text(result: PlanResult) -> str:
    """Return what the errors of the plan would require if each query got the same part; empty where there are none."""
    plan = result.plan
    even = None if plan is None or len(plan.queries) < 2 else plan.even_split
    if plan is None or even is None:
        return ""
    parts = "ε" if plan.delta == 0 else "ε and of δ"
    noise = "Laplace, geometric or Gaussian noise" if plan.delta else "Laplace or geometric noise"
    return (
        f"**An even split instead.** Where each of the {len(plan.queries)} queries gets the same part of {parts}, with "
        f"the best {noise}, the one that needs most decides: the errors of this plan require ε = {format_up(even)}. "
        f"The plan requires ε = {format_up(result.epsilon)}."
    )


_QUOTIENT = "It is the error of a quotient of two numbers with noise."
_NO_ONE_NOISE = "It is not the error of one noise, but of a draw, a threshold or several sums."
_GROUPS = "Queries of one group are about disjoint people: the largest of several totals counts."


def claims(result: PlanResult) -> Iterator[Claim]:
    """Yield the guarantee of the total, and the chance that the error of each query exceeds its half-width."""
    if result.plan is None:
        return
    yield _total_claim(result, result.plan.lines)
    significance = format_input_up(result.setting.significance)
    for part in result.planned_queries:
        if part.hidden_sum is not None:
            yield Claim(_error_of(part), reason=_QUOTIENT)
            continue
        tail = None if part.is_choice or part.query.spread != 1 else family_look(part.noise.family).tail
        if tail is None:
            yield Claim(_error_of(part), reason=_NO_ONE_NOISE)
            continue
        n_cells = part.row.item.n_cells if part.row.item.has_joint_error() else 1
        noise, half_width = {part.noise.symbol: exact_text(part.noise.scale)}, format_up(part.half_width)
        yield guarantee_claims.half_width_claim(tail, noise, half_width, significance, n_cells)


def _error_of(part: PlannedQuery) -> str:
    return f"The error of {escape_markdown(part.row.name)}"


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
