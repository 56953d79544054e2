"""The sentences on published guarantees: the ε of each today, whose record it protects, and for how long."""

from math import isnan

from pages.composition.published import results
from pages.composition.published.deployment import Deployment
from pages.composition.published.deployments_data import DEPLOYMENTS, PROTECTED
from pages.composition.published.results import Restatement
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up

NOT_RECORDED = "not recorded here"
_COUNT = len(DEPLOYMENTS)


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on how many guarantees would be smaller today, and how many are within the page's ε."""
    rows = results.restatements_at(result)
    sentences = (
        (_tightened_sentence(rows), _within_sentence(result, rows))
        if results.uses_own_deltas(result)
        else (_same_delta_sentence(result, rows), _missing_sentence(rows))
    )
    if result.pinned is None:
        return sentences
    pinned = result.pinned
    before, after = (_count_at_most(page_result) for page_result in (pinned, result))
    settings = f"{_setting_text(pinned)} → {_setting_text(result)}"
    return *sentences, f"Compared with the pin: guarantees with at most your ε ({settings}): {before} → {after}."


def _count_at_most(result: CompositionResult) -> int:
    return results.count_at_most(results.restatements_at(result), result.setting.epsilon)


def _setting_text(result: CompositionResult) -> str:
    at = "" if results.uses_own_deltas(result) else f" at δ = {format_input_up(result.setting.delta)}"
    return f"{format_input_up(result.setting.epsilon)}{at}"


def _tightened_sentence(rows: tuple[Restatement, ...]) -> str:
    tightened = results.tightened(rows)
    largest = tightened[0]
    return (
        f"{len(tightened)} of {_COUNT} published ε have a smaller proved value today; largest change: "
        f"{largest.deployment.name}, {format_up(largest.proved)} instead of {printed_text(largest.deployment)}."
    )


def _within_sentence(result: CompositionResult, rows: tuple[Restatement, ...]) -> str:
    count, epsilon = results.count_at_most(rows, result.setting.epsilon), format_input_up(result.setting.epsilon)
    count_text = {0: "none is", 1: "one is"}.get(count, f"{count} are")
    return (
        f"The noise is unchanged, only the proofs improved: of the {_COUNT} ε proved today, {count_text} at most your "
        f"ε = {epsilon}."
    )


def comparison_text(result: CompositionResult) -> str:
    """Return whether the page's ε is high or low beside the published ones, by what they protect."""
    epsilon = result.setting.epsilon
    parts = []
    for protected in PROTECTED:
        printed = sorted(row.printed_epsilon for row in DEPLOYMENTS if row.protects == protected)
        ends = " to ".join(dict.fromkeys(map(format_nearest, (printed[0], printed[-1]))))
        n_below = sum(value <= epsilon for value in printed)
        place = {0: "below", len(printed): "above" if epsilon > printed[-1] else "at the upper end of"}.get(n_below)
        parts.append(f"{place or 'within'} those for {protected} ({ends})")
    return (
        f"**Is ε = {format_input_up(epsilon)} high or low?** As published it is {'; '.join(parts)}. Compare it only "
        "with those that protect the same as yours: an ε for one report or one day leaves a person far less protected."
    )


def uncovered_text(result: CompositionResult) -> str:
    """Return which trainings the proof does not cover, and which printed ε the lower bound refutes."""
    uncovered = results.uncovered(results.restatements_at(result))
    names = " and ".join(row.deployment.name for row in uncovered)
    sentence = f"The accounting of DP-SGD does not cover {names}, whose batches were not Poisson."
    bounds = (
        f"With shuffled batches {row.deployment.name} has ε ≥ {format_down(row.at_least)}, more than the printed"
        f" {printed_text(row.deployment)}."
        for row in uncovered
        if row.is_refuted
    )
    return " ".join((sentence, *bounds))


