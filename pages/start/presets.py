"""Settings to start from, each with its source and a link that sets its parameters."""

from dataclasses import dataclass

from pages.framework.link import SITE_PARAMETERS
from pages.shared.page_links import Link
from pages.shared.shared_parameters import SHARED
from pages.shared.site_map import GAUSSIAN_BOUNDS, PAPERS, START
from pages.start.glossary.parameters import TERM

_PLAIN = {"l2_sensitivity": "1", "significance": "0.05"}


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
        "ε = 1 and δ = 1e-6, for one count that is released once and that one person changes by at most 1.",
        "ours; round numbers, not from a deployment.",
    ),
    Preset(
        _bounds_link("Where the classical formula breaks", "10", "1e-5"),
        "For one release at ε = 10 and δ = 1e-5, outside its proof (ε < 1), its noise is too small: its true δ is more "
        "than twice the target.",
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
RESET = Link(START, "Reset", _DEFAULTS | {"section": "pages", TERM.key: TERM.default})


def settings_text() -> str:
    """Return the settings to start from with their sources, and the link that resets every parameter, in Markdown."""
    defaults = ", ".join(f"{parameter.symbol} = {parameter.default}" for parameter in SHARED)
    items = [f"{preset.link.markdown}. {preset.shows} Source: {preset.origin}" for preset in PRESETS]
    reset = f"{RESET.markdown}: this page with every default, {defaults}."
    return "\n\n".join(("## Settings to start from", *items, reset))
