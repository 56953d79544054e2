"""The editor of the list of releases is beside the answer and the picture, and below them on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import visit

_BOXES = """() => Object.fromEntries([[".dp-answer", "answer"], [".dp-lead .dp-plot", "picture"],
  [".st-key-releases_box", "editor"], [".dp-stage table", "table"]]
  .map(([part, name]) => [name, document.querySelector(part).getBoundingClientRect().toJSON()]))"""


@pytest.mark.parametrize("section", ["together", "accountants", "profile"])
def test_the_list_is_edited_beside_the_answer_and_the_picture(
    new_page: Callable[..., Page], server: str, section: str
) -> None:
    page = new_page(1280)
    visit(page, f"{server}/Composition?section={section}")
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_visible()
    boxes = page.evaluate(_BOXES)
    assert boxes["editor"]["left"] >= max(boxes["answer"]["right"], boxes["picture"]["right"])
    assert boxes["editor"]["top"] < boxes["picture"]["top"] < boxes["editor"]["bottom"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("() => document.querySelector('.st-key-releases_box').getBoundingClientRect().left < 60")
    boxes = page.evaluate(_BOXES)
    assert boxes["editor"]["top"] >= boxes["picture"]["bottom"]
