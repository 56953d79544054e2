"""Long computations: the page shows their progress and offers a way without them."""

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser import reading

SPARSE = ";".join(f"sampled:{0.7 + 0.08 * place:.2f},1e-9*1000000" for place in range(20))


def test_what_takes_long_shows_how_far_it_is_and_is_cancelled_with_every_parameter_kept(page: Page, server: str):
    cancel, bar = page.get_by_role("button", name="Cancel"), page.get_by_role("progressbar")
    for place in range(9):  # until the workers of a new server are ready, and it is cancelled before it ends by itself
        page.goto(f"{server}/Composition?{urlencode({'releases': SPARSE, 'delta': f'1.0{place}e-6'})}")
        expect(cancel.or_(reading.answer(page))).to_be_visible(timeout=reading.LIMIT)
        is_working = cancel.is_visible() and bar.is_visible()
        page.locator(".dp-working button").dispatch_event("click")
        expect(cancel).not_to_be_visible()
        if is_working and reading.answer(page).text_content() == "You stopped this computation.":
            break
    expect(reading.answer(page)).to_have_text("You stopped this computation.")
    assert reading.link(page)["releases"].count("sampled:") == 20
    page.get_by_role("link", name="A trained model", exact=True).click()
    expect(reading.answer(page)).not_to_have_text("You stopped this computation.")
    reading.settle(page, 1)
