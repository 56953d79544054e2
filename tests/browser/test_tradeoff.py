"""The page of trade-off curves in a browser: its link, its editor, its handle, a click in the chart, uploads."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.reading import (
    DELTA,
    EPSILON,
    RISK_OWN,
    SHARED,
    TRADEOFF,
    TRADEOFF_OWN,
    answer,
    charts,
    choose,
    enter,
    expect_link,
    expect_no_error,
    field,
    follow,
    go_to,
    link,
    notices,
    settle,
)

ALPHA = "False positive rate α that the attacker accepts"
THREE = "!gdp:1@blue=;approx:1,1e-6@green=;laplace:1@orange="
LINKED_CURVES = "laplace:0.1*20@rose=Twenty%20counts;!sgm:0.5,0.002,10000@teal=;points:0.1_0.6~0.5_0.1@ochre="
LINKED = {"section": "attack", "curves": LINKED_CURVES, "alpha": "0.001", "prior": "0.5", "view": "log"}
LINKED |= {
    "show": "quote",
    "quote": "epsilon",
    "attack": "25_1000_760_1000",
    "confidence": "0.9",
    "seed": "7",
    "pinned": "none",
}
LINKED |= RISK_OWN


def address(server: str, **parameters: str) -> str:
    return f"{server}/Trade-off_curves?" + "&".join(f"{key}={quote(value)}" for key, value in parameters.items())


@pytest.fixture
def tradeoff(app: Page, server: str) -> Page:
    follow(app, address(server))
    return app


@pytest.fixture
def three(app: Page, server: str) -> Page:
    """Return the page with three curves of different numbers and their open editor."""
    follow(app, address(server, curves=THREE))
    return edited(app)


def edited(page: Page) -> Page:
    if not page.get_by_label("Kind").is_visible():
        page.get_by_text("Choose, add and edit curves").click()
    expect(page.get_by_label("Kind")).to_be_visible()
    settle(page)
    return page


def expect_linked_page(page: Page) -> None:
    expect_link(page, SHARED | LINKED)
    expect(page.get_by_role("heading", level=1)).to_have_text(TRADEOFF)
    expect(answer(page)).to_contain_text("With 90 % confidence, this attack proves ε ≥")
    power = "At a false positive rate of 0.1 %, the true positive rate is at most 4.792 %"
    expect(page.get_by_text(power)).to_be_visible()
    expect_no_error(page)


def test_a_link_with_its_curves_shows_the_same_on_reload_and_after_another_page(app: Page, server: str) -> None:
    follow(app, address(server, **SHARED, **LINKED))
    expect_linked_page(app)
    app.reload()
    settle(app)
    expect_linked_page(app)
    go_to(app, "Gaussian bounds")
    go_to(app, "Trade-off curves")
    expect_linked_page(app)


def test_the_address_holds_every_parameter_and_the_epsilon_moves_curves_and_no_axis(tradeoff: Page) -> None:
    expect_link(tradeoff, SHARED | TRADEOFF_OWN)
    expect(answer(tradeoff)).to_have_text(
        "At a false positive rate of 5 %, the true positive rate is at most 7.955 % (Gaussian at (1, 1e-6))."
    )
    before = charts(tradeoff)[0]["axes"]
    enter(tradeoff, EPSILON, "2")
    expect(answer(tradeoff)).to_contain_text("(Gaussian at (2, 1e-6))")
    settle(tradeoff)
    expect(tradeoff.get_by_role("rowheader", name="Laplace at ε = 2")).to_be_visible()
    assert charts(tradeoff)[0]["axes"] == before


def place(page: Page, alpha: float, power: float) -> tuple[float, float]:
    """Return the position of a point of the first chart on the screen."""
    box = page.locator("[data-chart=curves] .nsewdrag").bounding_box() or {}
    return box["x"] + alpha * box["width"], box["y"] + (1 - power) * box["height"]


def test_a_click_takes_its_alpha_and_the_dashed_line_is_dragged_and_walked_by_keys(tradeoff: Page) -> None:
    tradeoff.mouse.click(*place(tradeoff, 0.3, 0.5))
    expect(answer(tradeoff)).to_contain_text("a false positive rate of 30 %")
    expect_link(tradeoff, SHARED | TRADEOFF_OWN | {"alpha": "0.3"})
    expect(field(tradeoff, ALPHA)).to_have_value("0.3")
    settle(tradeoff)
    handle = tradeoff.get_by_role("slider", name=f"{ALPHA}, in the chart")
    handle.press("ArrowRight")
    expect(answer(tradeoff)).to_contain_text("a false positive rate of 35 %")
    box = handle.bounding_box() or {}
    tradeoff.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tradeoff.mouse.down()
    tradeoff.mouse.move(*place(tradeoff, 0.5, 0.5), steps=12)
    expect(answer(tradeoff)).to_contain_text("a false positive rate of 50 %")
    tradeoff.mouse.up()
    expect_link(tradeoff, SHARED | TRADEOFF_OWN | {"alpha": "0.5"})


def test_hovering_over_a_curve_shows_both_errors_the_power_and_what_they_imply(app: Page, server: str) -> None:
    follow(app, address(server, curves="gdp:1"))
    app.mouse.move(*place(app, 0.5, 1 - 0.158655))
    hover = app.locator("[data-chart=curves] .hoverlayer")
    for words in ("false positive rate α ≈", "false negative rate β ≈", "true positive rate ≈", "implies ε ≥", "μ ≥ "):
        expect(hover).to_contain_text(words)


def test_curves_are_added_changed_named_moved_and_removed_and_the_link_follows(three: Page) -> None:
    own = SHARED | TRADEOFF_OWN
    three.get_by_role("button", name="Add", exact=True).click()
    expect_link(three, own | {"curves": THREE.replace("!", "") + ";!gdp:1@purple="})
    expect(three.get_by_role("radio", name="μ = 1 (2)")).to_be_checked()
    settle(three)
    choose(three, "Kind", "Pure ε-DP")
    expect(answer(three)).to_contain_text("(Pure ε-DP (ε = 1))")
    settle(three)
    enter(three, "ε of the curve · privacy loss", "0.3")
    expect(answer(three)).to_contain_text("(Pure ε-DP (ε = 0.3))")
    settle(three)
    enter(three, "Name", "Census [draft](x)")
    expect(answer(three)).to_contain_text("(Census [draft](x))")
    settle(three)
    three.get_by_role("button", name="Up Shortcut Alt + ↑").click()
    name = "Census%20%5Bdraft%5D%28x%29"
    expect_link(three, own | {"curves": f"gdp:1@blue=;approx:1,1e-6@green=;!pure:0.3@purple={name};laplace:1@orange="})
    three.get_by_role("button", name="Remove", exact=True).click()
    expect_link(three, own | {"curves": "gdp:1@blue=;approx:1,1e-6@green=;!laplace:1@orange="})
    expect_no_error(three)


def test_the_number_of_curves_ends_at_eight(app: Page, server: str) -> None:
    follow(app, address(server, curves=";".join(["gdp:1@blue="] * 8)))
    edited(app)
    expect(app.get_by_role("button", name="Add", exact=True)).to_be_disabled()
    expect(app.get_by_role("radio", name="μ = 1 (8)")).to_be_visible()


def test_an_unusable_number_stays_in_its_field_with_one_sentence_while_the_curve_stays(three: Page) -> None:
    enter(three, "μ · Gaussian DP parameter", "-1")
    sentence = "Curve 1: μ must be from 0 to 1e6; -1 was given. 1 is used instead."
    expect(three.locator("[class*=st-key-problem_curve_]")).to_have_text(sentence)
    settle(three)
    expect(field(three, "μ · Gaussian DP parameter")).to_have_value("-1")
    expect_link(three, SHARED | TRADEOFF_OWN | {"curves": THREE})
    three.get_by_role("radio", name="Laplace θ = 1").click(force=True)
    expect(answer(three)).to_contain_text("(Laplace θ = 1)")
    settle(three)
    three.get_by_role("radio", name="μ = 1").click(force=True)
    expect(field(three, "μ · Gaussian DP parameter")).to_have_value("-1")
    enter(three, "μ · Gaussian DP parameter", "2")
    expect(three.locator("[class*=st-key-problem_curve_]")).to_have_count(0)
    expect(answer(three)).to_contain_text("(μ = 2)")


def test_a_setting_is_pinned_with_its_curves_and_their_numbers_come_as_csv(three: Page) -> None:
    three.get_by_role("button", name="Pin", exact=True).click()
    expect(three.get_by_role("columnheader", name="True positive rate, pinned")).to_be_visible()
    settle(three)
    enter(three, "μ · Gaussian DP parameter", "2")
    expect(three.get_by_text("true positive rate 25.96 % → 63.88 %")).to_be_visible()
    settle(three)
    assert "curves=" in link(three)["pinned"]
    expect_numbers(three)


def expect_numbers(three: Page) -> None:
    """Expect the three curves, of which the first was edited, in the file of the chart's numbers."""
    with three.expect_download() as saved:
        three.get_by_role("button", name="Save this chart").click()
        three.get_by_role("button", name="Numbers as CSV").first.click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert f"# curves in the link: {THREE.replace('gdp:1', 'gdp:2')}" in lines
    assert {"# alpha: 0.05", "# prior: 0.1"} <= set(lines)
    assert "curve,alpha,beta,power,epsilon,mu" in lines


