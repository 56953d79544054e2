"""The sentences on published guarantees: the ε of each today, whose record it protects, and for how long."""

from math import isnan

from pages.composition.published import results
from pages.composition.published.deployment import Deployment
from pages.composition.published.deployments import DEPLOYMENTS
from pages.composition.published.results import Restatement
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up

NOT_RECORDED = "not said here"
_COUNT = len(DEPLOYMENTS)


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on how many guarantees would be smaller today, and how many are within the page's ε."""
    rows = results.restatements_at(result)
    sentences = (
        (_tightened_sentence(rows), f"{_uncovered_sentences(rows)} {_within_sentence(result, rows)}")
        if results.uses_own_deltas(result)
        else (_same_delta_sentence(result, rows), _missing_sentence(result, rows))
    )
    if result.pinned is None:
        return sentences
    pinned = result.pinned
    before, after = (_count_at_most(page_result) for page_result in (pinned, result))
    settings = f"{_setting_text(pinned)} → {_setting_text(result)}"
    return *sentences, f"Since the pinned setting: promises within your ε, {settings}: {before} → {after}."


def _count_at_most(result: CompositionResult) -> int:
    return results.count_at_most(results.restatements_at(result), result.setting.epsilon)


def _setting_text(result: CompositionResult) -> str:
    at = "" if results.uses_own_deltas(result) else f" at δ = {format_input_up(result.setting.delta)}"
    return f"{format_input_up(result.setting.epsilon)}{at}"


def _tightened_sentence(rows: tuple[Restatement, ...]) -> str:
    tightened = results.tightened(rows)
    largest = tightened[0]
    return (
        f"Of {_COUNT} published promises, {len(tightened)} would be printed smaller today, the most for "
        f"{largest.deployment.name}: {format_up(largest.proved)} in place of {printed_text(largest.deployment)}."
    )


def _within_sentence(result: CompositionResult, rows: tuple[Restatement, ...]) -> str:
    count, epsilon = results.count_at_most(rows, result.setting.epsilon), format_input_up(result.setting.epsilon)
    return f"{_count_text(count)} at most your ε = {epsilon} today, each for its own unit, period and δ."


def _uncovered_sentences(rows: tuple[Restatement, ...]) -> str:
    """Return which trainings the proof does not cover, and which printed ε the lower bound refutes."""
    uncovered = results.uncovered(rows)
    names = " and ".join(row.deployment.name for row in uncovered)
    refuted = [row for row in uncovered if row.is_refuted]
    sentence = f"The proof is newer, for the same noise. It does not cover {names}: their batches were not Poisson."
    bounds = (
        f"Shuffled, {row.deployment.name} costs ε ≥ {format_down(row.at_least)}, above the"
        f" {printed_text(row.deployment)} printed."
        for row in refuted
    )
    return " ".join((sentence, *bounds))


def _count_text(count: int) -> str:
    return {0: "None of them is", 1: "One of them is"}.get(count, f"{count} of them are")


def _same_delta_sentence(result: CompositionResult, rows: tuple[Restatement, ...]) -> str:
    setting, count = result.setting, results.count_at_most(rows, result.setting.epsilon)
    are = f"{count} are" if count > 1 else "one is" if count else "none is"
    return (
        f"All at δ = {format_input_up(setting.delta)}: of {_COUNT} published promises {are} "
        f"at most your ε = {format_input_up(setting.epsilon)}."
    )


def _missing_sentence(result: CompositionResult, rows: tuple[Restatement, ...]) -> str:
    without = sum(isnan(row.proved) for row in rows)
    absent = f"{without} have no ε at so small a δ: theirs is larger. " if without > 1 else ""
    absent = "One has no ε at so small a δ: its own is larger. " if without == 1 else absent
    return f"{absent}One δ makes the proofs alike, not the promises: unit and period still differ from row to row."


def printed_text(deployment: Deployment) -> str:
    """Return the ε that the source printed."""
    return format_nearest(deployment.printed_epsilon)


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    at = (
        "Each at its own δ."
        if results.uses_own_deltas(result)
        else f"All at δ = {format_input_up(result.setting.delta)}; printed: at their own."
    )
    return f"{at} Right: the period that a promise lasts. Upright line: printed."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    epsilons = "; ".join(
        f"{row.deployment.name} {printed_text(row.deployment)}, {_today_text(row)}"
        for row in results.restatements_at(result)
    )
    return f"{' '.join(answer_text(result)[:2])} Printed, and today: {epsilons}."


def _today_text(row: Restatement) -> str:
    if row.deployment.is_covered:
        return f"today {epsilon_or_dash(row.proved)}"
    return f"in shuffled batches at least {format_down(row.at_least)}, at most {format_up(row.proved)}"


def content_text(deployment: Deployment) -> str:
    """Return what is known of a guarantee: its ρ, its noise, rate and steps, or the ε of its parts."""
    release = deployment.releases[0]
    if deployment.kind == "zcdp":
        return f"ρ = {format_up(release.numbers[0])}"
    if deployment.kind == "promise":
        parts = [format_nearest(part.numbers[0]) for part in deployment.releases for _ in range(part.count)]
        alone = "ε alone" if deployment.delta == 0 else "ε and δ alone"
        return f"ε = {' + '.join(parts)}" if len(parts) > 1 else alone
    noise, rate = release.numbers
    return f"σ/C = {number_format.format_input_down(noise)}, q = {format_up(rate)}, {release.count:,} steps"


def epsilon_or_dash(value: float) -> str:
    """Return ε rounded up, or a dash where there is none."""
    return "–" if isnan(value) else format_up(value)


def notes_text(_: CompositionResult) -> str:
    """Return what a reader must know of single rows."""
    return "\n".join(f"- **{deployment.name}.** {deployment.note}" for deployment in DEPLOYMENTS if deployment.note)


READING_TEXT = (
    "Standard: ε = ρ + 2√(ρ ln(1/δ)), or its like for RDP. Tight: the conversion of Canonne, Kamath & Steinke (2020). "
    "Both are bounds. Exact: for steps of DP-SGD certified, under Poisson sampling; for a ρ that of one Gaussian, an "
    "estimate (est.) which other noise may exceed. What is published as ε and δ alone can't be converted. “If "
    "Poisson”: the batches of that training were not, so that no proof here covers it, and its bounds for shuffled "
    "batches stand beside.\n\n"
    "**What to do.** Quote an ε with its δ, its unit, its period and its neighbours, and say which conversion made it. "
    "Never add rows: they protect different units. Only the same unit over more periods adds up, as in the column of "
    "the year, for a person who is in the data each time."
)
