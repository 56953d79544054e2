"""Links to the pages with the parameters that they set, and the results there."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

from dpcore.risk import reached_risk
from dpcore.tradeoff import epsilon_delta_curve, pure_posterior
from pages.framework import link as links
from pages.framework.layout.page import load_page
from pages.framework.parameters.number_format import exact_text, format_input_up, percent_up
from pages.framework.site import PageEntry
from pages.shared.shared_parameters import SHARED, SharedSetting
from pages.shared.site_map import COMPOSITION, TRADEOFF

RISK_NAME = "What an attacker learns at most"
"""The name of the fold with `risk_link_text`."""
_ALPHA = 0.05  # the false positive rate at which the section of the risk begins


@dataclass(frozen=True)
class Link:
    """A link to a page: its name, and the texts of the parameters that it sets."""

    page: PageEntry
    name: str
    entries: dict[str, str]

    @property
    def address(self) -> str:
        """Its address relative to any page."""
        return f"./{quote(self.page.path)}?{urlencode(self.entries, quote_via=quote)}"

    @property
    def markdown(self) -> str:
        """The link in Markdown."""
        return f"[{self.name}]({self.address})"

    @cached_property
    def result(self) -> Any:
        """The result of its page at the values that it sets, and at the default of every other parameter."""
        page = load_page(self.page)
        return page.compute(links.values(page.readings(self.entries)))

    @property
    def answer_sentence(self) -> str:
        """The first sentence of its page's answer."""
        return load_page(self.page).answer_text(self.result)[0]


def shared_entries(setting: SharedSetting) -> dict[str, str]:
    """Return the texts of the shared parameters at a setting, by key."""
    return {parameter.key: exact_text(getattr(setting, parameter.key)) for parameter in SHARED}


def groups_link(name: str, setting: SharedSetting, **entries: str) -> Link:
    """Return the link to what a guarantee becomes for a group of people, or for shuffled reports."""
    return Link(COMPOSITION, name, shared_entries(setting) | {"section": "together", "show": "groups"} | entries)


def risk_link_text(setting: SharedSetting, promise: str) -> str:
    """Return which risk the guarantee alone ensures, and the link to the section that gives the ε for another one.

    `promise` is that of the page: pure ε-DP has no δ.
    """
    entries = {"section": "risk", "risk": "outcome", "noise": "geometric"}
    link = Link(TRADEOFF, "Noise from risk", shared_entries(setting) | entries)
    is_pure = promise == "pure"
    curve = epsilon_delta_curve(setting.epsilon, 0.0 if is_pure else setting.delta)
    shown = format_input_up(setting.epsilon)
    guarantee = f"pure ε = {shown}" if is_pure else f"ε = {shown} at δ = {format_input_up(setting.delta)}"
    power, advantage = reached_risk("power", curve, _ALPHA), reached_risk("advantage", curve)
    return (
        f"**ε from a risk:** whatever the noise, if the conditions hold, {guarantee} limits any membership attack on "
        f"this release at {percent_up(_ALPHA)} false positives to {percent_up(power)} true positives, and the "
        f"advantage of any attack over guessing to {percent_up(advantage)}. After no outcome of pure ε-DP with this "
        f"ε is the probability that a person is in the data above "
        f"{percent_up(float(pure_posterior(setting.epsilon, 0.5)))} (50 % before). "
        f"{link.markdown} gives the ε for the limit that you can accept, and leads back."
    )
