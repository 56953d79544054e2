"""The power of the best attack on the chosen curve in code, and the bounds on attacks that "Verify" proves."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from dpcore import verify
from pages.framework.export.exhibit import CONFIDENTIAL_CODE
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import escape_markdown, exact_text, format_input_up, percent_up
from pages.shared.guarantee_claims import Enclose
from pages.shared.guarantee_claims import number as claimed_number
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP, OPENDP_SPACE
from pages.tradeoff import text
from pages.tradeoff.curve_kinds import KINDS, POINT_KINDS, Recipe, quantities
from pages.tradeoff.curve_list import has_own_points
from pages.tradeoff.results import CurveRow, TradeoffResult

_MAX_POINTS = 12  # in a program
_NO_CURVE = {
    DIFFPRIVLIB: "It has basic composition of ε and δ, but no privacy profile, from which a trade-off curve follows.",
    OPACUS: "It has ε of DP-SGD at one δ, but no trade-off curve.",
}
_NO_PROFILE = "It has no privacy profile of this curve."
_NO_FINITE_NOISE = "It requires finite noise; a curve that reveals nothing has none."
_GAUSSIAN: dict[str, Callable[..., tuple[float, float]]] = {  # σ and Δ₂
    "gdp": lambda mu: (1 / mu, 1.0),
    "sigma": lambda sigma, sensitivity: (sigma, sensitivity),
    "zcdp": lambda rho: ((2 * rho) ** -0.5, 1.0),
}


def snippets(result: TradeoffResult) -> tuple[Snippet, ...]:
    """Return programs that compute the power at α and the posterior of the chosen curve."""
    row = result.chosen_row
    return _dpcore_snippet(row), _opendp_snippet(row), _dp_accounting_snippet(row), *unavailable(_NO_CURVE)


def _dpcore_snippet(row: CurveRow) -> Snippet:
    recipe = row.item.recipe
    if recipe.points is not None and len(recipe.points.alpha) > _MAX_POINTS:
        return Snippet(DPCORE, "", f"The curve has {len(recipe.points.alpha)} points: too many for a few lines.")
    code = program(
        "import numpy as np",
        "from dpcore import tradeoff",
        "",
        *_curve_lines(recipe),
        f"alpha, prior = {number(row.alpha)}, {number(row.prior)}",
        "power = curve.power(np.array(alpha))",
        "print(power)",
        *(["print(tradeoff.posterior(alpha, power, prior))"] if row.power > 0 else []),
    )
    note = f"True positive rate at α{', and the posterior after a positive test' if row.power > 0 else ''}."
    if has_own_points(row.item):
        note = f"{note} {CONFIDENTIAL_CODE}"
    return Snippet(DPCORE, code, note, (row.power, row.posterior) if row.power > 0 else (row.power,))


def _curve_lines(recipe: Recipe) -> list[str]:
    if recipe.points is not None:
        alpha, beta = ([float(value) for value in values] for values in (recipe.points.alpha, recipe.points.beta))
        lines = [
            f"alpha, beta = {alpha}, {beta}",
            "curve = tradeoff.points_curve(alpha + beta, beta + alpha, hull=True)",
        ]
    else:
        numbers = recipe.numbers
        if recipe.kind == "gg":  # in the link p comes before the scale
            numbers = (numbers[1], numbers[0], *numbers[2:])
        arguments = ", ".join(map(number, numbers))
        lines = [f"curve = tradeoff.{KINDS[recipe.kind].make.__name__.removeprefix('_')}({arguments})"]
    if recipe.releases != 1:
        lines.append(f"curve = tradeoff.composed_curve([curve], [{recipe.releases}])")
    return lines


_POWER_LINES = (
    "powers = np.exp(epsilon) * alpha + delta, 1 - np.exp(-epsilon) * (1 - delta - alpha)",
    "print(np.min(powers))",
)


def _tested_limits(row: CurveRow) -> tuple[Limit, ...]:
    recipe = row.item.recipe
    ends = {"μ": (0.05, 5), "θ": (0.05, 5), "ρ": (0.001, 10)}
    first, *others = recipe.numbers
    symbol = KINDS[recipe.kind].quantities[0].symbol
    limits = [Limit(symbol, first, *ends.get(symbol, (0.3, 100)))]
    if recipe.kind in ("sigma", "geometric"):
        limits += [Limit("Δ", others[0], 1, 10)]
    elif recipe.kind == "sgm":
        limits += [Limit("the sampling rate", others[0], 0.001, 1), Limit("steps", others[1], 1, 2000)]
    return *limits, Limit("α", row.alpha, 0.001, 0.9), Limit("releases", recipe.releases, 1, 20)


def _opendp_snippet(row: CurveRow) -> Snippet:
    recipe = row.item.recipe
    if recipe.kind not in _GAUSSIAN:
        has_points = recipe.kind in POINT_KINDS
        limit = "It has no curve of points" if has_points else "It has δ(ε) for Gaussian noise only"
        return Snippet(OPENDP, "", f"{limit}, and no trade-off curve.")
    if recipe.numbers[0] == 0:
        return Snippet(OPENDP, "", _NO_FINITE_NOISE)
    scale, sensitivity = _GAUSSIAN[recipe.kind](*recipe.numbers)
    releases = "noise" if recipe.releases == 1 else f"dp.c.make_composition([noise] * {recipe.releases})"
    code = program(
        "import numpy as np",
        *OPENDP_SPACE,
        f"noise = dp.m.make_gaussian(*space, scale={number(scale)})",
        f"profile = dp.c.make_zCDP_to_approxDP({releases}).map({number(sensitivity)})",
        f"alpha, epsilon = {number(row.alpha)}, np.linspace(0, 20, 501)",
        "delta = np.array([profile.delta(each) for each in epsilon])",
        *_POWER_LINES,
    )
    note = "Read from the δ(ε) that it derives from ρ-zCDP, which is above that of Gaussian noise."
    return within(Snippet(OPENDP, code, note, (row.power,), 1.0, 3.0), *_tested_limits(row))


def _dp_accounting_snippet(row: CurveRow) -> Snippet:
    recipe = row.item.recipe
    loss = KINDS[recipe.kind].privacy_loss
    if not loss or recipe.numbers[0] == 0:
        return Snippet(DP_ACCOUNTING, "", _NO_FINITE_NOISE if loss else _NO_PROFILE)
    composition = "" if recipe.releases == 1 else f".self_compose({recipe.releases})"
    code = program(
        "import numpy as np",
        "from dp_accounting.pld import privacy_loss_distribution as pld",
        "",
        f"loss = pld.{loss.format(*recipe.numbers)}{composition}",
        f"alpha, epsilon = {number(row.alpha)}, np.linspace(0, 20, 2001)",
        "delta = np.array(loss.get_delta_for_epsilon(epsilon))",
        *_POWER_LINES,
    )
    note = "Read from its δ(ε) at 2,001 places, which is bounded from above."
    least = 1 - 1e-3 if recipe.kind == "sgm" else 1 - 1e-9  # the number of the page is rounded up too
    return within(Snippet(DP_ACCOUNTING, code, note, (row.power,), least, 1.05), *_tested_limits(row))


Call = tuple[Enclose | None, dict[str, Any]]

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
    kind, numbers, releases = recipe.kind, recipe.numbers, recipe.releases
    if kind in _REASONS:
        return _REASONS[kind]
    if kind in ("gdp", "sigma"):
        sigma, sensitivity = (1.0, *numbers) if kind == "gdp" else numbers
        arguments = {"sigma": _decimal(sigma), "l2_sensitivity": _decimal(sensitivity), "n_releases": releases}
        return verify.gaussian_power, arguments
    if releases > 1:
        return _COMPOSED
    if kind == "pure":
        return _epsilon_delta_power(*numbers)
    if kind == "geometric":
        return _geometric_power(*numbers)
    pairs = zip(quantities(kind), numbers, strict=True)
    arguments = {quantity.key: int(value) if quantity.whole else _decimal(value) for quantity, value in pairs}
    return KINDS[kind].enclosure, arguments


def _claim(subject: str, bound: str, call: Call, alpha: float, **more: Decimal) -> Claim:
    function, numbers = call
    share = claimed_number(bound.removesuffix(" %")) / 100
    return Claim(subject, share, function, {"alpha": _decimal(alpha), **numbers, **more})


def _decimal(value: float) -> Decimal:
    return claimed_number(exact_text(value))


def _epsilon_delta_power(epsilon: float, delta: float = 0.0) -> Call:
    return verify.epsilon_delta_power, {"epsilon": _decimal(epsilon), "delta": _decimal(delta)}


def _geometric_power(theta: float, sensitivity: float) -> Call:
    """Return the call with the scale Δ/θ, rounded down as less noise gives an attacker more; by pure DP at a tiny θ."""
    if theta < _LEAST_THETA:
        return _epsilon_delta_power(theta)
    scale = _decimal(sensitivity) / _decimal(theta) * (1 - Decimal("1e-25"))
    return verify.geometric_power, {"scale": scale, "l1_sensitivity": int(sensitivity)}