def test_a_hostile_entry_of_a_link_is_shown_letter_by_letter_and_nothing_is_fetched(app: Page, server: str) -> None:
    named = f"gdp:1@blue={quote('<img src=x onerror=alert(1)>', safe='')}"
    follow(app, address(server, curves=f"gdp:<img src=x onerror=alert(1)>@blue=;{named}"))
    (sentence,) = notices(app)
    assert "Curve 1: μ must be from 0 to 1e6; <img src was given, which is not a number. It is left out." in sentence
    expect(answer(app)).to_contain_text("(<img src=x onerror=alert(1)>)")
    expect_link(app, SHARED | TRADEOFF_OWN | {"curves": f"!{named}"})
    expect_no_error(app)
    assert app.get_by_test_id("stApp").locator("img").count() == 0


def test_every_chart_says_in_words_what_it_finds_and_a_quotation_is_at_the_delta_of_the_page(
    app: Page, server: str
) -> None:
    follow(app, address(server, curves=THREE, attack="25_1000_760_1000"))
    sentences = {"curves": "μ = 1 allows at most 25.96 %", "attack": "proves ε ≥", "quote": "satisfies ε = 4.887"}
    for section, words in sentences.items():
        app.locator(f".dp-sections [data-section={'curves' if section == 'quote' else section}]").click()
        if section == "quote":
            app.get_by_role("radiogroup", name="Show").get_by_text("One (ε, δ) or μ").click()
        expect(app.get_by_role("figure", name=words)).to_be_visible()
        settle(app)
        (chart,) = charts(app)
        assert chart["marks"] > 1
    enter(app, DELTA, "1e-5")
    expect(app.get_by_role("figure", name="satisfies ε = 4.378")).to_be_visible()


