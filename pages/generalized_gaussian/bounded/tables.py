"""The table of the mechanisms within bounds."""

from dpcore.generalized_gaussian.bounded_comparison import CLIPPED, MECHANISMS
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up
from pages.generalized_gaussian.bounded.results import BoundedResult
from pages.generalized_gaussian.bounded.text import pure_epsilon_text


def table_html(result: BoundedResult, pinned: BoundedResult | None = None) -> str:
    """Return the accessible HTML table of every mechanism, with each b over that of a pinned setting."""
    setting = result.setting
    at = f"<span>at s = {format_input_up(setting.true_value)}</span>"
    heads = [
        "Mechanism",
        "b, query units",
        "Guarantee",
        "Pure ε satisfied",
        f"Bias {at}",
        f"RMS error {at}",
        "Largest error",
    ]
    heads += [] if pinned is None else ["b ÷ pinned b"]
    rows = []
    for mechanism in MECHANISMS:
        if mechanism.key in result.scale:
            guarantee = f"(ε, δ)-DP, δ = {format_input_up(setting.delta)}" if mechanism is CLIPPED else "pure ε-DP"
            errors = result.bias(mechanism.key), result.error(mechanism.key), float(result.errors(mechanism.key).max())
            cells = [
                format_up(result.scale[mechanism.key]),
                guarantee,
                pure_epsilon_text(result, mechanism.key),
                *(format_nearest(error) for error in errors),
            ]
            if pinned is not None:
                pinned_scale = pinned.scale.get(mechanism.key)
                cells.append(
                    "–" if pinned_scale is None else format_nearest(result.scale[mechanism.key] / pinned_scale)
                )
            rows.append([mechanism.name, *cells])
    return number_format.table_html("Mechanisms within bounds in numbers", "readings", heads, rows)
