"""The section that compares both tails for several δ."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.laplace_gaussian import claims, code
from pages.laplace_gaussian.crossover.text import UNAVAILABLE
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.fields import QUERY_FIELDS, sensitivity_parameters
from pages.laplace_gaussian.parameters import CUTOFF, T
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.several_deltas import exhibits, text
from pages.laplace_gaussian.text import answer_text
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the ratio of the tails."""
    return EPSILON, DELTA, T, *sensitivity_parameters(result)


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield Liu's Fig. 4, the sentence on one distance, Liu's Fig. 5, and the recommendation at the same ε."""
    yield exhibits.tail_ratios(result, colours)
    if result.has_answer:
        yield text.distance_text(result)
    yield Fields((Field(DELTAS, "δ of the curves, comma-separated", DELTAS_HELP), CUTOFF, *QUERY_FIELDS))
    yield exhibits.privacy_costs(result, colours)
    yield recommendation_text(result.same_epsilon) if result.has_answer else UNAVAILABLE["epsilon"]


SECTION = Section(
    controls=controls,
    parts=parts,
    key="deltas",
    name="Several δ",
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.tail_ratios, exhibits.privacy_costs),
    claims=claims.claims,
    snippets=code.snippets,
)
