"""The charts and the table of contribution limits, with their words and numbers."""

from functools import partial

from pages.clipping.contributions import figures, tables, text
from pages.clipping.results import ClippingResult
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import chart_text, without_markdown


def error_curve(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over the limit."""
    limits = result.contributions
    if limits is None:
        return None
    pinned = None if result.pinned is None else result.pinned.contributions
    figure = figures.error_figure(limits, pinned, chart_text(text.noise_words(result)), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(result, limits)))
    return Exhibit(
        "limit_error", figure, alternative, limits.curve, _header(result), ("limit", ""), result.confidential
    )


def dropped_share(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the share of the records that is dropped."""
    limits = result.contributions
    if limits is None:
        return None
    figure = figures.dropped_figure(limits, chart_text(text.people_words(result)), colours)
    alternative = text.dropped_text(limits)
    return Exhibit("dropped", figure, alternative, limits.curve, _header(result), ("limit", ""), result.confidential)


def choices(result: ClippingResult, _: Colours) -> Exhibit | None:
    """Return the table of the limits that one may choose."""
    limits = result.contributions
    if limits is None:
        return None
    numbers = partial(tables.limits_frame, limits)
    html, alternative = tables.table_html(limits), text.table_text(limits)
    return Exhibit("limits", html, alternative, numbers, _header(result), ("", ""), result.confidential)


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ["epsilon", "delta", "significance", "noise", "cells", "limit", "spread", "dropping", "limit_error"]
    if not setting.is_own:
        keys += ["people", "n_records", *text.SHAPE_KEYS[setting.people]]
    entries = {key: str(getattr(setting, key)) for key in keys}
    return entries | {"units": "limits, errors and biases in records; shares of all records; epsilon in nats"}
