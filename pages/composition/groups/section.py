"""The section on groups, disjoint parts, shuffled reports, and parameters that are chosen adaptively."""

from collections.abc import Iterator

from pages.composition.groups import claims, code, exhibits, text
from pages.composition.groups.parameters import GROUP, LOCAL_EPSILON, REPORTS
from pages.composition.groups.results import groups_at
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Part, Section
from pages.shared.shared_parameters import DELTA, EPSILON


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the group, all guarantees in a table, the shuffled reports, and what holds in words."""
    if groups_at(result) is None:
        return
    yield exhibits.group_chart(result, colours)
    yield exhibits.models_table(result, colours)
    yield exhibits.shuffle_chart(result, colours)
    yield text.KINDS


SECTION = Section[CompositionResult](
    controls=lambda _: (EPSILON, DELTA, GROUP, LOCAL_EPSILON, REPORTS),
    parts=parts,
    key="groups",
    name="Groups and models",
    answer_text=text.answer_text,
    explanation=lambda result: f"{text.EXPLANATION}\n{text.ADAPTIVE}",
    exhibits=(exhibits.group_chart, exhibits.shuffle_chart, exhibits.models_table),
    claims=claims.claims,
    snippets=code.snippets,
)
