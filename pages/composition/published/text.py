"""The sentences on published guarantees: the ε of each today, whose record it protects, how it follows; links."""

from dataclasses import dataclass, replace
from functools import partial
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
from pages.shared.statements import chance_in_words

NOT_RECORDED = "not recorded here"
_N_RHO = sum(row.prints_rho for row in DEPLOYMENTS)
_ONE_PERSON, _ONCE, _IN_A_YEAR = PROTECTED[0], "once", "in one year"
_CONDITION = "ompare yours only if it is for one person, released once: every year’s release adds up"
_CONDITION_YEARLY = "ompare yours only if it is for one person, and the same people are in the data every year"
_BY_ZCDP = " and ".join(row.name for row in DEPLOYMENTS if row.per_year and row.kind == "zcdp")
_REPEATING = " and ".join(row.name for row in DEPLOYMENTS if row.memoised)
_YEARLY = (
    f"Their periods of a year add up by basic composition, those of {_BY_ZCDP} by zCDP. {_REPEATING} is left out: its "
    "devices repeat their noisy responses."
)
_NO_PROOF = "What others published does not say that this protects enough."
_AS_ONE_PERSON = "This comparison is for one person"
_LESS_PROTECTED = "an ε for one report or one day leaves a person far less protected"
_STATE = "State the unit, the period and the neighbouring relation of this ε beside it"


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return where the page's ε is among those for one person, at their own δ or at one; and when that holds."""
    each = f", {format_input_up(result.setting.epsilon)} in each," if results.is_yearly(result) else ""
    first = f"ε = {_epsilon_text(result)}{each} is {_verdict(result)}."
    missing, condition = _missing_text(result), _CONDITION_YEARLY if results.is_yearly(result) else _CONDITION
    sentences = first, f"{missing}; c{condition}." if missing else f"C{condition}."
    if result.pinned is None:
        return sentences
    pinned, now = (f"{_epsilon_text(each)} is {_place_for_one_person(each)}" for each in (result.pinned, result))
    return *sentences, pin_sentence(f"{pinned} → {now}", f"among those for {_ONE_PERSON}")


def _epsilon_text(result: CompositionResult) -> str:
    """Return ε of all releases of the page, and the one δ of all guarantees, of which each may have its own instead."""
    at = "" if results.uses_own_deltas(result) else f" at δ = {format_input_up(results.total_delta(result))}"
    return f"{total_text(result)}{at}"


def total_text(result: CompositionResult) -> str:
    """Return ε of all releases of the page, and of how many years where they are yearly."""
    total = format_input_up(results.total_epsilon(result))
    return f"{total} in {_years_text(result)}" if results.is_yearly(result) else total


def _years_text(result: CompositionResult) -> str:
    years = results.n_releases(result)
    return f"{years:,} year{'s' if years > 1 else ''}"


@dataclass(frozen=True)
class _Group:
    """Guarantees that protect the same over the same time, in the order of ε, and the ε that is compared with them.

    `rows` has ε, as printed or as proved at one δ, and the deployment; `when` says the time where all have the same.
    """

    protected: str
    rows: list[tuple[float, Deployment]]
    epsilon: float
    when: str

    @property
    def place(self) -> str:
        """Where the ε of the page is among them."""
        return _place(self.epsilon, [epsilon for epsilon, _ in self.rows])


def _groups(result: CompositionResult, protected: str) -> list[_Group]:
    """Return the guarantees that protect the same; for a yearly release, those of a period by their ε of a year.

    All yearly releases together are compared with those that are released once, and one with a year of the others.
    """
    compared = [row for row in results.restatements_at(result) if row.deployment.protects == protected]
    is_own, total = results.uses_own_deltas(result), results.total_epsilon(result)
    rows = [(row.deployment.printed_epsilon if is_own else row.proved, row.deployment) for row in compared]
    rows = [(epsilon, each) for epsilon, each in rows if not isnan(epsilon) and not (is_own and each.prints_rho)]
    if not results.is_yearly(result):
        when = f"released {_ONCE}" if all(each.period == _ONCE for _, each in rows) else ""
        groups = [_Group(protected, rows, total, when)]
    else:
        years = [(results.year_of(result, row.deployment), row.deployment) for row in compared]
        in_a_year = [(year[0], each) for year, each in years if year is not None]
        once = [(epsilon, each) for epsilon, each in rows if not each.per_year and not each.memoised]
        groups = [
            _Group(protected, once, total, "each once"),
            _Group(protected, in_a_year, result.setting.epsilon, _IN_A_YEAR),
        ]
    return [replace(each, rows=sorted(each.rows, key=lambda row: row[0])) for each in groups if each.rows]


