from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.reading import EPSILON as LABEL
from tests.browser.reading import (
    OWN,
    SHARED,
    START_OWN,
    answer,
    enter,
    expect_link,
    expect_no_error,
    notices,
    settle,
    visit,
)

IMG = "<img src=x onerror=alert(1)>"
PICTURE = "![x](http://127.0.0.1:9/x.png)"
EPSILON = ("ε (epsilon)", "from 0 to 1e6", "1 is used instead")

# The link, words that its sentence holds, and the parameters that are used instead of the defaults.
CASES = [
    (f"epsilon={quote(IMG)}", (*EPSILON, IMG), {}),
    (f"epsilon={'7' * 5000}", (*EPSILON, "777…"), {}),
    (
        "l2_sensitivity=1e10&epsilon=0&delta=1e-300",
        ("ℓ₂ sensitivity (l2_sensitivity)", "of 1e10", "beyond 1e300 at this ε and δ", "1 is used instead"),
        {"epsilon": "0", "delta": "1e-300"},
    ),
    (f"{quote(PICTURE)}=1", (f"no parameter {PICTURE};", "left out"), {}),
    ("epsilon=1&epsilon=2", ("ε (epsilon)", "2 times", "only the last is read, 2."), {"epsilon": "2"}),
]


@pytest.mark.parametrize(("query", "words", "used"), CASES, ids=[case[0][:40] for case in CASES])
def test_a_bad_link_is_named_in_one_sentence_and_the_page_works(
    page: Page, server: str, query: str, words: tuple[str, ...], used: dict[str, str]
) -> None:
    requests, dialogs = [], []

    def note_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("request", lambda request: requests.append(request.url))
    page.on("dialog", note_dialog)
    visit(page, f"{server}/Gaussian_bounds?{query}")
    (sentence,) = notices(page)
    assert [word for word in words if word not in sentence] == []
    assert len(sentence) < 250
    expect_link(page, SHARED | OWN | used)
    expect(answer(page)).to_contain_text("the analytic Gaussian requires σ = ")
    expect_no_error(page)
    assert page.get_by_test_id("stApp").locator("img").count() == 0
    assert dialogs == []
    assert [url for url in requests if not url.startswith((server, "data:", "blob:"))] == []


def test_every_problem_of_a_link_has_its_own_sentence_until_something_is_edited(page: Page, server: str) -> None:
    visit(page, f"{server}/?epsilon={quote(IMG)}&delta=2&picture={quote(PICTURE)}&bound=pdp", charts=6)
    assert [sentence.split(";")[0] for sentence in notices(page)] == [
        "ε (epsilon) must be from 0 to 1e6",
        "δ (delta) must be from 1e-300 to below 1",
        "picture format (picture) must be one of svg, png, pdf",
        "This page has no parameter bound",
    ]
    expect_link(page, SHARED | START_OWN)
    enter(page, LABEL, "2")
    expect(page.locator(".st-key-link_notice")).to_be_hidden()
    settle(page, charts=6)
    expect_no_error(page)


ADDRESSES = [quote(name, safe="") for name in ("https://evil.example/a", "www.evil.example", "me@evil.example")]


@pytest.mark.parametrize(
    ("path", "entry", "boxes"),
    [
        ("Trade-off_curves?curves=", "gdp:{}@blue={}", ("Choose, add and edit curves", "How this is computed")),
        ("Composition?releases=", "pure:0.{}={}", ("How this is computed",)),
        ("Plan?queries=", "count:2{}={}", ("How this is computed",)),
    ],
)
def test_an_address_in_a_name_is_no_link_on_the_page(
    page: Page, server: str, path: str, entry: str, boxes: tuple[str, ...]
) -> None:
    listed = ";".join(entry.format(place, name) for place, name in enumerate(ADDRESSES, 1))
    page.goto(f"{server}/{path}{quote(listed, safe=':@,;=%')}")
    expect(answer(page)).to_be_visible()
    for box in boxes:
        page.get_by_text(box, exact=True).click()
    names = page.locator("[data-testid=stRadio] label, [data-testid=stButton] button")
    expect(names.filter(has_text="evil.example", visible=True)).to_have_count(3)
    expect(page.locator(".st-key-explanation .katex").first).to_be_visible()
    targets = page.evaluate("[...document.querySelectorAll('a')].map(link => link.href)")
    strange = [target for target in targets if "evil" in target and not target.startswith(server)]
    assert strange == []
    expect_no_error(page)
