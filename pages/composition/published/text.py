"""The words on published promises: what each would be today, whose record it protects, and for how long."""

from html import escape
from math import isnan

import pandas as pd

from pages.composition.published import results
from pages.composition.published.deployment import Deployment
from pages.composition.published.deployments import DEPLOYMENTS
from pages.composition.published.results import Restated
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up

NOT_SAID = "not said here"
_NUMBER = len(DEPLOYMENTS)


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """How many promises would be smaller today, and how many are within the page's ε."""
    rows = results.restated(result)
    said = (
        (_smaller(rows), f"{_not_covered(rows)} {_within(result, rows)}")
        if results.at_own(result)
        else (_together(result, rows), _missing(result, rows))
    )
    if result.pinned is None:
        return said
    kept = result.pinned
    before, after = (_count(each) for each in (kept, result))
    return (
        *said,
        f"Since the pinned setting: promises within your ε, {_place(kept)} → {_place(result)}: {before} → {after}.",
    )


def _count(result: CompositionResult) -> int:
    return results.at_most(results.restated(result), result.setting.epsilon)


def _place(result: CompositionResult) -> str:
    at = "" if results.at_own(result) else f" at δ = {format_input_up(result.setting.delta)}"
    return f"{format_input_up(result.setting.epsilon)}{at}"


def _smaller(rows: tuple[Restated, ...]) -> str:
    less = results.smaller_today(rows)
    most = less[0]
    return (
        f"Of {_NUMBER} published promises, {len(less)} would be printed smaller today, the most for "
        f"{most.deployment.name}: {format_up(most.proved)} in place of {_printed(most.deployment)}."
    )


def _within(result: CompositionResult, rows: tuple[Restated, ...]) -> str:
    count = results.at_most(rows, result.setting.epsilon)
    return (
        f"{_are(count)} at most your ε = {format_input_up(result.setting.epsilon)} today, each for its own unit, period"
        " and δ."
    )


def _not_covered(rows: tuple[Restated, ...]) -> str:
    """Which trainings the proof does not cover, and which printed ε the lower bound refutes."""
    others = results.not_covered(rows)
    names = " and ".join(each.deployment.name for each in others)
    refuted = [each for each in others if each.is_refuted]
    said = f"The proof is newer, for the same noise. It does not cover {names}: their batches were not Poisson."
    bounds = (
        f"Shuffled, {each.deployment.name} costs ε ≥ {format_down(each.at_least)}, above the"
        f" {_printed(each.deployment)} printed."
        for each in refuted
    )
    return " ".join((said, *bounds))


def _are(count: int) -> str:
    return {0: "None of them is", 1: "One of them is"}.get(count, f"{count} of them are")


def _together(result: CompositionResult, rows: tuple[Restated, ...]) -> str:
    setting, count = result.setting, results.at_most(rows, result.setting.epsilon)
    are = f"{count} are" if count > 1 else "one is" if count else "none is"
    return (
        f"All at δ = {format_input_up(setting.delta)}: of {_NUMBER} published promises {are} "
        f"at most your ε = {format_input_up(setting.epsilon)}."
    )


def _missing(result: CompositionResult, rows: tuple[Restated, ...]) -> str:
    without = sum(isnan(each.proved) for each in rows)
    none = f"{without} have no ε at so small a δ: theirs is larger. " if without > 1 else ""
    none = "One has no ε at so small a δ: its own is larger. " if without == 1 else none
    return f"{none}One δ makes the proofs alike, not the promises: unit and period still differ from row to row."


def _printed(deployment: Deployment) -> str:
    return format_nearest(deployment.claimed)


def subtitle(result: CompositionResult) -> str:
    """The parameters of the picture."""
    at = (
        "Each at its own δ."
        if results.at_own(result)
        else f"All at δ = {format_input_up(result.setting.delta)}; printed: at their own."
    )
    return f"{at} Right: the period that a promise lasts. Upright line: printed."


def alternative(result: CompositionResult) -> str:
    """What the picture and the table show, in a sentence."""
    listed = "; ".join(
        f"{each.deployment.name} {_printed(each.deployment)}, {_today(each)}" for each in results.restated(result)
    )
    return f"{' '.join(answer_text(result)[:2])} Printed, and today: {listed}."


def _today(row: Restated) -> str:
    if row.deployment.is_covered:
        return f"today {_shown(row.proved)}"
    return f"in shuffled batches at least {format_down(row.at_least)}, at most {format_up(row.proved)}"


def _shown(value: float) -> str:
    return "–" if isnan(value) else format_up(value)


def frame(result: CompositionResult) -> pd.DataFrame:
    """A row for each promise."""
    return pd.DataFrame([_record(each) for each in results.restated(result)])


