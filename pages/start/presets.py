"""Settings to start from and published promises, each with its source and a link that sets its parameters."""

from dataclasses import dataclass

from pages.composition.published import text
from pages.composition.published.deployment import Deployment
from pages.composition.published.results import Restatement, composed_year, restate
from pages.composition.releases import Item
from pages.framework.link import SITE_PARAMETERS
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up
from pages.shared.shared_parameters import SHARED
from pages.shared.site_map import ACCURACY, COMPOSITION, GAUSSIAN_BOUNDS, PAPERS, START
from pages.start.links import Link

_CLOSE = 5e-3  # relative: a conversion as close to a printed number as this has yielded it
_PLAIN = {"l2_sensitivity": "1", "significance": "0.05"}
_ACCOUNTANTS = {"zcdp": "zcdp", "sampled": "exact", "promise": "basic"}


@dataclass(frozen=True)
class Preset:
    """A setting to start from: its link, what it shows, and its source."""

    link: Link
    shows: str
    origin: str


def _bounds_link(name: str, epsilon: str, delta: str) -> Link:
    entries = {"epsilon": epsilon, "delta": delta, "section": "bounds"}
    return Link(GAUSSIAN_BOUNDS, name, _PLAIN | entries)


PRESETS = (
    Preset(
        _bounds_link("A first look", "1", "1e-6"),
        "ε = 1 and δ one in a million, for one count that is released once and that one person moves by at most 1.",
        "ours; round numbers, of no deployment.",
    ),
    Preset(
        _bounds_link("Where the classical formula breaks", "10", "1e-5"),
        "For one release at ε = 10 and δ = 1e-5, outside its proof (ε < 1), it asks for too little noise: its true δ "
        "is more than twice the target.",
        "the formula is Dwork & Roth 2014, Theorem A.1; the setting is ours.",
    ),
    Preset(
        Link(PAPERS, "Liu’s experiments", _PLAIN | {"epsilon": "0.5", "delta": "0.01", "section": "tables"}),
        "Tables of counts, each released once, at the strictest setting of the paper: ε = 0.5 and δ = 0.01, meant as "
        "probabilistic DP.",
        "Liu 2019, §4.",
    ),
    Preset(
        _bounds_link("Almost no privacy loss", "0", "1e-3"),
        "For one release at ε = 0 and δ = 0.001 only the analytic Gaussian has an answer.",
        "the bound is Balle & Wang 2018, Theorem 2; the setting is ours.",
    ),
)
_DEFAULTS = {parameter.key: parameter.default for parameter in SITE_PARAMETERS}
RESET = Link(START, "Reset", _DEFAULTS | {"section": "pages"})
TOGETHER = Link(COMPOSITION, "All of them in one picture", {"section": "published"})

READING = (
    "**Published promises.** What stands under “Computed here”, at the printed δ, and what basic composition "
    "says of a year are "
    "computed of what was published. Each holds for its own unit, period and neighbours: never add or compare two ε "
    "whose unit, period or neighbours differ. Neighbours “local”: any two values of one user’s data, before they leave "
    "the device; “zero out”: the data of one device, or nothing in their place. “Not said here”: we have no source "
    "that settles it.\n\nEach name opens the promise as a list of releases, at its ε and δ. A training opens as "
    "steps on Poisson batches, also where its own batches were shuffled."
)


def settings_text() -> str:
    """Return the settings to start from with their sources, and the link that resets every parameter, in Markdown."""
    defaults = ", ".join(f"{parameter.symbol} = {parameter.default}" for parameter in SHARED)
    items = [f"{preset.link.markdown}. {preset.shows} Source: {preset.origin}" for preset in PRESETS]
    reset = f"{RESET.markdown}: this page with every default, {defaults}."
    return "\n\n".join(("## Settings to start from", *items, reset))


def releases_link(deployment: Deployment) -> Link:
    """Return the link to the releases of a deployment in the list on Composition, at its printed ε and δ."""
    items = [_release_item(deployment, place) for place in range(len(deployment.releases))]
    entries = {"section": "together", "releases": list_text(items), "runs": "1", "pinned": "none"}
    entries["accountant"] = _ACCOUNTANTS[deployment.kind]
    return Link(COMPOSITION, deployment.name, _PLAIN | _target_entries(deployment) | entries)


