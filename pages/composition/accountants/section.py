"""The section "Accountants": the ε of each accountant over the number of runs, and all in numbers."""

from collections.abc import Iterator, Sequence

from pages.composition import claims, code
from pages.composition.accountants import exhibits, text
from pages.composition.accountants.explanation import explanation_text
from pages.composition.parameters import RUNS, TOTALS_SCALE
from pages.composition.results import EDIT_LINK, CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA


def controls(_: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    return DELTA, RUNS, Field(TOTALS_SCALE, "Draw")


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the accountants in a chart and a table, and how to read them."""
    yield exhibits.totals_chart(result, colours)
    yield EDIT_LINK
    yield exhibits.totals_table(result, colours)
    yield text.READING_TEXT


SECTION = Section[CompositionResult](
    controls,
    parts,
    key="accountants",
    name="Accountants",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.totals_chart, exhibits.totals_table),
    claims=claims.claims,
    snippets=code.snippets,
)
