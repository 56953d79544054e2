"""The section on the bounds of a sum or mean."""

from collections.abc import Iterator, Sequence

from dpcore.families import FAMILIES
from pages.clipping.bounds import claims, code, exhibits, links_text, text
from pages.clipping.bounds.explanation import EXPLANATION
from pages.clipping.bounds.parameters import BOUND, COUNT_SHARE, ERROR, HIGH, LOW, SHAPE
from pages.clipping.bounds.private_text import leak_text
from pages.clipping.conditions import bound_conditions
from pages.clipping.parameters import MEDIAN, N_RECORDS, NEIGHBOURS, NOISE, P90, QUERY, SOURCE_FIELD, UNIT
from pages.clipping.presets_text import presets_text
from pages.clipping.results import ClippingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Row, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the values, the bounds, the guarantee, the query and the noise."""
    setting, bounds = result.setting, result.bounds
    if result.has_no_values:
        return (SOURCE_FIELD,)
    values = () if setting.is_own else (MEDIAN, P90, N_RECORDS)
    guarantee = (EPSILON,) if FAMILIES[setting.noise].pure else (EPSILON, DELTA)
    bound = Field(BOUND, value=None if bounds is None else bounds.best_high)
    return (SOURCE_FIELD, *values, bound, HIGH, *guarantee, Field(QUERY, "Query"), Field(NOISE, "Noise"))


def _more_fields(result: ClippingResult) -> Fields:
    """Return the parameters that are seldom changed."""
    setting, bounds = result.setting, result.bounds
    shape = () if setting.is_own else (Field(SHAPE, "Shape of the values"),)
    low = Field(LOW, value=None if bounds is None else bounds.low)
    for_query = {"sum": (Field(NEIGHBOURS, "Neighbours"),), "mean": (), "counted_mean": (COUNT_SHARE,)}
    return Fields(
        (*shape, low, *for_query[setting.query], Field(ERROR, "Error to minimise"), SIGNIFICANCE, Field(UNIT, "Unit"))
    )


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the bound beside the values, the warning, the choices, ε, and what follows."""
    bounds = result.bounds
    if bounds is None:
        return
    yield Row((exhibits.error_curve(result, colours), exhibits.values_chart(result, colours)))
    yield text.below_text(bounds)
    yield leak_text(bounds)
    yield _more_fields(result)
    yield exhibits.choices(result, colours)
    yield Row((exhibits.bound_over_epsilon(result, colours), exhibits.error_over_epsilon(result, colours)))
    is_whole = FAMILIES[result.setting.noise].whole
    sampler = f"{WHOLE_SAMPLER} {text.WHOLE_VALUES}" if is_whole else SAMPLER
    yield f"{text.report_text(result, bounds)}\n\n{sampler}"
    yield f"{links_text.links_text(result, bounds)} {presets_text(result, 'sum', links_text.PRESETS)}"


SECTION = Section[ClippingResult](
    key="sum",
    name="A sum or mean",
    controls=controls,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda result: EXPLANATION,
    conditions=bound_conditions,
    exhibits=(
        exhibits.error_curve,
        exhibits.values_chart,
        exhibits.choices,
        exhibits.bound_over_epsilon,
        exhibits.error_over_epsilon,
    ),
    claims=claims.claims,
    snippets=code.snippets,
)