def _record(row: Restated) -> dict[str, object]:
    made, year = row.deployment, results.over_a_year(row.deployment)
    return {
        "promise": made.name,
        "epsilon_printed": made.claimed,
        "delta_printed": made.delta,
        "unit": made.unit,
        "period": made.period,
        "adjacency": made.adjacency,
        "mechanism": made.mechanism or NOT_SAID,
        "accounting": made.accounting or NOT_SAID,
        "made_of": made_of(made),
        "delta": row.delta,
        "epsilon_standard": row.standard,
        "epsilon_tight": row.tight,
        "epsilon_exact": row.exact,
        "exact_is": _exact_is(made),
        "epsilon_shuffled_at_least": row.at_least,
        "epsilon_proved": row.proved,
        "epsilon_year": year and year.epsilon,
        "delta_year": year and year.delta,
        "source": made.source,
        "url": made.url,
        "note": made.note,
    }


def _exact_is(deployment: Deployment) -> str:
    """What kind of number the exact ε is."""
    if deployment.kind == "zcdp":
        return "an estimate: one Gaussian of this rho"
    if deployment.kind == "promise":
        return "as published, taken on trust"
    bound = "a certified upper bound under Poisson sampling"
    return bound if deployment.is_covered else f"{bound}, which this training did not use"


def made_of(deployment: Deployment) -> str:
    """What is known of a promise, in symbols: its ρ, its noise, rate and steps, or the ε of its parts."""
    release = deployment.releases[0]
    if deployment.kind == "zcdp":
        return f"ρ = {format_up(release.numbers[0])}"
    if deployment.kind == "promise":
        parts = [format_nearest(each.numbers[0]) for each in deployment.releases for _ in range(each.count)]
        alone = "ε alone" if deployment.delta == 0 else "ε and δ alone"
        return f"ε = {' + '.join(parts)}" if len(parts) > 1 else alone
    noise, rate = release.numbers
    return f"σ/C = {number_format.format_input_down(noise)}, q = {format_up(rate)}, {release.count:,} steps"


_HEADS = (
    *("Promise", "Printed ε", "Standard", "Tight", "Exact", "at δ", "Whose", "For", "Neighbours: one"),
    *("Made of", "A year, by basic composition", "Source"),
)


def table_html(result: CompositionResult) -> str:
    """Every promise with its unit, its period, what it is made of, and its ε by each conversion."""
    head = "".join(f"<th scope='col'>{name}</th>" for name in _HEADS)
    body = "".join(_row_html(each) for each in results.restated(result))
    return (
        "<div class='scroll promises' role='region' aria-label='Published promises' tabindex='0'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row_html(row: Restated) -> str:
    made = row.deployment
    cells = [
        *(_printed(made), *(_if_poisson(row, value) for value in (row.standard, row.tight)), _exact(row)),
        format_input_up(row.delta),
        *(made.unit, made.period, made.adjacency, made_of(made), _year(made)),
    ]
    source = f"<a href='{escape(made.url)}' target='_blank' rel='noopener'>{escape(made.source)}</a>"
    told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{escape(made.name)}</th>{told}<td>{source}</td></tr>"


def _if_poisson(row: Restated, value: float) -> str:
    """An ε by a conversion, and what must be said of it where it does not hold for what was done."""
    return _shown(value) if row.deployment.is_covered else f"{_shown(value)} if Poisson"


def _exact(row: Restated) -> str:
    """The exact ε, that it is an estimate, or the bounds of shuffled batches beside it."""
    if row.deployment.kind == "zcdp":
        return f"{_shown(row.exact)} est."
    if row.deployment.is_covered:
        return _shown(row.exact)
    return (
        f"{_if_poisson(row, row.exact)}; shuffled: at least {format_down(row.at_least)}, at most"
        f" {format_up(row.proved)}"
    )


def _year(deployment: Deployment) -> str:
    year = results.over_a_year(deployment)
    return "–" if year is None else f"{format_up(year.epsilon)} at δ = {format_input_up(year.delta)}"


def notes(_: CompositionResult) -> str:
    """What a reader must know of single rows."""
    return "\n".join(f"- **{each.name}.** {each.note}" for each in DEPLOYMENTS if each.note)


READING = (
    "Standard: ε = ρ + 2√(ρ ln(1/δ)), or its like for RDP. Tight: the conversion of Canonne, Kamath & Steinke (2020). "
    "Both are bounds. Exact: for steps of DP-SGD certified, under Poisson sampling; for a ρ that of one Gaussian, an "
    "estimate (est.) which other noise may exceed. What is published as ε and δ alone can't be converted. “If "
    "Poisson”: the batches of that training were not, so that no proof here covers it, and its bounds for shuffled "
    "batches stand beside.\n\n"
    "**What to do.** Quote an ε with its δ, its unit, its period and its neighbours, and say which conversion made it. "
    "Never add rows: they protect different units. Only the same unit over more periods adds up, as in the column of "
    "the year, for a person who is in the data each time."
)
