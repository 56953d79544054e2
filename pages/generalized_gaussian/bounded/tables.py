"""The table of the mechanisms within bounds."""

from dpcore.generalized_gaussian.bounded_comparison import (
    CLIPPED,
    MECHANISMS,
)
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up
from pages.generalized_gaussian.bounded.results import BoundedResult
from pages.generalized_gaussian.bounded.text import pure_epsilon_text


def table_html(result: BoundedResult, before: BoundedResult | None = None) -> str:
    """Every mechanism in numbers, as an accessible HTML table; with a kept setting, its b over that one's."""
    setting = result.setting
    at = f"<span>at s = {format_input_up(setting.true_value)}</span>"
    heads = ["Mechanism", "b, query units", "Promise", "Pure ε kept", f"Bias {at}", f"RMS error {at}", "Largest error"]
    heads += [] if before is None else ["b ÷ pinned b"]
    rows = []
    for each in MECHANISMS:
        if each.key in result.scale:
            promise = f"(ε, δ)-DP, δ = {format_input_up(setting.delta)}" if each is CLIPPED else "pure ε-DP"
            errors = result.bias(each.key), result.error(each.key), float(result.errors(each.key).max())
            cells = [
                format_up(result.scale[each.key]),
                promise,
                pure_epsilon_text(result, each.key),
                *(format_nearest(error) for error in errors),
            ]
            if before is not None:
                was = before.scale.get(each.key)
                cells.append("–" if was is None else format_nearest(result.scale[each.key] / was))
            rows.append([each.name, *cells])
    return number_format.table_html("Mechanisms within bounds in numbers", "readings", heads, rows)
