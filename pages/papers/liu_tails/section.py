"""The section on Liu's Figs. 4 and 5: the tails of Laplace and Gaussian noise."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.papers.liu_tails import code, exhibits, text
from pages.papers.liu_tails.explanation import explanation_text
from pages.papers.liu_tails.parameters import CUTOFF
from pages.papers.results import PapersResult
from pages.shared.laplace_query import CASE, GAUSSIAN, T, sensitivity_parameters
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield Liu's Fig. 4, Liu's Fig. 5, and what follows of them."""
    yield exhibits.tail_ratios(result, colours)
    yield Fields(
        (
            Field(DELTAS, "δ of the curves, comma-separated", DELTAS_HELP),
            CUTOFF,
            Field(CASE, "Query"),
            Field(GAUSSIAN, "Gaussian calibration"),
        )
    )
    yield exhibits.privacy_costs(result, colours)
    if result.tails.has_answer:
        yield text.status_text(result.tails)
        yield text.recommendation_text(result.tails.setting)


SECTION = Section[PapersResult](
    controls=lambda result: (EPSILON, DELTA, T, *sensitivity_parameters(result.tails.setting.case)),
    parts=parts,
    key="tails",
    name="Liu Figs. 4–5: tails",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.tail_ratios, exhibits.privacy_costs),
    snippets=code.snippets,
)