def _for_one_person(result: CompositionResult) -> _Group:
    return _groups(result, _ONE_PERSON)[0]


def _place_for_one_person(result: CompositionResult) -> str:
    return _for_one_person(result).place


def _verdict(result: CompositionResult) -> str:
    """Return where the page's ε is among those for one person, with who published the ends where that is short."""
    group, is_own = _for_one_person(result), results.uses_own_deltas(result)
    published, ends = "published" if is_own else "proved", _ends(result, group)
    if is_own or not results.is_yearly(result):
        both = group.rows[0], group.rows[-1]
        ends = ", to ".join(f"{_rounded(result, epsilon)}, {each.publisher}" for epsilon, each in both)
    return f"{group.place} those {published} for {_ONE_PERSON} (once: {ends})"


def _rounded(result: CompositionResult, epsilon: float) -> str:
    """Return ε as its source printed it; one that is computed is rounded up."""
    return (format_nearest if results.uses_own_deltas(result) else format_up)(epsilon)


def _ends(result: CompositionResult, group: _Group) -> str:
    ends = (epsilon for epsilon, _ in (group.rows[0], group.rows[-1]))
    rounded = format_up if group.when == _IN_A_YEAR else partial(_rounded, result)
    return " to ".join(dict.fromkeys(map(rounded, ends)))


def _group_text(result: CompositionResult, group: _Group) -> str:
    """Return what guarantees protect, with their time where it is one, and their ends."""
    return f"those for {group.protected} ({f'{group.when}: ' if group.when else ''}{_ends(result, group)})"


def tightened_text() -> str:
    """Return how many published guarantees have a smaller ε by the proofs of today, at their own δ."""
    tightened = results.tightened(kept(results.restate_all, None))
    largest = tightened[0]
    return (
        f"**By the proofs of today** {len(tightened)} of {len(DEPLOYMENTS)} have a smaller ε with the same noise; the "
        f"largest change is that of {largest.deployment.name}, {format_up(largest.proved)} instead of "
        f"{printed_text(largest.deployment)}."
    )


def comparison_text(result: CompositionResult) -> str:
    """Return where the page's ε is among the published ones, by what they protect."""
    return f"**ε = {_epsilon_text(result)} by what is protected.** {_places_text(result)} {_other_delta_text(result)}"


def _places_text(result: CompositionResult) -> str:
    """Return where the page's ε is among the others, by what they protect."""
    groups = [group for kind in PROTECTED for group in _groups(result, kind)]
    texts = [(f"{group.place} {_group_text(result, group)}", group.when == _IN_A_YEAR) for group in groups]
    total, one = ("; ".join(text for text, is_of_year in texts if is_of_year == is_one) for is_one in (False, True))
    yearly = f" ε = {format_input_up(result.setting.epsilon)} in one year is {one}. {_YEARLY}" if one else ""
    if not results.uses_own_deltas(result):
        return f"By the proofs of today, at this δ, it is {total}.{yearly}"
    are = "source has ρ alone and is" if _N_RHO == 1 else "sources have ρ alone and are"
    return f"As published it is {total}. {_N_RHO} {are} not compared.{yearly}"


def _other_delta_text(result: CompositionResult) -> str:
    """Return why a guarantee has another ε at another δ, by the largest one for one person that has a ρ."""
    rows = [row for row in DEPLOYMENTS if row.protects == _ONE_PERSON and row.kind == "zcdp" and not row.prints_rho]
    largest, delta = max(rows, key=lambda row: row.printed_epsilon), results.total_delta(result)
    own, other = (restate(largest, at).proved for at in (largest.delta, delta))
    return (
        f"The same noise has a smaller ε at a larger δ: {largest.name} has {format_up(own)} at its own δ = "
        f"{format_input_up(largest.delta)}, and {format_up(other)} at δ = {format_input_up(delta)}."
    )


