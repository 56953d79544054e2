"""The section on the numbers of a series over time."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import CONFIDENTIAL_RELEASE, Colours, Exhibit
from pages.framework.layout.section import Claim, Field, Fields, Fold, Part, Row, Section
from pages.framework.parameters.number_format import exact_text, without_markdown
from pages.framework.parameters.parameter import Parameter
from pages.series.conditions import series_conditions
from pages.series.over_time import code, figures, text, trial_text
from pages.series.over_time.steps_text import explanation, series_steps_text
from pages.series.parameters import (
    ACCEPTED,
    ARRIVED,
    ERROR_FIELD,
    IN_PERIODS,
    KNOWN_FIELD,
    LENGTH,
    METHOD,
    NOISE_FIELD,
    PERIOD,
    PUBLICATION,
    PUBLISHED,
    SERIES_FIELD,
    WINDOW,
)
from pages.series.results import SeriesResult
from pages.series.statements import noise_claim, sensitivity_claim, series_downloads, series_statements
from pages.shared.counts.parameters import NEIGHBOURS, PER_CELL, PER_TOTAL
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE

MAP_PICKS = "length", "in_periods"
"""The parameters that a click on the map sets."""


def over_time(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the error of each number over time, by method."""
    figure, alternative = figures.over_time_figure(result, colours), text.over_time_alternative_text(result)
    return Exhibit("over_time", figure, alternative, result.over_time.frame, result.csv_header)


def over_persons(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the largest error over the number of periods that a person can be in."""
    figure, alternative = figures.over_persons_figure(result, colours), text.over_persons_alternative_text(result)
    return Exhibit(
        "over_persons", figure, alternative, result.over_time.over_persons, result.csv_header, ("in_periods", "")
    )


def trial(result: SeriesResult, colours: Colours) -> Exhibit | None:
    """Return a trial series with its band; None without its numbers."""
    frame = result.trial
    if frame is None:
        return None
    figure, alternative = figures.trial_figure(result, frame, colours), trial_text.trial_alternative_text(result, frame)
    header = result.csv_header | {"seed": exact_text(result.setting.seed)}
    confidential = CONFIDENTIAL_RELEASE if result.is_own else ""
    return Exhibit("trial", figure, alternative, frame, header, confidential=confidential)


def trial_errors(result: SeriesResult, colours: Colours) -> Exhibit | None:
    """Return by how much the trial is off; None without its numbers."""
    frame = result.trial
    if frame is None:
        return None
    figure, alternative = (
        figures.trial_errors_figure(result, frame, colours),
        trial_text.trial_errors_text(result, frame),
    )
    header = result.csv_header | {"seed": exact_text(result.setting.seed)}
    confidential = CONFIDENTIAL_RELEASE if result.is_own else ""
    return Exhibit("trial_errors", figure, alternative, frame, header, confidential=confidential)


def best_map(result: SeriesResult, colours: Colours) -> Exhibit:
    """Return the best method over T and k."""
    figure, alternative = figures.map_figure(result, colours), text.map_alternative_text(result)
    return Exhibit("best_map", figure, alternative, result.over_time.best_methods, result.csv_header, MAP_PICKS)


def methods(result: SeriesResult, _: Colours) -> Exhibit:
    """Return the table of all methods."""
    alternative = without_markdown(text.methods_alternative_text(result))
    return Exhibit("methods", text.methods_html(result), alternative, result.over_time.methods, result.csv_header)


def controls(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    persons = () if result.setting.counts_once else (IN_PERIODS,)
    window = (WINDOW,) if result.setting.totals in ("window", "year_to_date") else ()
    known = (ACCEPTED if result.setting.wanted else EPSILON,)
    if not _is_crowded(result):
        known = KNOWN_FIELD, *known
    return LENGTH, *persons, *known, Field(PUBLISHED, "Published"), *window, Field(PUBLICATION, "When")


def _is_crowded(result: SeriesResult) -> bool:
    """Return whether the fields would be more than six with the choice of what is known."""
    return not result.setting.counts_once and result.setting.series.window is not None


def more_settings(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    limits = () if result.setting.counts_once else (PER_CELL, PER_TOTAL)
    return (
        *((KNOWN_FIELD,) if _is_crowded(result) else ()),
        NOISE_FIELD,
        *(() if result.setting.noise.pure else (DELTA,)),
        SIGNIFICANCE,
        ERROR_FIELD,
        Field(METHOD, "Method"),
        *limits,
        Field(NEIGHBOURS, "Neighbours"),
        Field(PERIOD, "A period is one of the"),
    )


def parts(result: SeriesResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors over time and what to do; what else matters is folded, but a trial of the user's own series."""
    yield over_time(result, colours)
    trial_fields = Fields((SERIES_FIELD, *_arrived_field(result), SEED))
    if result.is_own:
        yield trial_text.own_series_text(result) or None
        yield Row((trial(result, colours), trial_errors(result, colours)))
        yield trial_fields
    yield series_steps_text(result)
    if not result.is_own:
        yield Fold((trial_fields, trial(result, colours), trial_errors(result, colours)), "A trial")
    yield Fold((over_persons(result, colours), text.turn_text(result) or None), "How often one person counts")
    yield Fold((text.year_text(result),), "What ε covers")
    yield Fold((text.publication_text(result),), "As it goes, or all at the end")
    yield Fold((methods(result, colours), text.limit_note(result) or None), "Compare the methods in numbers")
    yield Fold((best_map(result, colours),), "The best method of other series")
    yield Fold((trial_text.SAMPLER,), "How to draw the noise")


def _arrived_field(result: SeriesResult) -> Sequence[Field]:
    """Return the field of the periods that have ended, where numbers appear one by one."""
    if result.setting.publication == "once" or result.counts is None:
        return ()
    return (Field(ARRIVED, value=float(result.counts.size)),)


def claims(result: SeriesResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and what is not enclosed."""
    setting, found = result.setting, result.over_time
    yield noise_claim(found.chosen, found.noise_scale, setting.epsilon, setting.delta)
    name = text.LINE_NAMES[found.chosen.strategy]
    yield sensitivity_claim(found.chosen, name, " Tests compare it with all persons of short series.")


SECTION = Section[SeriesResult](
    key="time",
    name="Over time",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=explanation,
    exhibits=(over_time, over_persons, trial, trial_errors, best_map, methods),
    claims=claims,
    snippets=code.snippets,
    statements=series_statements,
    downloads=series_downloads,
    conditions=series_conditions,
)
