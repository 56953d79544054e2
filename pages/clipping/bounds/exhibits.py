"""The charts and the table of clipped sums, with their words and numbers."""

from functools import partial

from pages.clipping.bounds import figures, tables, text
from pages.clipping.bounds.values_results import density_frame
from pages.clipping.results import ClippingResult
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import chart_text, without_markdown


def error_curve(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over the upper bound."""
    bounds = result.bounds
    if bounds is None:
        return None
    pinned = None if result.pinned is None else result.pinned.bounds
    figure = figures.error_figure(bounds, pinned, _words(result), chart_text(text.noise_words(result)), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(result, bounds)[:2]))
    return Exhibit(
        "error_curve", figure, alternative, bounds.curve, _header(result), ("bound", ""), result.confidential
    )


def values_chart(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the values, with what is cut."""
    bounds = result.bounds
    if bounds is None:
        return None
    frame, subtitle = density_frame(bounds), chart_text(text.shape_words(result))
    figure = figures.density_figure(bounds, frame, result.setting.unit, subtitle, colours)
    alternative = text.density_text(bounds)
    return Exhibit("values", figure, alternative, frame, _header(result), ("bound", ""), result.confidential)


def bound_over_epsilon(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the best bound over ε."""
    bounds = result.bounds
    if bounds is None:
        return None
    figure = figures.bound_figure(bounds, result.setting.unit, _subtitle(result), colours)
    alternative = text.bound_text(bounds)
    frame = bounds.over_epsilon
    return Exhibit("best_bound", figure, alternative, frame, _header(result), ("epsilon", ""), result.confidential)


def error_over_epsilon(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors over ε."""
    bounds = result.bounds
    if bounds is None:
        return None
    figure = figures.epsilon_figure(bounds, _words(result), _subtitle(result), colours)
    alternative = text.error_text(bounds)
    frame = bounds.over_epsilon
    return Exhibit("best_error", figure, alternative, frame, _header(result), ("epsilon", ""), result.confidential)


def choices(result: ClippingResult, _: Colours) -> Exhibit | None:
    """Return the table of the bounds that one may choose."""
    bounds = result.bounds
    if bounds is None:
        return None
    numbers = partial(tables.bounds_frame, bounds)
    alternative = text.table_text(bounds)
    return Exhibit(
        "choices", tables.table_html(bounds), alternative, numbers, _header(result), ("", ""), result.confidential
    )


def _words(result: ClippingResult) -> tuple[str, str]:
    return text.query_word(result), result.setting.unit


def _subtitle(result: ClippingResult) -> str:
    """Return the parameters of a chart over ε; of the user's own values nothing but their name."""
    return chart_text(f"{''.join(text.noise_and_delta(result))}, {text.shape_words(result)}")


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ("epsilon", "delta", "significance", "query", "low", "bound", "high", "neighbours", "noise", "error", "unit")
    entries = {key: str(getattr(setting, key)) for key in keys}
    entries |= {key: "best" for key in ("low", "bound") if getattr(setting.bounds, key) is None}
    entries |= {"count_share": str(setting.count_share)} if setting.query == "counted_mean" else {}
    if not setting.is_own:
        entries |= {key: str(getattr(setting, key)) for key in ("shape", "median", "p90", "n_records")}
    return entries | {"units": "bounds, values, biases and errors in the unit of the values; epsilon in nats"}
