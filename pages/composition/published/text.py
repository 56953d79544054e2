"""The sentences on published guarantees: the ε of each today, whose record it protects, how it follows; links."""

from math import isnan

import dpcore
from pages.composition.published import results
from pages.composition.published.deployments_data import DEPLOYMENTS, PROTECTED, Deployment
from pages.composition.published.results import Restatement, restate
from pages.composition.results import CompositionResult
from pages.framework.layout.offers import Statements
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
)
from pages.framework.rendering.uploaded_files import kept
from pages.shared.page_links import Link
from pages.shared.releases import Item
from pages.shared.site_map import ACCURACY, COMPOSITION

NOT_RECORDED = "not recorded here"
_COUNT = len(DEPLOYMENTS)
_PRINTED = [row for row in DEPLOYMENTS if not row.prints_rho]
_N_RHO = _COUNT - len(_PRINTED)
_COMPARE_ALIKE = (
    "Compare yours only with those that protect the same: an ε for one report or one day leaves a person far less "
    "protected."
)


_NO_PROOF = (
    f"{_COMPARE_ALIKE.replace('yours', 'it')} That others published a larger ε does not say that this one protects "
    "enough; and an ε must count all that is released about a person."
)


_VERDICTS = {
    "below": "low: below those",
    "within": "within those",
    "at the upper end of": "high: the largest",
    "above": "high: above those",
}


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return whether the page's ε is high or low, or how many guarantees it has at one δ; and what can be compared."""
    rows = results.restatements_at(result)
    sentences = _same_delta_sentence(result, rows), _missing_sentence(rows)
    if results.uses_own_deltas(result):
        epsilon, records = result.setting.epsilon, _published_epsilons(PROTECTED[0])
        verdict = f"{_VERDICTS[_place(epsilon, records)]} for {PROTECTED[0]} ({_ends(records)})"
        sentences = f"ε = {format_input_up(epsilon)} is {verdict}; {_larger_text(result)}.", _COMPARE_ALIKE
    if result.pinned is None:
        return sentences
    pinned = result.pinned
    before, after = (
        results.count_at_most(results.restatements_at(page_result), page_result.setting.epsilon)
        for page_result in (pinned, result)
    )
    settings = f"{_setting_text(pinned)} → {_setting_text(result)}"
    return *sentences, pin_sentence(f"guarantees with at most your ε ({settings}): {before} → {after}")


def _setting_text(result: CompositionResult) -> str:
    at = "" if results.uses_own_deltas(result) else f" at δ = {format_input_up(result.setting.delta)}"
    return f"{format_input_up(result.setting.epsilon)}{at}"


def _larger_text(result: CompositionResult) -> str:
    larger = sum(row.printed_epsilon > result.setting.epsilon for row in _PRINTED)
    return f"{larger} of {len(_PRINTED)} published ε {'is' if larger == 1 else 'are'} larger"


def tightened_text(result: CompositionResult) -> str:
    """Return how many published guarantees have a smaller ε by the proofs of today, at their own δ."""
    tightened = results.tightened(kept(results.restate_all, None))
    largest = tightened[0]
    count = results.count_at_most(kept(results.restate_all, None), result.setting.epsilon)
    count_text = {0: "none is", 1: "one is"}.get(count, f"{count} are")
    return (
        f"**By the proofs of today** {len(tightened)} of {_COUNT} have a smaller ε with the same noise; the "
        f"largest change is that of {largest.deployment.name}, {format_up(largest.proved)} instead of "
        f"{printed_text(largest.deployment)}. Of the {_COUNT} ε proved today, {count_text} at most your "
        f"ε = {format_input_up(result.setting.epsilon)}."
    )


def _published_epsilons(protected: str) -> list[float]:
    return sorted(row.printed_epsilon for row in _PRINTED if row.protects == protected)


def _ends(values: list[float]) -> str:
    return " to ".join(dict.fromkeys(map(format_nearest, (values[0], values[-1]))))


def comparison_text(result: CompositionResult) -> str:
    """Return where the page's ε is among the published ones, by what they protect."""
    return f"**ε = {format_input_up(result.setting.epsilon)} by what is protected.** {_places_text(result)}"


