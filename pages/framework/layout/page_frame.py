"""The frame of every page: set-up, navigation, the stage that the browser draws, and the explanation below it."""

import json
from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar
from urllib.parse import quote, urlencode

import streamlit as st

from pages.framework import streamlit_host
from pages.framework.export import report_item
from pages.framework.layout import upload_limits
from pages.framework.layout.page_entry import MenuEntry, MenuGroup, PageEntry
from pages.framework.layout.redirection import redirected_link
from pages.framework.link import SITE_PARAMETERS
from pages.framework.session import session_state
from pages.framework.site import site

F = TypeVar("F")
_BROWSER = files("pages.framework.browser")
_STYLES = ("streamlit_host.css", "stage.css")
_SETTINGS = {
    "plotlyPath": streamlit_host.plotly_path(),
    "reportLimits": [report_item.MAX_ITEMS, report_item.MAX_TEXT],
    "uploadSentences": upload_limits.SENTENCES,
}


def _script_literal(value: object) -> str:
    """Return a value as JavaScript that can stand in a script: on one line, and without tags in its texts.

    Streamlit works through every line of the markup at every run, and its sanitizer through every tag.
    """
    return json.dumps(value).replace("<", "\\u003c")


# The browser gets its code as one module, a bundle that is committed beside the modules that it is made of. Streamlit
# would serve the modules themselves only from the `asset_dir` that an installed distribution declares, which a checkout
# is not; each module would be a request of its own, and after an update a browser could mix modules of two versions.
ENGINE = (
    "<style>{}</style><script type=module>"
    'globalThis.dpEngine ??= import(URL.createObjectURL(new Blob([{}], {{type: "text/javascript"}})))'
    ".then((engine) => engine.start({}))</script>".format(
        " ".join(word for name in _STYLES for word in (_BROWSER / name).read_text(encoding="utf-8").split()),
        _script_literal((_BROWSER / "page.bundle.js").read_text(encoding="utf-8")),
        _script_literal(_SETTINGS),
    )
)
# It replaces the old address in the browser's history, so that Back leads to the page before it.
REDIRECTION = "<script>location.replace(document.querySelector('[data-moved]').href)</script>"
_MOVED = "<p>This section has moved: <a href='{}' data-moved>open it</a>.</p>" + REDIRECTION


def run(page: PageEntry, body: Callable[[], object]) -> None:
    """Set up a page and render its body, a fragment, which alone runs again after a request or an edit."""
    st.set_page_config(page_title=f"{page.question} · {site().name}", page_icon="📉", layout="wide")
    if address := _new_address(page):
        st.html(_MOVED.format(escape(address)), unsafe_allow_javascript=True)
        return
    if session_state.request():
        st.empty()  # in place of the engine: a browser that sends requests has it already
    else:
        st.html(ENGINE, unsafe_allow_javascript=True)  # as early as possible: it takes a fifth of a run's time
    st.fragment(lambda: session_state.record_fields(body))()
    st.sidebar.html(_navigation(page))


def _new_address(page: PageEntry) -> str:
    """Return the address to which the link of a section has moved, relative to the page; empty if it has not moved."""
    query = {key: st.query_params.get_all(key) for key in st.query_params}
    target, entries = redirected_link(page, query)
    return "" if target == page else f"./{quote(target.path)}?{urlencode(entries, doseq=True, quote_via=quote)}"


def _navigation(page: PageEntry) -> str:
    """Return the HTML of the links to all pages with the shared parameters, which the browser then keeps up to date."""
    shared = {parameter.key: session_state.used_texts()[parameter.key] for parameter in SITE_PARAMETERS}
    current = site().menu_entry(page, session_state.used_texts().get("section", ""))
    groups = "".join(_group(group, shared, current) for group in site().groups)
    return (
        f'<nav class="dp-pages" aria-label="Pages" data-shared="{" ".join(shared)}">'
        f'<strong class="dp-product">{escape(site().name)}</strong>{groups}</nav>'
    )


def _group(group: MenuGroup, shared: dict[str, str], current: MenuEntry) -> str:
    """Return the HTML of the links of a group, below its name."""
    links = "".join(_navigation_link(entry, shared, is_current=entry == current) for entry in group.entries)
    heading = f'<span class="dp-group-name" aria-hidden=true>{escape(group.name)}</span>' if group.name else ""
    label = f' role=group aria-label="{escape(group.name)}"' if group.name else ""
    return f'<div class="dp-group"{label}>{heading}{links}</div>'


def _navigation_link(entry: MenuEntry, shared: dict[str, str], *, is_current: bool) -> str:
    """Return the HTML of a link to an entry, with the names of its tabs: `path/key`, or `path/` for any.

    It leads to the first tab, or to that of the same page which was left.
    """
    first = entry.tabs[0]
    left = session_state.section_left(first.page.path)
    section = left if left in first.keys else first.keys[0] if first.keys else ""
    query = urlencode(shared | ({"section": section} if section else {}), quote_via=quote)
    tabs = " ".join(f"{tabs.page.path}/{key}" for tabs in entry.tabs for key in tabs.keys or ("",))
    current = " aria-current=page" if is_current else ""
    address = escape(f"./{first.page.path}?{query}")
    return f'<a href="{address}" data-page data-tabs="{escape(tabs)}"{current}>{escape(entry.name)}</a>'


def page_link(page: PageEntry, label: str = "", entries: Mapping[str, str] = MappingProxyType({})) -> None:
    """Render a link to a page, with the shared parameters or with others in their place."""
    shared = {parameter.key: session_state.used_texts()[parameter.key] for parameter in SITE_PARAMETERS}
    st.page_link(page.script, label=label or page.name, query_params=shared | dict(entries))
