"""Links of the start page: where they lead, which parameters they set, and what the page there finds with these."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

from pages.framework import link as links
from pages.framework.layout.page import load_page
from pages.framework.layout.page_entry import PageEntry
from pages.framework.parameters.number_format import exact_text
from pages.shared.shared_parameters import SHARED, SharedSetting


@dataclass(frozen=True)
class Link:
    """A link to a page: its name, and the texts of the parameters that it sets."""

    page: PageEntry
    name: str
    entries: dict[str, str]

    @property
    def address(self) -> str:
        """Where it leads, seen from any page.

        >>> from pages.shared.site_map import TABLES
        >>> Link(TABLES, "A table", {"epsilon": "2", "section": "table"}).address
        './Tables?epsilon=2&section=table'
        """
        return f"./{quote(self.page.path)}?{urlencode(self.entries, quote_via=quote)}"

    @property
    def markdown(self) -> str:
        """The link in words."""
        return f"[{self.name}]({self.address})"

    @cached_property
    def found(self) -> Any:
        """What its page finds with the values that it sets, and the default of every other parameter."""
        topic = load_page(self.page)
        readings = links.read_parameters(
            (*links.COMMON_PARAMETERS, *topic.own_parameters), self.entries, {}, topic.correct
        )
        return topic.compute(links.values(readings))

    @property
    def said(self) -> str:
        """The first sentence of its page's answer."""
        return load_page(self.page).answer_text(self.found)[0]


def shared(setting: SharedSetting) -> dict[str, str]:
    """The texts of the shared parameters at a setting."""
    return {each.key: exact_text(getattr(setting, each.key)) for each in SHARED}
