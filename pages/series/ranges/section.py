"""The section on ranges of ordered cells."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section
from pages.framework.parameters.number_format import without_markdown
from pages.framework.parameters.parameter import Parameter
from pages.series.parameters import ACCEPTED, ERROR_FIELD, IN_PERIODS, KNOWN_FIELD, N_CELLS, NOISE_FIELD
from pages.series.ranges import code, figures, text
from pages.series.ranges.results import column_of
from pages.series.results import SeriesResult
from pages.series.statements import noise_claim, range_statements, sensitivity_claim
from pages.shared.counts.parameters import NEIGHBOURS, PER_CELL, PER_TOTAL
from pages.shared.counts.table import table_conditions
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def lengths(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the error of a range by its length."""
    figure, alternative = figures.lengths_figure(result, colours), text.lengths_alternative_text(result)
    return Exhibit("lengths", figure, alternative, result.ranges.lengths, result.ranges_header)


def range_methods(result: SeriesResult, _: Colours) -> Exhibit:
    """Return the table of all methods."""
    alternative = without_markdown(text.range_methods_alternative_text(result))
    html, frame = text.range_methods_html(result), result.ranges.range_methods
    return Exhibit("range_methods", html, alternative, frame, result.ranges_header)


def controls(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    persons = () if result.setting.counts_once else (IN_PERIODS,)
    delta = () if result.setting.noise.pure else (DELTA,)
    return N_CELLS, *persons, KNOWN_FIELD, ACCEPTED if result.setting.wanted else EPSILON, *delta, NOISE_FIELD


def more_settings(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    limits = () if result.setting.counts_once else (PER_CELL, PER_TOTAL)
    return SIGNIFICANCE, ERROR_FIELD, *limits, Field(NEIGHBOURS, "Neighbours")


def parts(result: SeriesResult, colours: Colours) -> Iterator[Part]:
    """Yield the error by the length of a range and what to do; folded, whether a tree pays, and all methods."""
    yield lengths(result, colours)
    yield text.range_steps_text(result)
    yield Fold((text.tree_text(result),), "Does a tree pay")
    yield Fold((range_methods(result, colours), text.lowest_text(result)), "Compare the methods in numbers")


def conditions(result: SeriesResult) -> Conditions:
    """Return the conditions of the answer: those of a table."""
    return table_conditions(result.table_values)


def claims(result: SeriesResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and what is not enclosed."""
    setting, found = result.setting, result.ranges
    yield noise_claim(found.chosen, found.range_scale, setting.epsilon, setting.delta)
    yield sensitivity_claim(found.chosen, text.METHOD_WORDS[column_of(found.best_method)])


SECTION = Section[SeriesResult](
    key="ranges",
    name="Ranges",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=text.range_explanation,
    exhibits=(lengths, range_methods),
    claims=claims,
    snippets=code.snippets,
    statements=range_statements,
    conditions=conditions,
)
