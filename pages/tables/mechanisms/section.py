"""The section on which noise to add to a table."""

from collections.abc import Iterator, Sequence
from functools import partial

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.fields import TABLE_FIELD
from pages.shared.counts.table import contribution_fields
from pages.shared.page_links import risk_link_text
from pages.shared.shared_parameters import DELTA, EPSILON
from pages.tables import claims, code
from pages.tables.explanation import explanation_text
from pages.tables.fields import ERROR_FIELD, GUARANTEE_FIELD, sensitivity_fields
from pages.tables.mechanisms import figures, mechanism_text, results, tables, text
from pages.tables.mechanisms.questions_text import questions_text
from pages.tables.mechanisms.reasons_text import reasons_text
from pages.tables.parameters import AGAINST, CELLS, SHAPE, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.text import conditions, sample_text, table_answer_text


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


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture; without a table only its choice."""
    if result.is_missing:
        return (TABLE_FIELD,)
    size = (CELLS,) if result.setting.table == "size" else ()
    return (EPSILON, DELTA, *contribution_fields(result.values), GUARANTEE_FIELD, ERROR_FIELD, TABLE_FIELD, *size)


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield ± over k or ε, why the noise is recommended, the noises in numbers, and what they leave of the cells."""
    if result.is_missing:
        return
    yield half_widths(result, colours)
    yield Fields((Field(AGAINST, "Horizontal axis"), *sensitivity_fields(result)))
    yield " ".join(filter(None, (sample_text(result), reasons_text(result))))
    yield mechanisms_table(result, colours)
    yield Fields((SHAPE, SMALLEST) if result.has_cells else (SHAPE, SHARE, SMALLEST))
    yield f"{questions_text(result)}\n\n{risk_link_text(result.setting)}"


SECTION = Section[TablesResult](
    key="noise",
    name="Which noise",
    controls=controls,
    parts=parts,
    answer_text=lambda result: table_answer_text(result, text.answer_text, text.comparison_text),
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(half_widths_over_persons, half_widths_over_epsilon, mechanisms_table),
    claims=claims.mechanism_claims,
    snippets=code.snippets,
)
