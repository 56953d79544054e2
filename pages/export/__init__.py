"""Every picture of a page, and the numbers behind each, from the page's link alone.

Run `python -m pages.export LINK DIRECTORY`. It is a package since Streamlit takes every script in `pages/` for a page.
"""

from urllib.parse import parse_qs, unquote, urlsplit

from pages.framework import link as links
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.report_items import readings_of
from pages.framework.layout.page import redirected_link
from pages.framework.parameters.parameter import excerpt
from pages.framework.site import PageEntry
from pages.shared import looks, site_map


def page_of(link: str) -> PageEntry:
    """Return the page of a link, on any server.

    >>> page_of("http://127.0.0.1:8501/Gaussian_bounds?epsilon=2").name
    'Gaussian bounds'
    """
    path = unquote(urlsplit(link).path).rstrip("/").rsplit("/", 1)[-1]
    page = next((page for page in site_map.PAGES if page.topic and page.path == path), None)
    if page is None:
        paths = ", ".join(f"/{page.path}" for page in site_map.PAGES if page.topic)
        raise ValueError(f"LINK must name one of {paths}; {excerpt(link)} was given.")
    return page


def exhibits_of(link: str) -> tuple[list[Exhibit], str, list[str]]:
    """Return the charts and tables of the page of a link, its full link, and the problems of the link."""
    entry, query = redirected_link(page_of(link), parse_qs(urlsplit(link).query, keep_blank_values=True))
    page, readings, problems = readings_of(entry, dict(query))
    result, colours = page.compute(links.values(readings)), looks.COLOURS["light"]
    exhibits = [exhibit for make in page.all_exhibits() if (exhibit := make(result, colours)) is not None]
    return exhibits, links.address(page.entry.path, readings), problems
