from urllib.parse import quote

from playwright.sync_api import Dialog, Page, expect

from tests.browser.reading import EPSILON as LABEL
from tests.browser.reading import (
    OWN,
    SHARED,
    answer,
    enter,
    expect_link,
    expect_no_error,
    follow,
    notices,
    settle,
    visit,
)

IMG = "<img src=x onerror=alert(1)>"
PICTURE = "![x](http://127.0.0.1:9/x.png)"
HOSTILE = f"epsilon={quote(IMG)}&delta=2&picture={quote(PICTURE)}&{quote(PICTURE)}=1&significance={'7' * 5000}"
HOSTILE += "&l2_sensitivity=1&l2_sensitivity=2"


def test_every_problem_of_a_bad_link_has_a_sentence_until_an_edit_and_the_page_works(page: Page, server: str) -> None:
    requests, dialogs = [], []

    def note_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("request", lambda request: requests.append(request.url))
    page.on("dialog", note_dialog)
    visit(page, f"{server}/Gaussian_bounds?{HOSTILE}")
    sentences = notices(page)
    assert [sentence.split(";")[0] for sentence in sentences] == [
        "ε must be from 0 to 1e6",
        "δ must be from 1e-300 to below 1",
        "picture format must be one of svg, png, pdf",
        f"This page has no parameter {PICTURE}",
        "significance level must be from 1e-300 to below 1",
        "The link gives ℓ₂ sensitivity 2 times",
    ]
    assert IMG in sentences[0]
    assert max(map(len, sentences)) < 250
    expect_link(page, SHARED | OWN | {"l2_sensitivity": "2"})
    expect(answer(page)).to_contain_text("the analytic Gaussian requires σ = ")
    assert page.get_by_test_id("stApp").locator("img").count() == 0
    assert dialogs == []
    assert [url for url in requests if not url.startswith((server, "data:", "blob:"))] == []
    enter(page, LABEL, "2")
    expect(page.locator(".st-key-link_notice")).to_be_hidden()
    settle(page)
    expect_no_error(page)


ADDRESSES = [quote(name, safe="") for name in ("https://evil.example/a", "www.evil.example", "me@evil.example")]


LISTS = {
    ("Trade-off_curves?curves=", "gdp:{}@blue={}"): ("Choose, add and edit curves", "How this is computed"),
    ("Plan?queries=", "count:2{}={}"): ("How this is computed",),
}


def test_an_address_in_a_name_is_no_link_on_the_page(page: Page, server: str) -> None:
    for (path, entry), boxes in LISTS.items():
        listed = ";".join(entry.format(place, name) for place, name in enumerate(ADDRESSES, 1))
        follow(page, f"{server}/{path}{quote(listed, safe=':@,;=%')}")
        for box in boxes:  # which a new session has closed
            page.get_by_text(box, exact=True).click()
        names = page.locator("[data-testid=stRadio] label, [data-testid=stButton] button")
        expect(names.filter(has_text="evil.example", visible=True)).to_have_count(3)
        expect(page.locator(".st-key-explanation .katex").first).to_be_visible()
        targets = page.evaluate("[...document.querySelectorAll('a')].map(link => link.href)")
        strange = [target for target in targets if "evil" in target and not target.startswith(server)]
        assert strange == []
        expect_no_error(page)
