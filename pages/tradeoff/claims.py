"""The bounds of the chosen curve on every attack, which "Verify" proves."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import escape_markdown, exact_text, format_input_up, percent_up
from pages.shared.guarantee_claims import number
from pages.tradeoff import text
from pages.tradeoff.curve_kinds import quantities
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import TradeoffResult

Call = tuple[str, dict[str, Any]]

_REASONS = {
    "points": "Points that an attack reached are not a bound.",
    "claim": "It holds only if the claim does.",
    "zcdp": "It is the minimum over infinitely many Rényi orders, computed by a search and rounded up.",
    "sgm": "Its privacy losses are composed on a grid by Fourier transforms, every step rounded up.",
}
_LEAST_THETA = 1e-100
_COMPOSED = "Releases of this noise are composed on a grid by Fourier transforms, every step rounded up."


def claims(result: TradeoffResult) -> Iterator[Claim]:
    """Yield the power at α, the posterior after a positive test, and the power that the (ε, δ) alone allows."""
    row, setting = result.chosen_row, result.setting
    call = _call(row)
    subject = f"The true positive rate at {text.rate_text(row.alpha)} ({_description(row)})"
    if isinstance(call, str):
        yield Claim(subject, reason=call)
    else:
        yield _claim(subject, text.power_text(row), call, row.alpha)
        if row.power > 0:
            posterior = f"The posterior after a positive test, prior {text.share_of(row.prior)}"
            yield _claim(posterior, text.posterior_text(row), call, row.alpha, prior=_decimal(row.prior))
    if result.power_of_guarantee is not None:
        guarantee = f"({format_input_up(setting.epsilon)}, {format_input_up(setting.delta)})-DP"
        subject = f"The true positive rate that {guarantee} alone allows at {text.rate_text(row.alpha)}"
        call = _epsilon_delta_power(setting.epsilon, setting.delta)
        yield _claim(subject, percent_up(result.power_of_guarantee), call, row.alpha)


def _description(row: CurveRow) -> str:
    """Return a curve by its name and its numbers, in Markdown."""
    recipe = row.item.recipe
    pairs = zip(quantities(row.item.kind), recipe.numbers, strict=True)
    numbers = [f"{quantity.symbol} = {exact_text(value)}" for quantity, value in pairs]
    releases = [] if recipe.releases == 1 else [f"{recipe.releases:,} releases"]
    return escape_markdown("; ".join((row.display_name, *numbers, *releases)))


def _call(row: CurveRow) -> Call | str:
    """Return the function that encloses the power of a curve with its numbers, or why there is none."""
    recipe = row.item.recipe
    call = _CALLS.get(recipe.kind)
    if call is None:
        return _REASONS[recipe.kind]
    if recipe.kind in ("gdp", "sigma"):
        function, numbers = call(*recipe.numbers)
        return function, {**numbers, "n_releases": recipe.releases}
    return call(*recipe.numbers) if recipe.releases == 1 else _COMPOSED


def _claim(subject: str, bound: str, call: Call, alpha: float, **more: Decimal) -> Claim:
    function, numbers = call
    share = number(bound.removesuffix(" %")) / 100
    return Claim(subject, share, function, {"alpha": _decimal(alpha), **numbers, **more})


def _decimal(value: float) -> Decimal:
    return number(exact_text(value))


def _epsilon_delta_power(epsilon: float, delta: float = 0.0) -> Call:
    return "epsilon_delta_power", {"epsilon": _decimal(epsilon), "delta": _decimal(delta)}


def _gdp_power(mu: float) -> Call:
    return _gaussian_power(1.0, mu)


def _gaussian_power(sigma: float, l2_sensitivity: float) -> Call:
    return "gaussian_power", {"sigma": _decimal(sigma), "l2_sensitivity": _decimal(l2_sensitivity)}


def _laplace_power(theta: float) -> Call:
    return "laplace_power", {"theta": _decimal(theta)}


def _geometric_power(theta: float, sensitivity: float) -> Call:
    """Return the call with the scale Δ/θ, rounded down as less noise gives an attacker more; by pure DP at a tiny θ."""
    if theta < _LEAST_THETA:
        return _epsilon_delta_power(theta)
    scale = _decimal(sensitivity) / _decimal(theta) * (1 - Decimal("1e-25"))
    return "geometric_power", {"scale": scale, "l1_sensitivity": int(sensitivity)}


def _truncated_laplace_power(epsilon: float, delta: float) -> Call:
    return "truncated_laplace_power", {"epsilon": _decimal(epsilon), "delta": _decimal(delta)}


def _truncated_geometric_power(epsilon: float, bound: float, sensitivity: float) -> Call:
    steps = {"bound": int(bound), "sensitivity": int(sensitivity)}
    return "truncated_geometric_power", {"epsilon": _decimal(epsilon), **steps}


def _generalized_gaussian_power(p: float, scale: float, sensitivity: float) -> Call:
    numbers = {"scale": _decimal(scale), "p": _decimal(p), "sensitivity": _decimal(sensitivity)}
    return "generalized_gaussian_power", numbers


_CALLS: dict[str, Callable[..., Call]] = {
    "gdp": _gdp_power,
    "sigma": _gaussian_power,
    "approx": _epsilon_delta_power,
    "pure": _epsilon_delta_power,
    "laplace": _laplace_power,
    "geometric": _geometric_power,
    "truncated": _truncated_laplace_power,
    "truncated_geometric": _truncated_geometric_power,
    "gg": _generalized_gaussian_power,
}