def _release_item(deployment: Deployment, place: int) -> Item:
    release = deployment.releases[place]
    kind = {"zcdp": "zcdp", "sampled": "sampled", "promise": "approx" if deployment.delta else "pure"}[release.kind]
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

    It is None for local DP and for a deployment that is published in parts.
    """
    if deployment.kind != "promise" or deployment.adjacency == "local" or len(deployment.releases) > 1:
        return None
    entries = {"section": "accuracy", "query": "count", "known": "epsilon", "neighbours": "add_remove"}
    return Link(
        ACCURACY, "The accuracy of one count that spends all of its ε", _PLAIN | _target_entries(deployment) | entries
    )


def description(deployment: Deployment) -> str:
    """Return a deployment in Markdown: printed numbers, unit, mechanism, numbers computed here, a year, source."""
    row = restate(deployment, deployment.delta)
    year = composed_year(deployment)
    rows = (
        f"**Printed** ε = {format_nearest(deployment.printed_epsilon)} at δ = {format_input_up(deployment.delta)}.",
        f"**Unit** {deployment.unit}. **Period** {deployment.period}. **Neighbours** {deployment.adjacency}.",
        f"**Mechanism** {_mechanism_text(deployment)}. **Accounting** {deployment.accounting or text.NOT_RECORDED}.",
        f"**Computed here** {_computed_text(row)} {_difference_text(row)}",
        year
        and f"**A year, by basic composition** ε ≤ {format_up(year.epsilon)} at δ = {format_input_up(year.delta)}, "
        "for who is in every period.",
        f"**Source** [{deployment.source}]({deployment.url}). {deployment.note}".rstrip(),
    )
    return "  \n".join(line for line in rows if line)


def _mechanism_text(deployment: Deployment) -> str:
    mechanism = deployment.mechanism or text.NOT_RECORDED
    alone = deployment.kind == "promise" and len(deployment.releases) == 1
    return mechanism if alone else f"{mechanism}, {text.content_text(deployment)}"


def _computed_text(row: Restatement) -> str:
    proved = f"ε ≤ {format_up(row.proved)} at δ = {format_input_up(row.delta)}"
    if row.deployment.kind == "zcdp":
        return (
            f"{proved} by the tight conversion, {format_up(row.standard)} by the standard one; were it one Gaussian, "
            f"{format_up(row.exact)} (an estimate)."
        )
    if not row.deployment.is_covered:
        return (
            f"{proved} for any order of the batches, and ε ≥ {format_down(row.at_least)} if they are shuffled, both for"
            " neighbours of which one has a gradient set to 0 (zero out). Were they drawn by Poisson sampling:"
            f" {format_up(row.exact)}, certified; by RDP {format_up(row.tight)} (tight conversion) and"
            f" {format_up(row.standard)} (standard)."
        )
    if row.deployment.kind == "sampled":
        return (
            f"{proved}, certified for Poisson sampling; by RDP {format_up(row.tight)} (tight conversion) and "
            f"{format_up(row.standard)} (standard)."
        )
    return f"{proved}."


def _difference_text(row: Restatement) -> str:
    """Return why the computed number differs from the printed one, or why it does not."""
    printed = row.deployment.printed_epsilon
    if row.deployment.kind == "promise":
        parts = "the printed parts by basic composition" if len(row.deployment.releases) > 1 else "what was printed"
        return f"An ε and δ alone can’t be converted: this is {parts}, taken on trust."
    if not row.deployment.is_covered:
        refuted = " The lower bound refutes it." if row.is_refuted else ""
        return (
            "The printed number is the standard conversion, rounded, of Poisson sampling, by which the batches were "
            f"not drawn.{refuted}"
        )
    if _is_close(row.tight, printed) and row.tight > printed:
        return "The printed number is the tight conversion, rounded down: what is proved is a little more."
    if _is_close(row.standard, printed):
        return "The printed number is the standard conversion, rounded. The noise was the same; the proof is newer."
    return "Neither conversion gives the printed number, and what is proved of the printed ρ is more."


def _is_close(value: float, printed: float) -> bool:
    return abs(value / printed - 1) <= _CLOSE
