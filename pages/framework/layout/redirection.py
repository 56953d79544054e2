"""The redirection of older links to sections that have moved to another page."""

from collections.abc import Mapping

from pages.framework.layout.page import load_page
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Pin
from pages.framework.site import PageEntry

Query = Mapping[str, list[str]]
"""The texts of each parameter in a link, by key."""


def redirected_link(page: PageEntry, query: Query) -> tuple[PageEntry, Query]:
    """Return the page and the parameters that a link opens: its own, or those of the page to which its section moved.

    Parameters of other sections of the old page are left out, in the pinned setting too.
    """
    moved = load_page(page).moved_sections.get(query.get("section", [""])[-1].strip())
    if moved is None:
        return page, query
    query = moved.entries(query)
    keys = {*moved.keys, *(parameter.key for parameter in COMMON_PARAMETERS)}
    entries = {key: texts for key, texts in query.items() if key in keys}
    for pin in load_page(moved.page).own_parameters:
        if isinstance(pin, Pin) and pin.key in query:
            entries[pin.key] = [pin.known_text(entry) for entry in query[pin.key]]
    return moved.page, entries | {"section": [moved.section]}
