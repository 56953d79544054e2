"""The section "My releases": what the list of releases costs together, and what each line of it costs."""

from collections.abc import Iterator, Sequence

from pages.composition.claims import accountant_claim
from pages.composition.parameters import ACCOUNTANT, RUNS
from pages.composition.results import EDIT_LINK, CompositionResult
from pages.composition.total_epsilon import code, exhibits, text
from pages.composition.total_epsilon.explanation import EXPLANATION
from pages.composition.total_epsilon.results import all_releases, cost_at
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.shared.shared_parameters import DELTA, EPSILON


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield what each line costs, in a chart and a table, and the ε of the list over a year."""
    yield exhibits.costs_chart(result, colours)
    yield EDIT_LINK
    yield exhibits.lines_table(result, colours)
    yield exhibits.periods_table(result, colours)
    yield text.advice_text(result)


def claims(result: CompositionResult) -> Sequence[Claim]:
    """Return the guarantee of the total ε."""
    accountant = result.setting.accountant
    return [accountant_claim(accountant, all_releases(result), cost_at(result).together, result.setting.delta)]


SECTION = Section[CompositionResult](
    controls=lambda _: (EPSILON, DELTA, RUNS, Field(ACCOUNTANT, "Accountant")),
    parts=parts,
    key="together",
    name="My releases",
    answer_text=text.answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(exhibits.costs_chart, exhibits.lines_table, exhibits.periods_table),
    claims=claims,
    snippets=code.snippets,
)
