"""The section "δ over ε": the privacy profile of the whole list, and ε at some δ."""

from collections.abc import Iterator, Sequence

from pages.composition.claims import accountant_claim, exact_claim
from pages.composition.parameters import RUNS
from pages.composition.privacy_profile import code, exhibits, results, text
from pages.composition.privacy_profile.explanation import EXPLANATION
from pages.composition.results import EDIT_LINK, CompositionResult
from pages.composition.total_epsilon.results import all_releases
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Part, Section
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.shared.shared_parameters import DELTA, EPSILON


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the profile in a chart and a table, and what to do with it."""
    yield exhibits.profile_chart(result, colours)
    yield EDIT_LINK
    yield exhibits.deltas_table(result, colours)
    yield text.advice_text(result)


def claims(result: CompositionResult) -> Sequence[Claim]:
    """Return the guarantees of both points, and of ε by RDP."""
    points, releases = results.points_at(result), all_releases(result)
    epsilon, delta = result.setting.epsilon, result.setting.delta
    delta_entry = format_up(max(points.delta, 1e-300)) if points.delta else "0"
    return [
        accountant_claim("exact", releases, points.epsilon, delta),
        exact_claim(releases, format_input_up(epsilon), delta_entry),
        accountant_claim("rdp", releases, points.epsilon_rdp, delta),
    ]


SECTION = Section[CompositionResult](
    controls=lambda _: (EPSILON, DELTA, RUNS),
    parts=parts,
    key="profile",
    name="δ over ε",
    answer_text=text.answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(exhibits.profile_chart, exhibits.deltas_table),
    claims=claims,
    snippets=code.snippets,
)
