"""The section "δ over ε": the privacy profile of the whole list, and ε at some δ."""

import math
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any
from urllib.parse import quote

import pandas as pd

from dpcore import composition
from pages.composition import figures, other_libraries
from pages.composition.code import METHODS, accountant_claim, epsilon_line, exact_claim, releases_lines
from pages.composition.parameters import RUNS
from pages.composition.privacy_profile import results
from pages.composition.privacy_profile.results import MAX_EPSILON, ProfilePoints, points_at
from pages.composition.results import EDIT_LINK, CompositionResult, all_releases, csv_header, epsilon_or_none
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.panels import number, program
from pages.framework.layout.section import Claim, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    plural,
    rounded_up,
)
from pages.shared.other_libraries import DPCORE
from pages.shared.page_links import Link
from pages.shared.shared_parameters import DELTA, EPSILON
from pages.shared.site_map import TRADEOFF

_MIN_DELTA = 1e-300  # a smaller δ is shown as at most this one


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on δ at the page's ε and ε at the page's δ, by the exact profile and by RDP."""
    points = results.points_at(result)
    sentences = _points_sentence(result, points), _rdp_sentence(points)
    if result.pinned is None:
        return sentences
    pinned = results.points_at(result.pinned)
    return (
        *sentences,
        pin_sentence(
            f"δ {delta_text(pinned.delta)} → {delta_text(points.delta)}, "
            f"ε {epsilon_or_none(pinned.epsilon)} → {epsilon_or_none(points.epsilon)}"
        ),
    )


def _points_sentence(result: CompositionResult, points: ProfilePoints) -> str:
    setting, runs = result.setting, result.setting.runs
    often = "" if runs == 1 else f" after {format_nearest(runs, 7)} runs"
    delta = f"At ε = {format_input_up(setting.epsilon)}, δ is at most {delta_text(points.delta)}{often}"
    if not isfinite(points.epsilon):
        return f"{delta}; at δ = {format_input_up(setting.delta)} there is no ε, as the (ε, δ) lines need a larger δ."
    return f"{delta}; at δ = {format_input_up(setting.delta)}, ε is at most {format_up(points.epsilon)}."


def delta_text(value: float) -> str:
    """Return δ rounded up, never below the least number that is written out."""
    return format_up(max(value, _MIN_DELTA)) if value > 0 else "0"


def _rdp_sentence(points: ProfilePoints) -> str:
    """Return what the curve means, and the values by RDP."""
    epsilon = f" and ε = {epsilon_or_none(points.epsilon_rdp)}" if isfinite(points.epsilon_rdp) else ""
    rdp = f"RDP gives δ = {delta_text(points.delta_rdp)}{epsilon}"
    return f"Every point of the curve is an (ε, δ) guarantee, and all of them hold at once; {rdp}."


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    lines, runs = plural(len(result.setting.releases), "line"), result.setting.runs
    often = "" if runs == 1 else f", {format_nearest(runs, 7)} runs"
    return f"{lines}{often}. Dots: your ε and your δ. Click to choose a point."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture shows, in a sentence."""
    curve = results.profile_at(result)
    return (
        f"{' '.join(answer_text(result)[:2])} For ε from 0 to {format_nearest(float(curve.epsilon[-1]))}, the least δ"
        f" falls from {delta_text(float(curve.least[0]))} to {delta_text(float(curve.least[-1]))}."
    )


def tradeoff_link(result: CompositionResult) -> Link:
    """Return the link to the trade-off curve of the list beside that of (ε, δ)-DP at the page's ε and δ."""
    points = results.tradeoff_points(all_releases(result), results.axis_end(result))
    curves = f"!claim:{points}@blue={quote('My releases', safe='')};here_approx:@green="
    epsilon = min(results.points_at(result).epsilon, MAX_EPSILON)
    entries = {"curves": curves, "epsilon": exact_text(rounded_up(epsilon, 6))}
    return Link(TRADEOFF, TRADEOFF.name, entries | {"delta": exact_text(result.setting.delta)})


def advice_text(result: CompositionResult) -> str:
    """Return how to read the profile, where its trade-off curve is, and what to do."""
    return (
        "A point to the left of the curve is not guaranteed. Where the curve is flat, the δ of the (ε, δ) lines "
        "remains, however large ε is.\n\n"
        "**What to do.** Report ε at one δ far below 1/n, where n is the number of people. With δ = 1/n, the "
        "publication of one complete, randomly chosen record satisfies (0, δ)-DP, so such a δ allows that disclosure. "
        "Keep the curve for those who compose it with other releases: a single (ε, δ) discards most of the guarantee. "
        f"What an attacker can learn is on the page {tradeoff_link(result).markdown}; the link contains a "
        "polygon just below the trade-off curve of these releases, as a claimed guarantee."
    )


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
        [format_input_up(delta), *(epsilon_or_none(value) for value in values)]
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
    figure, alternative = figures.profile_figure(result, subtitle(result), colours), alternative_text(result)
    numbers, header = (lambda: curves_frame(result)), _profile_csv_header(result)
    return Exhibit("profile", figure, alternative, numbers, header, picks=("epsilon", "delta"))


def deltas_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε of the whole list at some δ."""
    html, alternative = table_html(result), alternative_text(result)
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
    yield advice_text(result)


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
    controls=lambda _: (RUNS, EPSILON, DELTA),
    parts=parts,
    key="profile",
    name="δ over ε",
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(profile_chart, deltas_table),
    claims=claims,
    snippets=snippets,
)
