"""Undocumented parts of Streamlit that the project uses: where another version differs, a test names what breaks.

All of it stands in `pages/framework/streamlit_host.py` and in `streamlit_host.js` and `streamlit_host.css` of
`pages/framework/browser`; an upgrade of Streamlit that fails here is mended there.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import streamlit
from playwright.sync_api import FilePayload, Page
from playwright.sync_api import TimeoutError as NotSeenError
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import ScriptRunContext
from streamlit.web.server.starlette import starlette_routes

from pages.framework import streamlit_host
from tests.browser import reading

# The title begins at the left edge, beside the button that unfolds the navigation.
FOLDED_AWAY = """() => {
  const title = document.querySelector("h1"), button = document.querySelector("[data-testid=stExpandSidebarButton]");
  const left = title.getBoundingClientRect().left + parseFloat(getComputedStyle(title).paddingLeft);
  return left <= 100 && button?.getBoundingClientRect().right <= left;
}"""
IN_THE_PAGE = {
    "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'": (
        "no module knows whether a run is going on: requests are sent again, and pages are left, during a run"
    ),
    "document.querySelector('[data-testid=stApp]')?.dataset.testConnectionState === 'CONNECTED'": (
        "a page whose session the server has lost is not opened again"
    ),
    "document.getElementById('root')?.querySelector('.stApp')": (
        "a page is not loaded again where Streamlit itself fails"
    ),
    "['auto', 'scroll'].includes(getComputedStyle(document.querySelector('.stMain') ?? document.body).overflowY)": (
        "charts out of sight are drawn too, and the first chart does not fill the first screen"
    ),
    "/^rgb\\(/.test(getComputedStyle(document.querySelector('.stApp')).backgroundColor)": (
        "charts do not follow a change of the theme"
    ),
    "document.querySelector('script[type=module][src*=\"static/js/\"]')": "no chart is drawn: Plotly is not found",
    "globalThis.Plotly?.react": "no chart is drawn: the script that Python finds does not set window.Plotly",
    "[...document.head.querySelectorAll('style')].some((style) => style.textContent.includes('.dp-stage'))": (
        "the page loses its style at its second run: st.html gives its style another parent"
    ),
    "document.querySelector('.st-key-explanation details > summary')": "links to fields below do not unfold them",
    "document.querySelector('[data-testid=stSidebar]')?.getBoundingClientRect().width === 210": (
        "the navigation takes more room"
    ),
    "document.querySelector('[data-testid=stHeader]')?.getBoundingClientRect().height === 0": (
        "the page has an empty head"
    ),
    "document.querySelector('.stMainBlockContainer > .stVerticalBlock .stElementContainer')": (
        "the page has wide margins, and the first runs leave a gap above the stage"
    ),
    "globalThis.isSamePage": "a link to another page loads everything anew: Streamlit does not follow the history",
}


def broken_in_python() -> Iterator[str]:
    """Yield the problems in the parts that Python uses."""
    static = Path(streamlit.__file__).parent / "static"
    if not (static / streamlit_host.plotly_path()).is_file():
        yield "no chart is drawn: the folder of static files has no Plotly"
    if not re.search(r"<script>.+?</script>", streamlit_host.page_markup(), re.DOTALL):
        yield "the Content-Security-Policy may name scripts that do not stand in the page of Streamlit any more"
    if "session_id" not in ScriptRunContext.__annotations__ or not hasattr(Runtime, "is_active_session"):
        yield "work goes on for sessions whose browser has gone"
    if not hasattr(MemoryUploadedFileManager(""), "file_storage") or not hasattr(runtime, "get_instance"):
        yield "the sum of uploaded files is not limited"
    if f"/{starlette_routes.BASE_ROUTE_UPLOAD_FILE}" != streamlit_host.UPLOAD_ROUTE:
        yield "uploads are not limited: they go to another address"


def test_where_streamlit_has_changed_this_says_what_breaks(page: Page, server: str):
    broken = [*broken_in_python()]
    reading.visit(page, f"{server}/Accuracy")
    page.evaluate("globalThis.isSamePage = true")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Gaussian bounds", exact=True).click()
    page.get_by_role("heading", level=1, name=reading.BOUNDS).wait_for()
    reading.settle(page)
    broken += [words for test, words in IN_THE_PAGE.items() if not page.evaluate(f"Boolean({test})")]
    reading.go_to(page, "A table")
    page.get_by_test_id("stSidebar").hover()
    page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    page.get_by_test_id("stExpandSidebarButton").wait_for()
    try:
        page.wait_for_function(FOLDED_AWAY, timeout=5_000)  # the bar moves away
    except NotSeenError:
        broken.append("where the navigation is folded away, its room stays empty, or its button lies on the title")
    page.get_by_text("Use your own table").click()
    picture: FilePayload = {"name": "picture.png", "mimeType": "image/png", "buffer": b"\x89PNG"}
    page.locator(".stFileUploader input[type=file]").first.set_input_files(picture)
    if not page.locator(".stFileUploader section button").count():
        broken.append("the link to the fields for an own table does not set the focus to the upload")
    try:
        page.locator(".dp-refused").wait_for(timeout=5_000)
    except NotSeenError:
        broken.append("a file that is refused stays as a red entry that names a status of HTTP")
    assert not broken, f"Streamlit {streamlit.__version__} differs from 1.66 and 1.67: {broken}"
