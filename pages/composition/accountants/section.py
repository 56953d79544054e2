"""The section "Accountants": the ε of each accountant over the number of runs, and all in numbers."""

from collections.abc import Iterator

from pages.composition.accountants import exhibits, results, text
from pages.composition.accountants.explanation import EXPLANATION
from pages.composition.claims import accountant_claim
from pages.composition.parameters import RUNS, TOTALS_SCALE
from pages.composition.results import EDIT_LINK, CompositionResult
from pages.composition.total_epsilon.code import list_snippets
from pages.composition.total_epsilon.results import all_releases
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.shared.shared_parameters import DELTA


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the accountants in a chart and a table, and how to read them."""
    yield exhibits.totals_chart(result, colours)
    yield EDIT_LINK
    yield exhibits.totals_table(result, colours)
    yield text.READING_TEXT


def claims(result: CompositionResult) -> Iterator[Claim]:
    """Yield the guarantees by the accountants of the answer."""
    totals, releases, delta = results.totals_at(result), all_releases(result), result.setting.delta
    keys = [key for key in ("exact", "rdp", "zcdp", "basic") if key in totals.epsilon]
    yield from (accountant_claim(key, releases, totals.first_epsilon(key), delta) for key in keys)


SECTION = Section[CompositionResult](
    controls=lambda _: (DELTA, RUNS, Field(TOTALS_SCALE, "Chart")),
    parts=parts,
    key="accountants",
    name="Accountants",
    answer_text=text.answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(exhibits.totals_chart, exhibits.totals_table),
    claims=claims,
    snippets=lambda result: list_snippets(result, "exact"),
)