def _places_text(result: CompositionResult) -> str:
    """Return where the page's ε is among the published ones, by what they protect."""
    epsilon = result.setting.epsilon
    by_kind = {protected: _published_epsilons(protected) for protected in PROTECTED}
    parts = [f"{_place(epsilon, printed)} those for {kind} ({_ends(printed)})" for kind, printed in by_kind.items()]
    are = "source has ρ alone and is" if _N_RHO == 1 else "sources have ρ alone and are"
    return f"As published it is {'; '.join(parts)}. {_N_RHO} {are} not compared."


def statements(result: CompositionResult) -> Statements:
    """Return the page's ε and how it compares with the published ones."""
    epsilon, records = result.setting.epsilon, _published_epsilons(PROTECTED[0])
    counted = _larger_text(result)
    public = (
        f"The privacy loss ε of the release is {format_input_up(epsilon)}: the smaller it is, the less anybody learns "
        f"about one person. {counted}. It is {_place(epsilon, records)} those for {PROTECTED[0]}, which are "
        f"{_ends(records)}."
    )
    paper = f"The release has ε = {format_input_up(epsilon)}. {counted}. {_places_text(result)}"
    experts = f"{paper}\n\n{tightened_text(result).replace('**', '').replace('your ε', 'ε')}"
    by_whom = f"Compared with the DP Trade-off Explorer {dpcore.__version__}."
    return Statements(*("\n\n".join((text, _NO_PROOF, by_whom)) for text in (public, paper, experts)))


def _place(epsilon: float, printed: list[float]) -> str:
    """Return where an ε is among others in their order.

    >>> [_place(epsilon, [1.0, 4.0]) for epsilon in (0.5, 1.0, 4.0, 5.0)]
    ['below', 'within', 'at the upper end of', 'above']
    """
    n_below = sum(value <= epsilon for value in printed)
    highest = "above" if epsilon > printed[-1] else "at the upper end of"
    return {0: "below", len(printed): highest}.get(n_below, "within")


def uncovered_text(result: CompositionResult) -> str:
    """Return which trainings the proof does not cover, and which printed ε the lower bound refutes."""
    uncovered = [row for row in results.restatements_at(result) if not row.deployment.is_covered]
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
    """Return the ε that the source printed, or that it printed ρ alone."""
    return "ρ alone" if deployment.prints_rho else format_nearest(deployment.printed_epsilon)


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    at = f"All at δ = {format_input_up(result.setting.delta)}, printed values at their own δ."
    if results.uses_own_deltas(result):
        at = "Each at its own δ."
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


CONVERSIONS_TEXT = (
    "**How to read the tables.** A name opens the guarantee as a list of releases at its ε and δ; a training opens "
    "with Poisson batches. Neighbours “local”: any two values of one user’s data, randomised before they leave the "
    "device (local DP). Such an ε protects against the collector too, and the same ε costs much more accuracy than "
    "with a trusted curator; where a trusted shuffler mixes the reports, their joint ε is smaller (amplification by "
    "shuffling). “Zero out”: the data of one device, or nothing in their place.\n\n"
    "Standard conversion: ε = ρ + 2√(ρ ln(1/δ)), or the same for RDP. Tight conversion: "
    "Canonne, Kamath & Steinke (2020). Both are upper bounds. Exact: for DP-SGD a certified bound under Poisson "
    "sampling; for ρ the value of a single Gaussian release, an estimate (est.) that other mechanisms may exceed. "
    "Guarantees published as ε and δ alone cannot be converted. “If Poisson”: the batches of this training were not "
    "Poisson, so the value is not a guarantee; the bounds for shuffled batches are beside it."
)
WHAT_TO_DO = (
    "**What to do.** Report an ε with its δ, its unit, its period, its neighbouring relation and its conversion. "
    "Compare two rows only where these agree: an ε for one day of a device and an ε for one person for ever are "
    "different guarantees, and the smaller number need not protect more. Do not add rows. Only periods of the same "
    "unit add up, as the table below has them for one year, for a person who is in the data each time."
)


_CLOSE = 5e-3  # relative: a conversion as close to a printed number as this has yielded it
_PLAIN = {"l2_sensitivity": "1", "significance": "0.05"}
_ACCOUNTANTS = {"zcdp": "zcdp", "sampled": "exact", "guarantee": "basic"}


def details_text(deployments: tuple[Deployment, ...]) -> str:
    """Return an entry for each guarantee in Markdown, with a link to it as a list of releases."""
    return "\n".join(f"- {_entry_text(deployment)}" for deployment in deployments)


