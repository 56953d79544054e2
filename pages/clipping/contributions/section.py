"""The section on how many records of one person to keep."""

from collections.abc import Iterator, Sequence

from dpcore.families import FAMILIES
from pages.clipping.conditions import limit_conditions
from pages.clipping.contributions import claims, code, exhibits, text
from pages.clipping.contributions.parameters import (
    DROPPING,
    EXPONENT,
    LIMIT,
    LIMIT_ERROR,
    MEAN_RECORDS,
    MOST_RECORDS,
    PEOPLE,
    SPREAD,
)
from pages.clipping.parameters import N_RECORDS, NOISE, SOURCE_FIELD
from pages.clipping.presets_text import presets_text
from pages.clipping.results import ClippingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.parameters import CELLS
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE

_N_PEOPLE = Field(
    N_RECORDS,
    "n · number of people",
    "How many people have records. It need not be exact: the best limit changes slowly with it.",
)


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the numbers of records, the user's limit, the guarantee and the noise."""
    setting = result.setting
    if result.has_no_values:
        return (SOURCE_FIELD,)
    shape = (MEAN_RECORDS,) if setting.people == "geometric" else (EXPONENT, MOST_RECORDS)
    people = () if setting.is_own else (Field(PEOPLE, "Records"), *shape, _N_PEOPLE)
    guarantee = (EPSILON,) if FAMILIES[setting.noise].pure else (EPSILON, DELTA)
    return SOURCE_FIELD, *people, LIMIT, *guarantee, CELLS, Field(NOISE, "Noise")


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the limit, the warning, the choices, the share that is dropped, and what follows."""
    limits = result.contributions
    yield exhibits.error_curve(result, colours)
    if limits is None:
        return
    yield text.LEAK
    is_whole = FAMILIES[result.setting.noise].whole
    whole = " (whole counts: at random only)" if is_whole else ""
    fields = (LIMIT_ERROR, "Error to minimise"), (SPREAD, "Records of a person"), (DROPPING, f"What is dropped{whole}")
    yield Fields((*(Field(parameter, label) for parameter, label in fields), SIGNIFICANCE))
    yield exhibits.choices(result, colours)
    yield exhibits.dropped_share(result, colours)
    yield f"{text.report_text(result, limits)}\n\n{WHOLE_SAMPLER if is_whole else SAMPLER}"
    yield text.links_text(result, limits)
    yield presets_text(result, "contributions", text.PRESETS)


SECTION = Section[ClippingResult](
    key="contributions",
    name="Contributions",
    controls=controls,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda result: text.EXPLANATION,
    conditions=limit_conditions,
    exhibits=(exhibits.error_curve, exhibits.dropped_share, exhibits.choices),
    claims=claims.claims,
    snippets=code.snippets,
)
