"""What the table of published guarantees leaves out: how each printed ε follows, and links to compute with it."""

from pages.composition.published.deployment import Deployment
from pages.composition.published.deployments_data import EXAMPLE
from pages.composition.published.results import Restatement, restate
from pages.composition.published.text import NOT_RECORDED, content_text
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import format_down, format_up
from pages.shared.page_links import Link
from pages.shared.releases import Item
from pages.shared.site_map import ACCURACY, COMPOSITION

_CLOSE = 5e-3  # relative: a conversion as close to a printed number as this has yielded it
_PLAIN = {"l2_sensitivity": "1", "significance": "0.05"}
_ACCOUNTANTS = {"zcdp": "zcdp", "sampled": "exact", "guarantee": "basic"}


def details_text(deployments: tuple[Deployment, ...]) -> str:
    """Return an entry for each guarantee in Markdown, with a link to it as a list of releases."""
    return "\n".join(f"- {_entry_text(deployment)}" for deployment in deployments)


def _entry_text(deployment: Deployment) -> str:
    """Return the mechanism and the accounting of a guarantee, why the printed ε differs, and what else is known."""
    name = f"**{releases_link(deployment).markdown}.**"
    basis = f"Mechanism: {_mechanism_text(deployment)}. Accounting: {deployment.accounting or NOT_RECORDED}."
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
    is_no_count = deployment.adjacency == "local" or deployment.protects == EXAMPLE
    if deployment.kind != "guarantee" or is_no_count or len(deployment.releases) > 1:
        return None
    entries = {"section": "accuracy", "query": "count", "known": "epsilon", "neighbours": "add_remove"}
    return Link(ACCURACY, "Error of one count that spends all of its ε", _PLAIN | _target_entries(deployment) | entries)


def _mechanism_text(deployment: Deployment) -> str:
    mechanism = deployment.mechanism or NOT_RECORDED
    alone = deployment.kind == "guarantee" and len(deployment.releases) == 1
    return mechanism if alone else f"{mechanism}, {content_text(deployment)}"


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
