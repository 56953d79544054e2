"""The section "Accountants": the ε of each accountant over the number of runs, and all in numbers."""

from collections.abc import Iterator, Sequence

from pages.composition import claims, code
from pages.composition.accountants import exhibits, text
from pages.composition.accountants.explanation import explanation_text
from pages.composition.parameters import RUNS, TOTALS
from pages.composition.results import EDIT, CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA


def controls(_: CompositionResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return DELTA, RUNS, Field(TOTALS, "Draw")


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """The accountants in a picture and a table, and how to read them."""
    yield exhibits.over_runs(result, colours)
    yield EDIT
    yield exhibits.in_numbers(result, colours)
    yield text.READING


SECTION = Section[CompositionResult](
    controls,
    parts,
    key="accountants",
    name="Accountants",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.over_runs, exhibits.in_numbers),
    claims=claims.claims,
    snippets=code.snippets,
)
