"""What the curve that the page speaks of says of an attack, to be proved."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from pages.framework.layout.verify_panel import Claim
from pages.framework.parameters.number_format import escape_markdown, exact_text, format_input_up, percent_up
from pages.shared.guarantee_claims import number
from pages.tradeoff import text
from pages.tradeoff.curve_kinds import quantities
from pages.tradeoff.exhibits import TradeoffResult
from pages.tradeoff.rows import Row

Call = tuple[str, dict[str, Any]]

_REASONS = {
    "points": "An attack caught that many once: it bounds nothing.",
    "claim": "It holds only if what is claimed does.",
    "zcdp": "It is the best of infinitely many bounds, one for each Rényi order, searched for and rounded up.",
    "geometric": "It is a sum over whole numbers that is not enclosed here.",
    "sgm": "Its losses are composed on a grid by Fourier transforms, each step rounded up.",
}
_COMPOSED = "Releases of this noise are composed on a grid by Fourier transforms, each step rounded up."


def claims(result: TradeoffResult) -> Iterator[Claim]:
    """What is caught at most at α, how sure a positive test makes, and what the promise alone would allow."""
    row, setting = result.row, result.setting
    made = _call(row)
    subject = f"The share that is caught at {text.rate(row.alpha)} ({_named(row)})"
    if isinstance(made, str):
        yield Claim(subject, reason=made)
    else:
        yield _claim(subject, text.caught(row), made, row.alpha)
        if row.power > 0:
            sure = f"How sure a positive test makes at most, {text.share_of(row.prior)} sure beforehand"
            yield _claim(sure, text.sure(row), made, row.alpha, prior=_decimal(row.prior))
    if result.alone is not None:
        promise = f"({format_input_up(setting.epsilon)}, {format_input_up(setting.delta)})-DP"
        allowed, call = percent_up(result.alone), _approx(setting.epsilon, setting.delta)
        yield _claim(f"The share that {promise} alone allows at {text.rate(row.alpha)}", allowed, call, row.alpha)


def _named(row: Row) -> str:
    """A curve by its name and its numbers, in Markdown."""
    asked, recipe = quantities(row.item.kind), row.item.recipe
    numbers = [f"{each.symbol} = {exact_text(value)}" for each, value in zip(asked, recipe.numbers, strict=True)]
    often = [] if recipe.releases == 1 else [f"{recipe.releases:,} releases"]
    return escape_markdown("; ".join((row.shown, *numbers, *often)))


def _call(row: Row) -> Call | str:
    """The function that encloses the power of a curve with its numbers, or why there is none."""
    recipe = row.item.recipe
    made = _CALLS.get(recipe.kind)
    if made is None:
        return _REASONS[recipe.kind]
    if recipe.kind in ("gdp", "sigma"):
        function, given = made(*recipe.numbers)
        return function, {**given, "count": recipe.releases}
    return made(*recipe.numbers) if recipe.releases == 1 else _COMPOSED


def _claim(subject: str, shown: str, call: Call, alpha: float, **more: Decimal) -> Claim:
    function, given = call
    most = number(shown.removesuffix(" %")) / 100
    return Claim(subject, most, function, {"alpha": _decimal(alpha), **given, **more})


def _decimal(value: float) -> Decimal:
    return number(exact_text(value))


def _approx(epsilon: float, delta: float = 0.0) -> Call:
    return "epsilon_delta_power", {"epsilon": _decimal(epsilon), "delta": _decimal(delta)}


def _gdp(mu: float) -> Call:
    return _sigma(1.0, mu)


def _sigma(sigma: float, moved: float) -> Call:
    return "gaussian_power", {"sigma": _decimal(sigma), "l2_sensitivity": _decimal(moved)}


def _laplace(theta: float) -> Call:
    return "laplace_power", {"theta": _decimal(theta)}


def _generalized(p: float, scale: float, moved: float) -> Call:
    given = {"scale": _decimal(scale), "p": _decimal(p), "sensitivity": _decimal(moved)}
    return "generalized_gaussian_power", given


_CALLS: dict[str, Callable[..., Call]] = {
    "gdp": _gdp,
    "sigma": _sigma,
    "approx": _approx,
    "pure": _approx,
    "laplace": _laplace,
    "gg": _generalized,
}
