"""The section "DP-SGD": ε of a training, or the noise, epochs or batch for a target ε."""

from collections.abc import Iterator, Sequence

from pages.composition.dp_sgd import code, exhibits, text
from pages.composition.dp_sgd.explanation import explanation_text
from pages.composition.dp_sgd.parameters import BATCH, EPOCHS, NOISE, RECORDS, SOLVE, TRAINING_VIEW
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

_VIEWS = {"steps": exhibits.epochs_chart, "batch": exhibits.batch_chart, "map": exhibits.map_chart}
_WHY_UNPROVED = (
    "It is certified from the privacy losses on a grid, every step rounded up, or by RDP if that is smaller."
)


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return what is solved for, the view, and the input numbers: a target first, in sight on a phone too."""
    solved = {"epsilon": EPSILON, "noise": NOISE, "steps": EPOCHS, "rate": BATCH}[result.values["solve"]]
    inputs = [parameter for parameter in (EPSILON, NOISE, EPOCHS, BATCH, DELTA, RECORDS) if parameter is not solved]
    return Field(SOLVE, "Compute"), Field(TRAINING_VIEW, "Show"), *inputs


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the chosen chart, ε by each accountant, and what would invalidate it."""
    yield _VIEWS[result.values["training_view"]](result, colours)
    yield exhibits.accounts_table(result, colours)
    yield text.traps_text(result.training)


SECTION = Section[CompositionResult](
    controls=controls,
    parts=parts,
    key="training",
    name="DP-SGD",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.epochs_chart, exhibits.batch_chart, exhibits.map_chart, exhibits.accounts_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
)
