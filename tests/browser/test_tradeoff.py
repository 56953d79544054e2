"""The page of trade-off curves in a browser: its link, its editor, a click in the chart, uploads."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.reading import (
    CURVES,
    DELTA,
    SHARED,
    TRADEOFF,
    TRADEOFF_OWN,
    answer,
    charts,
    enter,
    expect_link,
    expect_no_error,
    field,
    go_to,
    notices,
    settle,
    visit,
)

ALPHA = "False alarms α that the attacker accepts"
PRIOR = "Prior: how sure the attacker is beforehand"
LINKED_CURVES = "laplace:0.1*20@rose=Twenty%20counts;!sgm:0.5,0.002,10000@teal=;points:0.1_0.6~0.5_0.1@ochre="
LINKED = {"curves": LINKED_CURVES, "alpha": "0.001", "prior": "0.5", "view": "log", "quote": "epsilon"}
LINKED |= {"attack": "25_1000_760_1000", "confidence": "0.9", "seed": "7"}


def address(server: str, **parameters: str) -> str:
    return f"{server}/Trade-off_curves?" + "&".join(f"{key}={quote(value)}" for key, value in parameters.items())


@pytest.fixture
def tradeoff(page: Page, server: str) -> Page:
    visit(page, address(server), charts=2)
    return page


def expect_linked_page(page: Page) -> None:
    expect_link(page, SHARED | LINKED)
    expect(page.get_by_role("heading", level=1)).to_have_text(TRADEOFF)
    expect(answer(page)).to_contain_text("An attacker who accepts 0.1 % false alarms catches at most 4.792 %")
    for name in (
        "Twenty counts",
        "DP-SGD σ = 0.5, rate 0.002, 10,000 ×",
        "Points",
        "Power, log–log",
        "at ε of the sidebar",
    ):
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("radio", name="DP-SGD σ = 0.5, rate 0.002, 10,000 ×")).to_be_checked()
    expect(page.get_by_text("With 90 % confidence, this attack proves ε ≥")).to_be_visible()
    expect_no_error(page)


def test_a_link_with_its_curves_shows_the_same_on_a_fresh_server_on_reload_and_after_another_page(
    page: Page, fresh_server: str
) -> None:
    visit(page, address(fresh_server, **SHARED, **LINKED), charts=3)
    expect_linked_page(page)
    page.reload()
    settle(page, charts=3)
    expect_linked_page(page)
    go_to(page, "Gaussian bounds")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Trade-off curves", exact=True).click()
    settle(page, charts=3)
    expect_linked_page(page)


def test_the_address_holds_every_parameter_after_a_visit_without_any(tradeoff: Page) -> None:
    expect_link(tradeoff, SHARED | TRADEOFF_OWN)
    expect(answer(tradeoff)).to_have_text(
        "An attacker who accepts 5 % false alarms catches at most 25.96 % of the true cases (μ = 1)."
    )


def place(page: Page, alpha: float, beta: float) -> tuple[float, float]:
    """Where a point of the first chart is on the screen, scrolled into view."""
    square = page.locator(".st-key-curves .nsewdrag")
    page.locator(".st-key-csv_curves").scroll_into_view_if_needed()
    box = square.bounding_box() or {}
    return box["x"] + alpha * box["width"], box["y"] + (1 - beta) * box["height"]


def test_a_click_on_a_curve_takes_its_alpha(tradeoff: Page) -> None:
    tradeoff.mouse.click(*place(tradeoff, 0.3, 0.3171798704))
    expect(answer(tradeoff)).not_to_contain_text("5 % false alarms catches at most 25.96 %")
    settle(tradeoff, charts=2)
    taken = float(field(tradeoff, ALPHA).input_value())
    assert taken == pytest.approx(0.3, abs=0.02)
    expect_link(tradeoff, SHARED | TRADEOFF_OWN | {"alpha": field(tradeoff, ALPHA).input_value()})


def test_hovering_over_a_curve_tells_both_errors_the_power_and_what_they_imply(tradeoff: Page) -> None:
    tradeoff.mouse.move(*place(tradeoff, 0.5, 0.158655))
    hover = tradeoff.locator(".st-key-curves .hoverlayer")
    for words in ("false alarms α ≈", "missed β ≈", "power ≈", "implies ε ≥", "μ ≥ 1"):
        expect(hover).to_contain_text(words)


def test_curves_are_added_changed_named_moved_and_removed_and_the_link_follows(tradeoff: Page) -> None:
    tradeoff.get_by_role("button", name="Add", exact=True).click()
    expect_link(tradeoff, SHARED | TRADEOFF_OWN | {"curves": CURVES.replace("!", "") + ";!gdp:1@purple="})
    expect(tradeoff.get_by_role("radio", name="μ = 1 (2)")).to_be_checked()
    tradeoff.get_by_label("Kind").click()
    tradeoff.get_by_role("option", name="Pure ε-DP").click()
    settle(tradeoff, charts=2)
    enter(tradeoff, "ε of the curve, in nats", "0.3")
    expect(answer(tradeoff)).to_contain_text("(0.3-DP)")
    enter(tradeoff, "Name", "Census [draft](x)")
    expect(answer(tradeoff)).to_contain_text("(Census [draft](x))")
    settle(tradeoff, charts=2)
    tradeoff.get_by_role("button", name="Up", exact=True).click()
    name = "Census%20%5Bdraft%5D%28x%29"
    moved = f"gdp:1@blue=;approx:1,1e-6@green=;!pure:0.3@purple={name};laplace:1@orange="
    expect_link(tradeoff, SHARED | TRADEOFF_OWN | {"curves": moved})
    tradeoff.get_by_role("button", name="Remove", exact=True).click()
    rest = "gdp:1@blue=;approx:1,1e-6@green=;!laplace:1@orange="
    expect_link(tradeoff, SHARED | TRADEOFF_OWN | {"curves": rest})
    expect_no_error(tradeoff)


def test_the_number_of_curves_ends_at_eight(page: Page, server: str) -> None:
    visit(page, address(server, curves=";".join(["gdp:1@blue="] * 8)), charts=2)
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_disabled()
    expect(page.get_by_role("radio", name="μ = 1 (8)")).to_be_visible()


def test_an_unusable_number_stays_in_its_field_with_one_sentence_while_the_curve_stays(tradeoff: Page) -> None:
    enter(tradeoff, "μ", "-1")
    sentence = "μ (mu) must be from 0 to 1e6; -1 was given. 1 is used instead."
    expect(tradeoff.locator("[class*=st-key-problem_curve_]")).to_have_text(sentence)
    settle(tradeoff, charts=2)
    expect(field(tradeoff, "μ")).to_have_value("-1")
    expect_link(tradeoff, SHARED | TRADEOFF_OWN)
    tradeoff.get_by_role("radio", name="Laplace θ = 1").click(force=True)
    expect(answer(tradeoff)).to_contain_text("(Laplace θ = 1)")
    settle(tradeoff, charts=2)
    tradeoff.get_by_role("radio", name="μ = 1").click(force=True)
    expect(field(tradeoff, "μ")).to_have_value("-1")
    enter(tradeoff, "μ", "2")
    expect(tradeoff.locator("[class*=st-key-problem_]")).to_have_count(0)
    expect(answer(tradeoff)).to_contain_text("(μ = 2)")


def test_pasted_points_become_a_curve_and_bad_ones_get_their_sentence(page: Page, server: str) -> None:
    visit(page, address(server, curves="points:0.1_0.6~0.5_0.1@blue="), charts=2)
    assert notices(page) == []
    box = page.get_by_role("textbox", name="Points, a line each: α, β")
    box.fill("0.1, 0.95\n0.5, 0.1")
    box.press("Control+Enter")
    expect(page.locator(".st-key-problem_curve_points")).to_contain_text("above 1 − alpha = 0.9")
    box.fill("0.05 0.93\n0.5 0.43")
    box.press("Control+Enter")
    expect(page.locator(".st-key-problem_curve_points")).to_have_count(0)
    expect(answer(page)).to_contain_text("catches 7 % of the true cases")
    settle(page, charts=2)
    link = SHARED | TRADEOFF_OWN | {"curves": "!points:0.05_0.93~0.5_0.43@blue="}
    expect_link(page, link)


def test_an_uploaded_attack_proves_what_its_scores_prove_and_a_bad_file_gets_its_sentence(tradeoff: Page) -> None:
    tradeoff.get_by_text("Bring an attack's results").click()
    rows = [*(f"1,{10 + place}" for place in range(200)), *(f"0,{place / 200}" for place in range(200))]
    upload(tradeoff, "\n".join(["member,score", *rows]))
    settle(tradeoff, charts=3)
    expect(tradeoff.get_by_text("The claim μ = 1 is contradicted")).to_be_visible()
    assert charts(tradeoff)[2]["name"] == "attack"
    tradeoff.get_by_role("button", name="Remove the attack").click()
    settle(tradeoff, charts=2)
    upload(tradeoff, "member,score\n1,x\n")
    expect(tradeoff.locator(".st-key-problem_attack_file")).to_contain_text("line 2: the score is x")
    settle(tradeoff, charts=2)
    expect_no_error(tradeoff)


def upload(page: Page, text: str) -> None:
    file = FilePayload(name="attack.csv", mimeType="text/csv", buffer=text.encode())
    page.locator(".st-key-attack_upload input[type=file]").set_input_files(file)


def test_the_sidebar_delta_moves_the_quotation(tradeoff: Page) -> None:
    expect(tradeoff.get_by_text("μ = 1 keeps ε = 4.887 at δ = 1e-6.")).to_be_visible()
    enter(tradeoff, DELTA, "1e-5")
    expect(tradeoff.get_by_text("μ = 1 keeps ε = 4.378 at δ = 1e-5.")).to_be_visible()


def test_a_hostile_entry_of_a_link_is_shown_letter_by_letter_and_nothing_is_fetched(page: Page, server: str) -> None:
    visit(page, address(server, curves="gdp:<img src=x onerror=alert(1)>@blue="), charts=2)
    (sentence,) = notices(page)
    assert "Curve 1: μ (mu) must be from 0 to 1e6; <img src was given. It is left out." in sentence
    expect_link(page, SHARED | TRADEOFF_OWN)
    expect(answer(page)).to_contain_text("catches at most")
    expect_no_error(page)
    assert page.get_by_test_id("stApp").locator("img").count() == 0


def test_every_chart_says_in_words_what_it_finds_and_its_numbers_come_as_csv(page: Page, server: str) -> None:
    visit(page, address(server, attack="25_1000_760_1000"), charts=3)
    drawn = charts(page)
    assert [chart["name"] for chart in drawn] == ["curves", "quotation", "attack"]
    assert all(chart["marks"] > 1 for chart in drawn)
    for chart, words in zip(drawn, ("μ = 1 lets at most 25.96 %", "keeps ε = 4.887", "proves ε ≥"), strict=True):
        assert words in chart["alternative"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Numbers as CSV").first.click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert f"# curves in the link: {CURVES}" in lines
    assert {"# alpha: 0.05", "# prior: 0.1"} <= set(lines)
    assert "curve,alpha,beta,power,epsilon,mu" in lines


@pytest.mark.parametrize("view", ["errors", "power", "log"])
def test_the_axes_are_equal_and_stay_put_while_alpha_and_a_curve_move(page: Page, server: str, view: str) -> None:
    visit(page, address(server, view=view), charts=2)
    before = charts(page)[0]["axes"]
    box = page.locator(".st-key-curves .nsewdrag").bounding_box() or {}
    assert box["width"] == pytest.approx(box["height"], abs=2)
    enter(page, ALPHA, "0.3")
    expect(answer(page)).to_contain_text("30 % false alarms")
    enter(page, "μ", "3")
    expect(answer(page)).to_contain_text("(μ = 3)")
    settle(page, charts=2)
    assert charts(page)[0]["axes"] == before


def test_nothing_is_wider_than_a_phone(new_page: Callable[..., Page], server: str) -> None:
    page = new_page(width=390)
    visit(page, address(server, attack="25_1000_760_1000"), charts=3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    inside = "[...document.querySelectorAll('.stMain .js-plotly-plot, .stMain p, .stMain button, .stMain .scroll')]"
    assert page.evaluate(f"{inside}.every(part => part.getBoundingClientRect().right <= 390)")
