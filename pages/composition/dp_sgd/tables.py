"""The table of ε of a training by each accountant."""

import math

from pages.composition.dp_sgd.results import MIN_EXACT_NOISE, Training
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_down


def account_rows(training: Training) -> list[tuple[str, float, str]]:
    """Return for each accountant its name, the ε of the training, and the kind of that value."""
    return [
        ("Certified (the answer)" if training.is_solved else "Certified", training.epsilon, "upper bound"),
        ("Exact, by a contour integral", training.exact, _exact_worth(training)),
        ("RDP, at the best order", training.rdp, "upper bound"),
        ("CLT (Gaussian limit)", training.clt, _clt_worth(training)),
    ]


def _exact_worth(training: Training) -> str:
    if not math.isnan(training.exact):
        return "correct to about 9 digits, not proved"
    too_long = "takes too long for so little noise"
    return f"not available: {too_long if training.noise < MIN_EXACT_NOISE else 'integration failed'}"


def _clt_worth(training: Training) -> str:
    if math.isnan(training.clt):
        return "not available for so little noise"
    if training.clt < training.exact:
        return f"not a bound: here {percent_down(1 - training.clt / training.exact, 2)} too small"
    if training.clt < training.best_epsilon:
        return "not a bound; whether it is too small here is not known"
    return "not a bound; here it is not too small"


def table_html(training: Training) -> str:
    """Return ε by each accountant as a table."""
    best = training.best_epsilon or math.nan
    body = [
        [name, _rounded_by_worth(value, worth), _rounded_by_worth(value / best, worth), worth]
        for name, value, worth in account_rows(training)
    ]
    compared = "÷ certified" if math.isnan(training.exact) else "÷ exact"
    heads = ["Accountant", f"ε at δ = {format_input_up(training.delta)}", compared, "Kind of value"]
    return number_format.table_html("ε of this training by each accountant", "accounts", heads, body)


def _rounded_by_worth(value: float, worth: str) -> str:
    return format_up(value) if worth == "upper bound" else format_nearest(value)
