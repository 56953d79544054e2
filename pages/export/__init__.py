"""Every picture of a page, and the numbers behind each, from the page's link alone.

Run `python -m pages.export LINK DIRECTORY`. It is a package since Streamlit takes every script in `pages/` for a page.
"""

from urllib.parse import parse_qs, unquote, urlsplit

from pages.framework import link as links
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_items import readings_of
from pages.framework.layout.page_entry import PageEntry
from pages.framework.parameters import kinds
from pages.shared import mechanism_colours, site_map


def page_of(link: str) -> PageEntry:
    """The page that a link names, whatever server it is on.

    >>> page_of("http://127.0.0.1:8501/Gaussian_bounds?epsilon=2").name
    'Gaussian bounds'
    """
    path = unquote(urlsplit(link).path).rstrip("/").rsplit("/", 1)[-1]
    page = next((each for each in site_map.PAGES if each.topic and each.path == path), None)
    if page is None:
        known = ", ".join(f"/{each.path}" for each in site_map.PAGES if each.topic)
        raise ValueError(f"LINK must name one of {known}; {kinds.shown(link)} was given.")
    return page


def exhibits_of(link: str, scheme: str = "light") -> tuple[list[Exhibit], str, list[str]]:
    """Every chart and table of the page that a link names, its full link, and what of the link can't be used."""
    topic, read, problems = readings_of(page_of(link), parse_qs(urlsplit(link).query, keep_blank_values=True))
    found, colours = topic.compute(links.values(read)), mechanism_colours.COLOURS[scheme]
    made = [exhibit for each in topic.all_exhibits() if (exhibit := each(found, colours)) is not None]
    return made, links.address(topic.entry.path, read), problems
