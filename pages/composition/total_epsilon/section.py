"""The section "My releases": what the list of releases costs together, and what each line of it costs."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition.claims import accountant_claim
from pages.composition.parameters import ACCOUNTANT, RUNS
from pages.composition.results import EDIT_LINK, CompositionResult, csv_header
from pages.composition.total_epsilon import code, figures, tables, text
from pages.composition.total_epsilon.results import all_releases, cost_at
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.shared.shared_parameters import DELTA, EPSILON

_PARAGRAPHS = (
    "**Composition.** A release has a privacy loss $L=\\ln\\frac{P(\\text{outcome})}{Q(\\text{outcome})}$ for "
    "neighbouring data sets with outcomes $P$ and $Q$. The losses of releases with independent noise add up, and "
    "together the releases satisfy (ε, δ)-DP "
    "with\n\n$$\\delta(\\varepsilon)=\\mathbb{E}\\left[1-e^{\\varepsilon-L}\\right]_+$$\n\nand with $P$ and $Q$ "
    "exchanged; the larger of the two values counts.",
    "**Exact.** $\\delta(\\varepsilon)=\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$ with "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$, which is the sum over the list; twice the integral’s estimate of its "
    "error is added. **Certified.** The privacy losses of each release are moved to the points of a grid such that the "
    "mass of both $P$ and $Q$ is preserved, which rounds every δ up (Doroshenko et al. 2022); Fourier transforms add "
    "them.",
    "**RDP** (Mironov 2017). The divergences $\\tau_i(\\alpha)$ add up, and "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$ "
    "(Canonne, Kamath & Steinke 2020). **zCDP** (Bun & Steinke 2016): $\\tau(\\alpha)=\\rho\\alpha$ with "
    "$\\rho=\\sum_i\\rho_i$.",
    "**Basic composition of lines.** $\\varepsilon=\\sum_i\\varepsilon_i$, $\\delta=\\sum_i\\delta_i$: the sums "
    "run over the lines. The releases of one line are composed exactly first, and the lines that need a δ share it "
    "equally. Basic composition of releases, in the section Accountants, adds the ε of every single release, which "
    "gives a larger total.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)


def costs_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart with a bar for each line: what leaving it out saves, and its ε alone."""
    figure = figures.costs_figure(
        result.names,
        cost_at(result),
        result.setting.epsilon,
        result.pinned and cost_at(result.pinned),
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    return Exhibit("costs", figure, alternative, lambda: tables.lines_frame(result), _costs_csv_header(result))


def lines_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of what each line is and costs."""
    html, alternative = tables.lines_table_html(result), text.alternative_text(result)
    return Exhibit("lines", html, alternative, lambda: tables.lines_frame(result), _costs_csv_header(result))


def periods_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε when the list is run every day of a week, a month or a year."""
    html = tables.periods_table_html(result)
    alternative = "ε of the whole list when it is released once, and daily for a week, for 30 days and for a year."
    return Exhibit("periods", html, alternative, lambda: tables.periods_frame(result), _costs_csv_header(result))


def _costs_csv_header(result: CompositionResult) -> dict[str, Any]:
    units = "exact ones to 9 digits and rounded up, or certified; RDP, zCDP and basic composition upper bounds"
    return csv_header(result, units, accountant=result.setting.accountant)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield what each line costs, in a chart and a table, and the ε of the list over a year."""
    yield costs_chart(result, colours)
    yield EDIT_LINK
    yield lines_table(result, colours)
    yield periods_table(result, colours)
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
    exhibits=(costs_chart, lines_table, periods_table),
    claims=claims,
    snippets=code.snippets,
)
