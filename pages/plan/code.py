"""The plan in lines of code with dpcore, and its measurements with OpenDP."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from dpcore.clipping import Distribution
from dpcore.families import FAMILIES
from dpcore.plan import Query
from pages.framework.layout.code_panel import Limit, list_lines, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.plan.queries import query_arguments, statistic_arguments
from pages.plan.query_kinds import KINDS
from pages.plan.results import PlannedQuery, PlanResult
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_MAX_LINES = 4  # lines of code for the queries, whatever their number
_ROUNDING = 1e-6  # the relative difference of OpenDP's own privacy map, which rounds up
_CHOSEN = "It chooses medians and the largest of several as on A median, whose page has the program."
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
        if noisy:
            yield _opendp_snippet(noisy)
        yield from unavailable(_REASONS if noisy else _REASONS | {OPENDP: _CHOSEN})


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
    return Snippet(
        DPCORE, code, f"The factor on all errors, and {note[0].lower()}{note[1:]}", _factor_and_total(result)
    )


def _factor_and_total(result: PlanResult) -> tuple[float, ...]:
    return result.factor, result.epsilon


def _arguments(part: PlannedQuery, result: PlanResult) -> str:
    """Return the arguments of the call that makes a query."""
    item, setting = part.row.item, result.setting
    arguments = query_arguments(item, setting.neighbours, int(setting.periods))
    half_width = None if item.is_fixed else number(part.query.half_width)
    record = f"plan.{KINDS[item.kind].record.__name__}({_named(statistic_arguments(item, setting.threshold_delta))})"
    named = _named({"significance": setting.significance} | arguments)
    return f"{half_width}, {record}, {named}"


def _named(arguments: dict[str, Any]) -> str:
    """Return arguments of a call by their names."""
    return ", ".join(f"{name}={_text(value)}" for name, value in arguments.items())


def _text(value: Any) -> str:
    if isinstance(value, Distribution):
        return f"clipping.{value.name}({', '.join(map(number, value.parameters))}, {value.n})"
    return number(value) if isinstance(value, float) else repr(value)


def _opendp_snippet(parts: Sequence[PlannedQuery]) -> Snippet:
    """Return the measurement of each query with its scale, and the ε or ρ that OpenDP's own privacy map states."""
    noises = ", ".join(f"({_space(part)!r}, {number(part.noise.scale)}, {_sensitivity_text(part)})" for part in parts)
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
    limits += [Limit("every sensitivity", max(_seen(part).l1, 1e-9), 1e-6, 1e6) for part in parts]
    note = "The measurement of each query; its map states ε of Laplace and geometric noise, and ρ of Gaussian noise."
    values = tuple(_map_value(part) for part in parts)
    return within(Snippet(OPENDP, code, note, values, 1 - _ROUNDING, 1 + _ROUNDING), *limits)


def _space(part: PlannedQuery) -> tuple[str, str]:
    family = FAMILIES[part.noise.family].continuous or part.noise.family
    return family, "int" if part.noise.whole else "float"


def _sensitivity_text(part: PlannedQuery) -> str:
    if part.noise.family == "geometric":
        return str(math.ceil(part.query.l1))
    return number(_seen(part).l1 if part.noise.family == "laplace" else part.query.l2)


def _seen(part: PlannedQuery) -> Query:
    """Return the query as its noise sees it."""
    return part.query.seen_by(part.noise.family)


def _map_value(part: PlannedQuery) -> float:
    scale = part.noise.scale
    if FAMILIES[part.noise.family].pure:
        return _seen(part).l1 / scale
    return (part.query.l2 / scale) ** 2 / 2
