"""The section "DP-SGD": ε of a training, or the noise, epochs or batch for a target ε."""

from collections.abc import Iterator, Sequence

from pages.composition import claims, code
from pages.composition.dp_sgd import exhibits, results, text
from pages.composition.dp_sgd.explanation import explanation_text
from pages.composition.parameters import BATCH, EPOCHS, NOISE, RECORDS, SOLVE, TRAINING_VIEW
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

_VIEWS = {"steps": exhibits.over_steps, "batch": exhibits.over_batch, "map": exhibits.ratio_map}


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """What is asked and what is drawn, and the numbers that are given: a target first, in sight on a phone too."""
    open_one = {"epsilon": EPSILON, "noise": NOISE, "steps": EPOCHS, "rate": BATCH}[results.solve(result)]
    given = [each for each in (EPSILON, NOISE, EPOCHS, BATCH, DELTA, RECORDS) if each is not open_one]
    return Field(SOLVE, "Find"), Field(TRAINING_VIEW, "Draw"), *given


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """The chosen picture, ε by each account, and what would make it untrue."""
    yield _VIEWS[results.view(result)](result, colours)
    yield exhibits.accounts(result, colours)
    yield text.traps(results.training(result))


SECTION = Section[CompositionResult](
    controls,
    parts,
    key="training",
    name="DP-SGD",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.over_steps, exhibits.over_batch, exhibits.ratio_map, exhibits.accounts),
    claims=claims.claims,
    snippets=code.snippets,
)