def _same_delta_sentence(result: CompositionResult, rows: tuple[Restatement, ...]) -> str:
    setting, count = result.setting, results.count_at_most(rows, result.setting.epsilon)
    are = f"{count} are" if count > 1 else "one is" if count else "none is"
    return (
        f"Of {_COUNT} published guarantees at δ = {format_input_up(setting.delta)}, {are} "
        f"at most your ε = {format_input_up(setting.epsilon)}."
    )


def _missing_sentence(rows: tuple[Restatement, ...]) -> str:
    without = sum(isnan(row.proved) for row in rows)
    advice = "o not rank the rows by ε: their units and periods differ."
    if without == 0:
        return f"D{advice}"
    absent = "One has no ε at this δ, as its own δ is larger"
    absent = absent if without == 1 else f"{without} have no ε at this δ, as their own δ is larger"
    return f"{absent}; d{advice}"


def printed_text(deployment: Deployment) -> str:
    """Return the ε that the source printed."""
    return format_nearest(deployment.printed_epsilon)


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    at = (
        "Each at its own δ."
        if results.uses_own_deltas(result)
        else f"All at δ = {format_input_up(result.setting.delta)}, printed values at their own δ."
    )
    return f"{at} Right: period of the guarantee. Vertical mark: printed ε."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    epsilons = "; ".join(
        f"{row.deployment.name} {printed_text(row.deployment)}, {_today_text(row)}"
        for row in results.restatements_at(result)
    )
    return f"{' '.join(answer_text(result)[:2])} Printed ε and ε today: {epsilons}."


def _today_text(row: Restatement) -> str:
    if row.deployment.is_covered:
        return f"today {epsilon_or_dash(row.proved)}"
    return f"with shuffled batches at least {format_down(row.at_least)}, at most {format_up(row.proved)}"


def content_text(deployment: Deployment) -> str:
    """Return what is known of a guarantee: its ρ, its noise, rate and steps, or the ε of its parts."""
    release = deployment.releases[0]
    if deployment.kind == "zcdp":
        return f"ρ = {format_up(release.numbers[0])}"
    if deployment.kind == "guarantee":
        parts = [format_nearest(part.numbers[0]) for part in deployment.releases for _ in range(part.count)]
        alone = "ε alone" if deployment.delta == 0 else "ε and δ alone"
        return f"ε = {' + '.join(parts)}" if len(parts) > 1 else alone
    noise, rate = release.numbers
    return f"σ/C = {number_format.format_input_down(noise)}, q = {format_up(rate)}, {release.count:,} steps"


def epsilon_or_dash(value: float) -> str:
    """Return ε rounded up, or a dash where there is none."""
    return "–" if isnan(value) else format_up(value)


READING_TEXT = (
    "**How to read the table.** A name opens the guarantee as a list of releases at its ε and δ; a training opens with "
    "Poisson batches. Standard conversion: ε = ρ + 2√(ρ ln(1/δ)), or the same for RDP. Tight conversion: "
    "Canonne, Kamath & Steinke (2020). Both are upper bounds. Exact: for DP-SGD a certified bound under Poisson "
    "sampling; for ρ the value of a single Gaussian release, an estimate (est.) that other mechanisms may exceed. "
    "Guarantees published as ε and δ alone cannot be converted. “If Poisson”: the batches of this training were not "
    "Poisson, so the value is not a guarantee; the bounds for shuffled batches are beside it. Neighbours “local”: any "
    "two values of one user’s data, randomised before they leave the device (local DP). Such an ε protects against the "
    "collector too, and the same ε costs much more accuracy than with a trusted curator; where a trusted shuffler "
    "mixes the reports, their joint ε is smaller (amplification by shuffling). “Zero out”: the data of one "
    "device, or nothing in their place.\n\n"
    "**What to do.** Report an ε with its δ, its unit, its period, its neighbouring relation and its conversion. "
    "Compare two rows only where these agree: an ε for one day of a device and an ε for one person for ever are "
    "different guarantees, and the smaller number need not protect more. Do not add rows. Only periods of the same "
    "unit add up, as in the column for one year, for a person who is in the data each time."
)