def test_pasted_points_become_a_curve_and_bad_ones_get_their_sentence(app: Page, server: str) -> None:
    follow(app, address(server, curves="points:0.1_0.6~0.5_0.1@blue="))
    assert len(notices(app)) == 1
    assert notices(app)[0].startswith("The link of this page contains data: the points of a curve.")
    edited(app)
    box = app.get_by_role("textbox", name="Points, a line each: α, β")
    box.fill("0.1, 0.95\n0.5, 0.1")
    box.press("Control+Enter")
    expect(app.locator(".st-key-problem_curve_points")).to_contain_text("above 1 − alpha = 0.9")
    box.fill("0.05 0.93\n0.5 0.43")
    box.press("Control+Enter")
    expect(app.locator(".st-key-problem_curve_points")).to_have_count(0)
    expect(answer(app)).to_contain_text("reach a true positive rate of 7 % (Points)")
    app.wait_for_url(lambda url: "curves=%21points%3Afile" in url)
    settle(app)
    app.get_by_role("button", name="Include my data in the link", exact=True).click()
    expect_link(app, SHARED | TRADEOFF_OWN | {"curves": "!points:0.05_0.93~0.5_0.43@blue="})
    settle(app)  # the notice on the data in the link has moved what stands below it
    app.get_by_text("A claimed guarantee", exact=True).click()
    expect(answer(app)).to_contain_text("the true positive rate is at most 7 % (Points), if the claim holds.")
    expect_link(app, SHARED | TRADEOFF_OWN | {"curves": "!claim:0.05_0.93~0.5_0.43@blue="})


def test_an_uploaded_attack_proves_what_its_scores_prove_and_a_bad_file_gets_its_sentence(
    app: Page, server: str
) -> None:
    follow(app, address(server, section="attack", curves="gdp:1"))
    app.get_by_text("Enter the results of an attack").click()
    rows = [*(f"1,{10 + place}" for place in range(200)), *(f"0,{place / 200}" for place in range(200))]
    upload(app, "\n".join(["member,score", *rows]))
    settle(app)
    expect(app.get_by_text("The claim μ = 1 is contradicted")).to_be_visible()
    expect(app.locator("[data-chart=attack] .main-svg").first).to_be_visible()
    settle(app)
    assert charts(app)[0]["name"] == "attack"
    app.get_by_role("button", name="Remove the attack").click()
    expect(app.locator("[data-chart=attack_example]")).to_be_visible()
    settle(app)
    upload(app, "member,score\n1,x\n")
    expect(app.locator(".st-key-problem_attack")).to_contain_text("line 2: the score is x")
    settle(app)
    app.get_by_role("button", name="Use an invented example").click()
    expect(app.locator("[data-chart=attack]")).to_be_visible()
    expect_no_error(app)


def upload(page: Page, text: str) -> None:
    file = FilePayload(name="attack.csv", mimeType="text/csv", buffer=text.encode())
    page.locator("[class*=st-key-attack_file] input[type=file]").set_input_files(file)
