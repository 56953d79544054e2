"""The section "δ over ε": the privacy profile of the whole list, and ε at some δ."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from dpcore import composition
from pages.composition import other_libraries
from pages.composition.claims import accountant_claim, exact_claim
from pages.composition.parameters import RUNS
from pages.composition.privacy_profile import figures, results, text
from pages.composition.privacy_profile.results import points_at
from pages.composition.privacy_profile.text import epsilon_text
from pages.composition.results import EDIT_LINK, CompositionResult, csv_header
from pages.composition.total_epsilon.code import METHODS, epsilon_line, releases_lines
from pages.composition.total_epsilon.results import all_releases
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import number, program
from pages.framework.layout.section import Claim, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.shared.libraries import DPCORE
from pages.shared.shared_parameters import DELTA, EPSILON

_DELTAS = (1e-3, 1e-5, 1e-6, 1e-9, 1e-12)  # rows of the table


def curves_frame(result: CompositionResult) -> pd.DataFrame:
    """Return δ at each ε of the figure."""
    curve = results.profile_at(result)
    columns = {"epsilon": curve.epsilon, "delta": curve.least, "delta_rdp": curve.rdp, "delta_zcdp": curve.zcdp}
    return pd.DataFrame(columns)


def table_frame(result: CompositionResult) -> pd.DataFrame:
    """Return ε at some δ, the page's δ among them."""
    releases = all_releases(result)
    deltas = sorted({*_DELTAS, result.setting.delta}, reverse=True)
    epsilon_of_page = {result.setting.delta: results.points_at(result).epsilon}
    rows = [
        (
            delta,
            epsilon_of_page.get(delta) or results.least_epsilon(releases, delta, results.axis_end(result)),
            *(float(composition.epsilon(releases, delta, name).value) for name in ("rdp", "zcdp")),
        )
        for delta in deltas
    ]
    return pd.DataFrame(rows, columns=["delta", "epsilon", "epsilon_rdp", "epsilon_zcdp"])


def table_html(result: CompositionResult) -> str:
    """Return ε of the whole list at some δ by three accountants, as a table."""
    rows = [
        [format_input_up(delta), *(epsilon_text(value) for value in values)]
        for delta, *values in table_frame(result).itertuples(index=False, name=None)
    ]
    exact = "exact" if results.profile_at(result).is_exact else "least upper bound"
    return number_format.table_html("ε at other δ", "deltas", ["δ", f"ε, {exact}", "ε by RDP", "ε by zCDP"], rows)


_PARAGRAPHS = (
    "**The profile.** For the privacy loss $L=\\ln\\frac{P}{Q}$ of all releases, $\\delta(\\varepsilon)="
    "\\mathbb{E}_P\\left[1-e^{\\varepsilon-L}\\right]_+$, in the worse of both directions. It is computed by "
    "the contour integral $\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$, "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$, to about nine digits, with its estimated error added. Where the integral does "
    "not converge, δ is computed on a grid and rounded up.",
    "**RDP**: $\\delta=\\min_\\alpha\\,e^{(\\alpha-1)(\\tau(\\alpha)-\\varepsilon)}(1-1/\\alpha)^{\\alpha-1}/\\alpha$ "
    "(Canonne, Kamath & Steinke 2020, Proposition 12); **zCDP** the same with $\\tau(\\alpha)=\\rho\\alpha$.",
    "**The trade-off curve.** A mechanism that satisfies $(\\varepsilon_i,\\delta_i)$-DP has "
    "$\\beta\\ge 1-\\delta_i-e^{\\varepsilon_i}\\alpha$, and the same with α and β exchanged (Dong, Roth & Su "
    "2022, after Wasserman & Zhou 2010). The link contains the corners of the polygon of at most 24 such lines, "
    "rounded down.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)


def profile_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of δ over ε; a click takes its point as the page's ε and δ."""
    pinned = result.pinned
    figure = figures.profile_figure(
        results.profile_at(result),
        results.points_at(result),
        (result.setting, pinned and pinned.setting),
        pinned and results.list_profile(all_releases(pinned), results.axis_end(result)),
        text.subtitle(result),
        colours,
    )
    alternative = text.alternative_text(result)
    numbers, header = (lambda: curves_frame(result)), _profile_csv_header(result)
    return Exhibit("profile", figure, alternative, numbers, header, picks=("epsilon", "delta"))


def deltas_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε of the whole list at some δ."""
    html, alternative = table_html(result), text.alternative_text(result)
    return Exhibit("profile_table", html, alternative, lambda: table_frame(result), _profile_csv_header(result))


def _profile_csv_header(result: CompositionResult) -> dict[str, Any]:
    units = "delta exact to 9 digits and rounded up, or certified; by RDP and zCDP upper bounds"
    return csv_header(result, units, epsilon=repr(result.setting.epsilon))


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return δ at ε, and ε at δ; nothing where there is no ε."""
    releases, setting = all_releases(result), result.setting
    points, bound = points_at(result), composition.epsilon(all_releases(result), result.setting.delta)
    if math.isinf(bound.value):
        return ()
    code = program(
        *releases_lines(releases),
        f"epsilon, delta = {number(setting.epsilon)}, {number(setting.delta)}",
        "print(composition.delta(releases, epsilon).value)",
        epsilon_line("best"),
    )
    snippet = Snippet(
        DPCORE, code, f"δ at ε, and ε at δ. {METHODS[str(bound.accountant)]}", (points.delta, points.epsilon)
    )
    return snippet, *other_libraries.list_snippets(releases, setting.delta, points.epsilon)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the profile in a chart and a table, and what to do with it."""
    yield profile_chart(result, colours)
    yield EDIT_LINK
    yield deltas_table(result, colours)
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
    exhibits=(profile_chart, deltas_table),
    claims=claims,
    snippets=snippets,
)