def _entry_text(deployment: Deployment) -> str:
    """Return the mechanism and the accounting of a guarantee, why the printed ε differs, and what else is known."""
    name = f"**{releases_link(deployment).markdown}.**"
    mechanism = deployment.mechanism or NOT_RECORDED
    alone = deployment.kind == "guarantee" and len(deployment.releases) == 1
    mechanism_text = mechanism if alone else f"{mechanism}, {content_text(deployment)}"
    basis = f"Mechanism: {mechanism_text}. Accounting: {deployment.accounting or NOT_RECORDED}."
    count = count_link(deployment)
    use = "" if count is None else f"{count.markdown}."
    parts = (name, basis, difference_text(restate(deployment, deployment.delta)), deployment.note, use)
    return " ".join(part for part in parts if part)


def releases_link(deployment: Deployment) -> Link:
    """Return the link to the releases of a deployment in the list on Composition, at its printed ε and δ."""
    items = [_release_item(deployment, place) for place in range(len(deployment.releases))]
    entries = {"section": "together", "releases": list_text(items), "runs": "1", "pinned": "none"}
    entries["accountant"] = _ACCOUNTANTS[deployment.kind]
    return Link(COMPOSITION, deployment.name, _PLAIN | _target_entries(deployment) | entries)


def _release_item(deployment: Deployment, place: int) -> Item:
    release = deployment.releases[place]
    kind = {"zcdp": "zcdp", "sampled": "sampled", "guarantee": "approx" if deployment.delta else "pure"}[release.kind]
    numbers = release.numbers[:1] if kind == "pure" else release.numbers
    name = deployment.name if len(deployment.releases) == 1 else f"{deployment.name}, part {place + 1}"
    return Item(
        kind, tuple(number_format.exact_text(number) for number in numbers), str(release.count), name, chosen=place == 0
    )


def _target_entries(deployment: Deployment) -> dict[str, str]:
    """Return the entries of the printed ε and δ; pure ε-DP holds at every δ, so that none is set."""
    delta = {"delta": number_format.exact_text(deployment.delta)} if deployment.delta else {}
    return {"epsilon": number_format.exact_text(deployment.printed_epsilon)} | delta


def count_link(deployment: Deployment) -> Link | None:
    """Return the link to the accuracy of one count that spends the whole ε.

    It is None for local DP, for a training, and for a deployment that is published in parts.
    """
    is_no_count = deployment.adjacency == "local" or deployment.period == "one training"
    if deployment.kind != "guarantee" or is_no_count or len(deployment.releases) > 1:
        return None
    entries = {"section": "accuracy", "query": "count", "known": "epsilon", "neighbours": "add_remove"}
    return Link(ACCURACY, "Error of one count that spends all of its ε", _PLAIN | _target_entries(deployment) | entries)


def difference_text(row: Restatement) -> str:
    """Return why the computed number differs from the printed one, or why it does not."""
    printed = row.deployment.printed_epsilon
    if row.deployment.kind == "guarantee":
        parts = (
            "the basic composition of the printed parts" if len(row.deployment.releases) > 1 else "the printed value"
        )
        return f"ε and δ alone cannot be converted: shown is {parts}."
    if not row.deployment.is_covered:
        return _uncovered_text(row)
    if row.deployment.prints_rho:
        return f"The source has ρ alone: ε ≤ {format_up(row.proved)} at δ = 1e-10 is its tight conversion."
    if _is_close(row.tight, printed) and row.tight > printed:
        return f"The printed number is the tight conversion, rounded down: {format_up(row.proved)} is proved."
    if _is_close(row.standard, printed):
        return (
            "The printed number is the standard conversion, rounded. The smaller value has a newer proof, same noise."
        )
    return f"Neither conversion gives the printed number: {format_up(row.proved)} is proved for the printed ρ."


def _uncovered_text(row: Restatement) -> str:
    """Return what is known of a training whose batches were not Poisson."""
    refuted = ", which refutes the printed number" if row.is_refuted else ""
    return (
        "The printed number is the standard conversion, rounded, for Poisson batches, which this training did not use. "
        f"Shuffled batches give ε ≥ {format_down(row.at_least)} for zero-out neighbours{refuted}; "
        f"ε ≤ {format_up(row.proved)} holds for any order."
    )


def _is_close(value: float, printed: float) -> bool:
    return abs(value / printed - 1) <= _CLOSE