def _conditions_text(result: CompositionResult) -> str:
    """Return what the comparison is for, and what must stand beside ε, for those who decide."""
    own = ", and its δ: here each guarantee has its own" if results.uses_own_deltas(result) else ""
    if results.is_yearly(result):
        years = f"{_years_text(result)} of releases about the same people, whose ε and δ add up"
        return f"{_AS_ONE_PERSON} and {years} (basic composition); {_LESS_PROTECTED}. {_STATE}{own}."
    more = "with a release every year the ε of all years add up"
    return f"{_AS_ONE_PERSON} and one release: {_LESS_PROTECTED}, and {more}. {_STATE}{own}."


def statements(result: CompositionResult) -> Statements:
    """Return the page's ε and how it compares with those of the same kind, for one person and its releases."""
    epsilon, group = format_input_up(result.setting.epsilon), _for_one_person(result)
    is_own, total = results.uses_own_deltas(result), format_input_up(results.total_epsilon(result))
    listed = "; ".join(f"{_reading_name(each)} {_rounded(result, value)}" for value, each in group.rows)
    deltas = [each.delta for _, each in group.rows]
    excess = chance_in_words(max(deltas) if is_own else results.total_delta(result))
    at = f"each at the delta of its own source, at most {excess}" if is_own else f"at a delta of {excess}"
    years, counted, further = "", "all releases", "each further release, such as one every year, adds its own"
    if results.is_yearly(result):
        counted, further = "all releases of a year", f"each year after {_years_text(result)} adds its own"
        years = f" With one release about the same people every year it adds up to {total} in {_years_text(result)}."
    public = (
        f"The privacy loss of the release, epsilon, is {epsilon}: the smaller it is, the less anybody learns about one "
        f"person.{years} This is {group.place} those {'published' if is_own else 'proved'} for {_ONE_PERSON}, "
        f"released once: {listed} ({at}).\n\nThis holds only if the loss is that of one person, and of {counted} "
        f"together: {further}. {_NO_PROOF}"
    )
    paper = (
        f"The release has ε = {_epsilon_text(result)}. {_places_text(result)}\n\n{_sources_text(result, group)}\n\n"
        f"{_conditions_text(result)} {_NO_PROOF}"
    )
    experts = f"{paper}\n\n{tightened_text().replace('**', '')}"
    by_whom = f"Compared with the DP Trade-off Explorer {dpcore.__version__}."
    return Statements(*(f"{text}\n\n{by_whom}" for text in (public, paper, experts)))


def _sources_text(result: CompositionResult, group: _Group) -> str:
    """Return each guarantee of a group with its ε, its neighbours and its source, for those who cite it."""
    rows = (
        f"{_reading_name(each)}, ε = {_rounded(result, epsilon)} (neighbours: {each.adjacency}; {each.source})"
        for epsilon, each in group.rows
    )
    return f"Those for {group.protected}, released {_ONCE}: {'; '.join(rows)}."


def _reading_name(deployment: Deployment) -> str:
    """Return the name of a guarantee for those who don't know which census it is."""
    return f"US {deployment.name}" if deployment.publisher == "US census" else deployment.name


def _place(epsilon: float, printed: list[float]) -> str:
    """Return where an ε is among others in their order.

    >>> [_place(epsilon, [1.0, 4.0]) for epsilon in (0.5, 1.0, 4.0, 5.0)]
    ['below', 'within', 'at the top of', 'above']
    """
    n_below = sum(value <= epsilon for value in printed)
    highest = "above" if epsilon > printed[-1] else "at the top of"
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


def _missing_text(result: CompositionResult) -> str:
    """Return which guarantee has no ε at the δ of the page, or how many; empty where all have one."""
    without = [row.deployment.name for row in results.restatements_at(result) if isnan(row.proved)]
    if not without:
        return ""
    if len(without) == 1:
        return f"{without[0]} has no ε at this δ, as its own δ is larger"
    return f"{len(without)} have no ε at this δ, as their own δ is larger"


def printed_text(deployment: Deployment) -> str:
    """Return the ε that the source printed, or that it printed ρ alone."""
    return "ρ alone" if deployment.prints_rho else format_nearest(deployment.printed_epsilon)


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture, and what its marks without a name are."""
    one = f"All at δ = {format_input_up(results.total_delta(result))}, printed values at their own δ."
    at = "Each at its own δ." if results.uses_own_deltas(result) else one
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
    "unit add up, as the last table has them for one year, for a person who is in the data each time."
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
