"""The charts and the table of the mechanisms: half-widths over cells per person and over ε, and in numbers."""

from functools import partial

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.tables.mechanisms import figures, mechanism_text, results, tables
from pages.tables.results import TablesResult


def half_widths(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return the half-widths over k or ε, as the user chose."""
    over_epsilon = result.values["against"] == "epsilon"
    return half_widths_over_epsilon(result, colours) if over_epsilon else half_widths_over_persons(result, colours)


def half_widths_over_persons(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return the half-widths of each mechanism over the number of cells per person."""
    curves, end = results.curves_over_persons(result), results.persons_axis_end(result)
    if not curves:
        return None
    pinned_curves = [] if result.pinned is None else results.curves_over_persons(result.pinned)
    narrower = mechanism_text.narrower_text(result)
    subtitle = f"{mechanism_text.persons_subtitle(result)}. {narrower}".rstrip(". ")
    figure = figures.persons_figure(result, curves, end, subtitle, colours, pinned_curves)
    alternative = f"{mechanism_text.alternative_text(result)} {narrower}".rstrip()
    return Exhibit(
        "noise_persons", figure, alternative, lambda: tables.curves_frame("cells_per_person", curves), result.csv_header
    )


def half_widths_over_epsilon(result: TablesResult, colours: Colours) -> Exhibit:
    """Return the half-widths of each mechanism over ε."""
    curves = results.curves_over_epsilon(result)
    pinned_curves = [] if result.pinned is None else results.curves_over_epsilon(result.pinned)
    figure = figures.epsilon_figure(result, curves, mechanism_text.epsilon_subtitle(result), colours, pinned_curves)
    alternative = mechanism_text.alternative_text(result)
    return Exhibit(
        "noise_epsilon", figure, alternative, lambda: tables.curves_frame("epsilon", curves), result.csv_header
    )


def mechanisms_table(result: TablesResult, _: Colours) -> Exhibit:
    """Return the mechanisms in numbers, each with its verdict."""
    html, alternative = mechanism_text.mechanisms_html(result), mechanism_text.alternative_text(result)
    confidential = result.confidential_note(CONFIDENTIAL_FIGURES)  # it shows the median of the counts
    numbers = partial(tables.mechanisms_frame, result)
    return Exhibit("mechanisms", html, alternative, numbers, result.csv_header, confidential=confidential)
