"""The section on one quantile."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Claim, Field, Fold, Part, Section
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up
from pages.framework.parameters.parameter import Parameter
from pages.median.conditions import range_conditions
from pages.median.parameters import ACCEPTED, ALMOST_NOTHING, HIGH, LOW, MEDIAN, N_RECORDS, P90, QUANTILE, STEP, UNIT
from pages.median.quantile import code, figures, text
from pages.median.quantile.results import QuantileResult
from pages.median.quantile.statements import downloads, has_statements, statements
from pages.median.results import MedianResult
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.formulas import SAMPLER
from pages.shared.shared_parameters import EPSILON, SIGNIFICANCE
from pages.shared.values.amounts import quantile_name
from pages.shared.values.parameters import SHAPE, SOURCE_FIELD

_MOST_PROVED = 700
_CONTINUOUS = (
    "The density at any value changes by at most the factor e^ε: that is its theorem. What is enclosed are "
    "probabilities of values on steps."
)
_Draw = Callable[[QuantileResult, tuple[str, str], str, Colours], Figure]


def release_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the release among all values."""
    return _chart(result, colours, "release", figures.release_figure, text.release_alternative, "whole", ("high", ""))


def near_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the release about the true quantile."""
    return _chart(result, colours, "near", figures.near_figure, text.near_alternative, "near", ("", ""))


def epsilon_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over ε."""
    alternative = text.epsilon_alternative
    return _chart(result, colours, "over_epsilon", figures.epsilon_figure, alternative, "over_epsilon", ("epsilon", ""))


def choices(result: MedianResult, _: Colours) -> Exhibit | None:
    """Return the table of what else the release could be."""
    if result.problem_text:
        return None
    quantile = result.quantile
    html, alternative = text.choices_html(quantile), text.choices_alternative(quantile)
    return Exhibit("choices", html, alternative, quantile.choices, csv_header(result), ("", ""), result.confidential)


def _chart(
    result: MedianResult,
    colours: Colours,
    name: str,
    draw: _Draw,
    alternative: Callable[[QuantileResult], str],
    frame: str,
    picks: tuple[str, str],
) -> Exhibit | None:
    if result.problem_text:
        return None
    quantile, setting = result.quantile, result.setting
    words = quantile_name(setting.quantile), setting.unit
    figure = draw(quantile, words, chart_text(text.values_text(result)), colours)
    numbers = getattr(quantile, frame)
    return Exhibit(name, figure, alternative(quantile), numbers, csv_header(result), picks, result.confidential)


def csv_header(result: MedianResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    keys = ("epsilon", "significance", "quantile", "low", "high", "step", "accuracy", "neighbours", "unit")
    entries = {key: str(getattr(setting, key)) for key in keys}
    entries |= {"step": "none"} if setting.quantile_release.step is None else {}
    if not setting.is_own:
        entries |= {key: str(getattr(setting, key)) for key in ("shape", "median", "p90", "n_records")}
    return entries | {"units": "values and errors in the unit of the values; epsilon in nats; shares are probabilities"}


def controls(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the values, the range and ε."""
    if result.has_no_values:
        return (SOURCE_FIELD,)
    figures_of_values = () if result.setting.is_own else (MEDIAN, N_RECORDS)
    return SOURCE_FIELD, *figures_of_values, QUANTILE, HIGH, EPSILON


def more_settings(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    if result.has_no_values:
        return ()
    shape = () if result.setting.is_own else (P90, Field(SHAPE, "Shape of the values"))
    return (ACCEPTED, *shape, LOW, STEP, Field(NEIGHBOURS, "Neighbours"), SIGNIFICANCE, Field(UNIT, "Unit"))


def claims(result: MedianResult) -> Iterator[Claim]:
    """Yield the guarantee for one more person, or another value, at either end of the range."""
    if result.problem_text:
        return
    quantile, epsilon = result.quantile, result.setting.epsilon
    subject = f"δ({format_input_up(epsilon)}) of this release"
    if quantile.release.step is None:
        yield Claim(subject, reason=_CONTINUOUS)
        return
    if quantile.release.candidates.size > _MOST_PROVED:
        yield Claim(subject, reason=f"It is proved for at most {_MOST_PROVED:,} values that can be released.")
        return
    numbers = {"epsilon": Decimal(format_input_up(epsilon)), "noise_epsilon": Decimal(exact_text(epsilon))}
    for change, (scores, other, sensitivity) in quantile.neighbouring_scores().items():
        arguments = numbers | {"scores": scores, "other_scores": other, "sensitivity": sensitivity}
        yield Claim(f"{subject}, {change}", ALMOST_NOTHING, "choice_delta", arguments)


def parts(result: MedianResult, colours: Colours) -> Iterator[Part]:
    """Yield the release among the values and what to do; in detail, over ε, and what else it could be, folded."""
    if result.problem_text:
        return
    is_continuous = result.quantile.release.step is None
    yield release_chart(result, colours)
    yield text.accepted_text(result)
    yield text.quantile_steps_text(result)
    yield Fold((near_chart(result, colours),), "The release in detail")
    yield Fold((text.CLIFF,), "Why a maximum cannot be published")
    yield Fold((epsilon_chart(result, colours),), "Another ε")
    yield Fold((choices(result, colours),), "Compare the releases in numbers")
    yield Fold((SAMPLER if is_continuous else text.GRID_SAMPLER,), "How to draw the release")


SECTION = Section[MedianResult](
    key="quantile",
    name="A quantile",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    conditions=range_conditions,
    exhibits=(release_chart, near_chart, epsilon_chart, choices),
    claims=claims,
    snippets=code.snippets,
    statements=statements,
    has_statements=has_statements,
    downloads=downloads,
)
