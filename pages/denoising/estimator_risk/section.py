"""The section on where each estimator wins."""

from collections.abc import Iterator, Sequence

from pages.denoising.claims import estimate_claims
from pages.denoising.code import risk_snippets
from pages.denoising.counts.parameters import TABLE
from pages.denoising.estimator_risk import exhibits, text
from pages.denoising.estimator_risk.explanation import explanation_text
from pages.denoising.estimator_risk.parameters import DIMENSION, NONZERO, NORM, RISK_AGAINST
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Row, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def controls(_: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    return DIMENSION, NORM, NONZERO, Field(RISK_AGAINST, "Horizontal axis")


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the curves, the map of winners, every estimator in numbers, and what each assumes."""
    yield exhibits.risk_curves(result, colours)
    yield text.comparison_text(result.risk)
    yield exhibits.winners_map(result, colours)
    mark = () if result.counts is None else (EPSILON, DELTA)
    yield Fields((*mark, Field(TABLE, "Table"), SEED))
    yield text.table_place_text(result)
    yield Row((exhibits.estimators_table(result, colours), text.assumptions_text(result.risk)))


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="where",
    name="Where each is best",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.risk_curves, exhibits.winners_map, exhibits.estimators_table),
    claims=estimate_claims,
    snippets=risk_snippets,
)
