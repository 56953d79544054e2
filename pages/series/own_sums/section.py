"""The section on published sums of the user's own."""

from collections.abc import Iterator, Sequence

import pandas as pd

from dpcore.families import FAMILIES
from pages.framework.export.exhibit import CONFIDENTIAL_TABLE, Colours, Exhibit, Figure
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section
from pages.framework.layout.statements import Statements
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.framework.parameters.parameter import Parameter
from pages.series.methods import has_delta
from pages.series.own_sums import code, figures, text
from pages.series.parameters import IN_PERIODS, LENGTH, OF_SERIES, PUBLISHED, SUM_NOISE, SUMS_FIELD, WINDOW
from pages.series.results import SeriesResult
from pages.series.statements import noise_claim, sensitivity_claim
from pages.shared.counts.parameters import NEIGHBOURS, PER_CELL, PER_TOTAL
from pages.shared.counts.table import table_conditions
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, off_by, release_statements


def each(result: SeriesResult, colours: Colours) -> Exhibit | None:
    """Return the error of each published number, by way; None without sums."""
    if result.are_sums_missing:
        return None
    picture, alternative = figures.each_figure(result, colours), text.each_alternative_text(result)
    return _exhibit(result, "own_sums", picture, alternative, result.own_sums.each)


def ways(result: SeriesResult, _: Colours) -> Exhibit | None:
    """Return the table of the ways to add the noise; None without sums."""
    if result.are_sums_missing:
        return None
    return _exhibit(
        result, "sum_ways", text.ways_html(result), text.ways_alternative_text(result), result.own_sums.ways
    )


def noises(result: SeriesResult, _: Colours) -> Exhibit | None:
    """Return the table of the noises; None without sums."""
    if result.are_sums_missing:
        return None
    frame = result.own_sums.best_of_noises
    return _exhibit(result, "sum_noises", text.noises_html(result), text.noises_alternative_text(result), frame)


def _exhibit(result: SeriesResult, name: str, picture: Figure | str, alternative: str, frame: pd.DataFrame) -> Exhibit:
    confidential = CONFIDENTIAL_TABLE if result.setting.are_sums_own else ""
    return Exhibit(name, picture, alternative, frame, result.sums_header, confidential=confidential)


def controls(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    if result.are_sums_missing:
        return (SUMS_FIELD, LENGTH) if result.setting.sums == OF_SERIES else (SUMS_FIELD,)
    persons = () if result.setting.counts_once else (IN_PERIODS,)
    delta = (DELTA,) if has_delta(result.own_sums.noise) else ()
    length = (LENGTH,) if result.setting.sums == OF_SERIES else ()
    return SUMS_FIELD, *length, *persons, EPSILON, *delta, Field(SUM_NOISE, "Noise")


def more_settings(result: SeriesResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    if result.are_sums_missing:
        return ()
    limits = () if result.setting.counts_once else (PER_CELL, PER_TOTAL)
    window = (WINDOW,) if result.setting.series.window is not None else ()
    published = (Field(PUBLISHED, "Published"), *window) if result.setting.sums == OF_SERIES else ()
    return *published, SIGNIFICANCE, *limits, Field(NEIGHBOURS, "Neighbours")


def parts(result: SeriesResult, colours: Colours) -> Iterator[Part]:
    """Yield the error of each number and what to do; folded, the noises and the ways."""
    if result.are_sums_missing:
        return
    yield each(result, colours)
    yield text.sums_steps_text(result)
    yield Fold((noises(result, colours),), "Compare the noises")
    yield Fold((ways(result, colours),), "Compare the ways in numbers")


def sums_conditions(result: SeriesResult) -> Conditions | None:
    """Return the conditions of the answer, those of a table; None without sums."""
    if result.are_sums_missing:
        return None
    return table_conditions(result.sums_values, (SUMS_FIELD,), is_own=False)


def claims(result: SeriesResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed noise at the sensitivity of the noisy sums, and what is not enclosed."""
    if result.are_sums_missing:
        return
    found = result.own_sums
    errors = found.errors_by(found.method)
    yield noise_claim(errors, found.scale(found.method), found.epsilon, found.delta)
    yield sensitivity_claim(errors, text.NAMES[found.method])


def has_statements(result: SeriesResult) -> bool:
    """Return whether there is an answer."""
    return not result.are_sums_missing


def statements(result: SeriesResult) -> Statements | None:
    """Return the statements on the sums; None without an answer."""
    if result.are_sums_missing:
        return None
    found = result.own_sums
    release = Release(
        noise="Random noise is added before any of the sums is published",
        error=off_by("a published sum", found.error, found.significance),
        mechanism=f"{text.noise_words(found)}, in each noisy sum ({text.NAMES[found.method]}); each published number "
        "is made of these sums",
        proof=f"{FAMILIES[found.noise].calibration.theorem}, at the largest change of all noisy sums by one person, "
        f"{format_up(found.errors_by(found.method).sensitivity)}",
        epsilon=format_input_up(found.epsilon),
        delta=format_input_up(found.delta) if has_delta(found.noise) else "",
        neighbours=found.limits.neighbours,
    )
    return release_statements(release, sums_conditions(result))


SECTION = Section[SeriesResult](
    key="sums",
    name="Own sums",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=text.explanation,
    exhibits=(each, ways, noises),
    claims=claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
    conditions=sums_conditions,
)
