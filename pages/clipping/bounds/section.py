"""The section on the bounds of a sum or mean."""

from collections.abc import Iterator, Sequence

from pages.clipping.bounds import claims, code, exhibits, text
from pages.clipping.parameters import (
    ERROR,
    HIGH,
    LOW,
    MEDIAN,
    N_RECORDS,
    NEIGHBOURS,
    NOISE,
    P90,
    QUERY,
    SOURCE_FIELD,
    UNIT,
)
from pages.clipping.results import ClippingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Row, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.formulas import SAMPLER
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the values, the user's bound, the guarantee, the query and the noise."""
    setting = result.setting
    if result.has_no_values:
        return (SOURCE_FIELD,)
    values = () if setting.is_own else (MEDIAN, P90, N_RECORDS)
    guarantee = (EPSILON,) if setting.noise in ("laplace", "geometric") else (EPSILON, DELTA)
    return (SOURCE_FIELD, *values, HIGH, *guarantee, Field(QUERY, "Query"), Field(NOISE, "Noise"))


def _more_fields(result: ClippingResult) -> Fields:
    """Return the parameters that are seldom changed."""
    neighbours = (Field(NEIGHBOURS, "Neighbours"),) if result.setting.query == "sum" else ()
    return Fields((LOW, *neighbours, Field(ERROR, "Least error"), SIGNIFICANCE, Field(UNIT, "Unit")))


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the bound, the warning, the choices, the values, ε, and what follows."""
    bounds = result.bounds
    yield exhibits.error_curve(result, colours)
    if bounds is None:
        yield exhibits.values_chart(result, colours)
        return
    yield text.leak_text(bounds)
    yield _more_fields(result)
    yield exhibits.choices(result, colours)
    charts = (exhibits.values_chart, exhibits.bound_over_epsilon, exhibits.error_over_epsilon)
    yield Row([chart(result, colours) for chart in charts])
    yield f"{text.report_text(result, bounds)}\n\n{SAMPLER}"
    yield text.links_text(result, bounds)
    yield text.presets_text(result)


SECTION = Section[ClippingResult](
    key="sum",
    name="A sum or mean",
    controls=controls,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda result: text.EXPLANATION,
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
