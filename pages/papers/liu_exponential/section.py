"""The section on Liu's Lemma 10: the exponential mechanism within the bounds of a statistic."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Fields, Part, Section
from pages.papers.liu_exponential import code, exhibits, text
from pages.papers.liu_exponential.explanation import explanation_text
from pages.papers.liu_exponential.parameters import OVER, SCALE
from pages.papers.results import PapersResult
from pages.shared.bounded.parameters import HIGH, LOW, P
from pages.shared.bounded.text import UNPROVED_TEXT, sensitivity_text
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY

_EXHIBITS = {"p": exhibits.scales_over_p, "width": exhibits.scales_over_width}


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the scales of the mechanisms over p or over the width of the bounds."""
    yield _EXHIBITS[result.values["over"]](result, colours)
    yield Fields((LOW, HIGH, DELTA))
    yield sensitivity_text(result.bounded_setting)
    if result.exponential is not None:
        yield text.scales_text(result.exponential)
        yield text.lemma_text(result.exponential)
        yield text.recommendation_text(result.exponential)


def claims(result: PapersResult) -> Iterator[Claim]:
    """Yield the claim on noise within bounds, which is not proved here."""
    if result.exponential is not None:
        yield Claim("The pure ε of noise within bounds", reason=UNPROVED_TEXT)


SECTION = Section[PapersResult](
    controls=lambda _: (EPSILON, P, L2_SENSITIVITY, Field(OVER, "Horizontal axis"), Field(SCALE, "Show")),
    parts=parts,
    key="exponential",
    name="Liu Lemma 10: bounded noise",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=claims,
    snippets=code.snippets,
)
