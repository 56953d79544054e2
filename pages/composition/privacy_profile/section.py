"""The section "δ over ε": the privacy profile of the whole list, and ε at some δ."""

from collections.abc import Iterator, Sequence

from pages.composition import claims, code
from pages.composition.parameters import RUNS
from pages.composition.privacy_profile import exhibits, text
from pages.composition.privacy_profile.explanation import explanation_text
from pages.composition.results import EDIT_LINK, CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON


def controls(_: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    return EPSILON, DELTA, RUNS


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the profile in a chart and a table, and what to do with it."""
    yield exhibits.profile_chart(result, colours)
    yield EDIT_LINK
    yield exhibits.deltas_table(result, colours)
    yield text.advice_text(result)


SECTION = Section[CompositionResult](
    controls,
    parts,
    key="profile",
    name="δ over ε",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.profile_chart, exhibits.deltas_table),
    claims=claims.claims,
    snippets=code.snippets,
)
