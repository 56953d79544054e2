"""The section "Batches": ε by how the batches of a training are drawn."""

from collections.abc import Iterator

from pages.composition.batch_sampling import code, exhibits, results, text
from pages.composition.batch_sampling.explanation import explanation_text
from pages.composition.dp_sgd.parameters import BATCH, EPOCHS, NOISE, RECORDS
from pages.composition.parameters import LOADER
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Fields, Part, Section
from pages.shared.shared_parameters import DELTA, EPSILON

_WHY_UNPROVED = (
    "Its bounds are those of DP-SGD, certified on a grid, and a lower bound for shuffled batches from a search."
)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the ribbon, the table of the ways to draw batches, and what to do."""
    yield exhibits.ribbon_chart(result, colours)
    yield Fields((EPSILON,))
    yield exhibits.loaders_table(result, colours)
    yield text.advice_text(results.batching_at(result), result.setting.epsilon)


SECTION = Section[CompositionResult](
    controls=lambda _: (Field(LOADER, "Batches"), NOISE, EPOCHS, BATCH, DELTA, RECORDS),
    parts=parts,
    key="batching",
    name="Batches",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.ribbon_chart, exhibits.loaders_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
)
