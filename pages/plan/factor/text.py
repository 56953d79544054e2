"""The sentences on the total against the common factor."""

import math

from pages.framework.parameters.number_format import format_nearest, format_up
from pages.plan import text
from pages.plan.factor.results import factor_curve, total_at
from pages.plan.query_kinds import NOISE_NAMES
from pages.plan.results import PlanResult


def answer_text(result: PlanResult) -> tuple[str, ...]:
    """Return the totals at half and twice the errors, then that of the plan or its factor, with its assumption."""
    sentences = text.answer_text(result)
    if result.plan is None:
        return sentences
    halved, doubled = (_total_text(total_at(result, result.factor * by)) for by in (0.5, 2))
    first = f"Errors twice as large require {doubled}, and errors half as large {halved}."
    return first, *sentences[::2]


def _total_text(epsilon: float) -> str:
    return f"ε = {format_up(epsilon)}" if math.isfinite(epsilon) else "noise outside the limits of the plan"


def alternative_text(result: PlanResult) -> str:
    """Return what the figure shows, in a sentence."""
    curve = factor_curve(result)
    first, last = (f"ε = {format_up(value)}" for value in (curve.epsilon[0], curve.epsilon[-1]))
    ends = f"from {first} at {format_nearest(curve.factor[0])} to {last} at {format_nearest(curve.factor[-1])} times"
    return f"The total ε falls as all wanted errors grow, {ends} the wanted errors."


def uniform_text(result: PlanResult) -> str:
    """Return the totals of the plans that have one mechanism for all."""
    if result.plan is None:
        return ""
    totals = {key: float(bound.value) for key, bound in result.plan.uniform.items()}
    parts = [f"{NOISE_NAMES[key]} ε = {format_up(value)}" for key, value in totals.items()]
    return (
        f"**One mechanism for all** would require, at the errors of the plan: {', '.join(parts)}. Where answers are "
        f"not whole numbers, geometric stands for Laplace and discrete Gaussian for Gaussian noise. The plan requires "
        f"ε = {format_up(result.epsilon)}."
    )
