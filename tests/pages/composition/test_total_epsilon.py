"""The section on a list of releases: what they cost together, and each of them."""

import re
from functools import lru_cache

import pytest

from dpcore import gaussian
from pages.composition import results as composition_results
from pages.composition.results import CompositionResult, cost_at
from pages.composition.total_epsilon import section, text
from pages.composition.total_epsilon.section import SECTION, costs_chart, growth_chart
from pages.composition.total_epsilon.text import answer_text
from pages.framework.export.exhibit import Exhibit, Figure
from pages.framework.parameters.number_format import format_up
from tests.pages.composition.section_checks import expect_complete_exhibits
from tests.pages.conftest import LIGHT, figure_of, found_by, html_of, read_link


@lru_cache(32)
def result_of(**link: str) -> CompositionResult:
    return found_by("composition", section="together", **link)


def drawn(exhibit: Exhibit | None) -> Figure:
    """Return the figure of an exhibit that must be there."""
    assert exhibit is not None
    return figure_of(exhibit)


def test_the_answer_gives_basic_composition_too_and_the_line_that_costs_most():
    headline, meaning = answer_text(result_of())
    assert headline == "3 lines together cost ε = 4.465 at δ = 1e-6; basic composition of the lines gives 5.049."
    assert meaning.startswith("Monthly averages costs most: without it the total falls by 44 %; ")
    assert meaning.endswith("the total exceeds your ε = 1 by 3.465.")
    assert answer_text(result_of(epsilon="5"))[1].endswith("your ε = 5 leaves 0.5358.")


def test_totals_that_are_shown_alike_are_not_compared():
    headline, meaning = answer_text(result_of(releases="!pure:0.1*3;pure:0.2", epsilon="0.5"))
    assert headline == "2 lines together cost ε = 0.5 without δ."
    assert meaning.endswith("your ε = 0.5 is spent.")


@pytest.mark.parametrize("accountant", ["exact", "rdp", "zcdp", "basic"])
def test_the_saving_of_a_line_is_the_epsilon_of_the_list_less_that_without_it(accountant: str):
    cost = composition_results.cost_at(result_of(accountant=accountant))
    rest = composition_results.cost_at(result_of(accountant=accountant, releases="laplace:0.2*5;pure:0.5*3"))
    assert cost.without[1] == pytest.approx(rest.together, rel=1e-6)
    assert cost.saved[1] == pytest.approx(cost.together - rest.together, rel=1e-5)
    assert min(cost.saved) > 0


@pytest.mark.parametrize("numbers", [(4.0, 8.0), (4.0, 8.0, 3.0)])
def test_lines_that_need_a_delta_share_it_equally_when_they_are_added_up(numbers: tuple[float, ...]):
    delta, broken = 1e-5, 2e-6
    gaussians = ";".join(f"gaussian:{noise}*4" for noise in numbers)
    for more, spent, pure in (("", 0.0, 0.0), (";approx:0.1,1e-6*2;pure:0.5", broken, 0.7)):
        total = composition_results.cost_at(
            result_of(releases=gaussians + more, delta="1e-5", accountant="basic")
        ).together
        share = (delta - spent) / len(numbers)
        expected = pure + sum(gaussian.epsilon_from_sigma(share, noise / 2) for noise in numbers)
        assert total == pytest.approx(expected, rel=1e-9)


def test_no_accountant_says_less_than_the_exact_one():
    least = composition_results.cost_at(result_of()).together
    for accountant in ("rdp", "zcdp", "basic"):
        assert composition_results.cost_at(result_of(accountant=accountant)).together > least


def test_the_exact_epsilon_is_below_the_certified_one_by_about_what_that_says_of_itself():
    bound, excess = composition_results.certified_bound(result_of()) or (0.0, 0.0)
    exact = composition_results.cost_at(result_of()).together
    assert exact < bound < exact + 2 * excess < 1.01 * exact
    assert "**Certified: ε ≤ 4.465** (estimated slack 2e-5), from a grid" in text.advice_text(result_of())
    assert "Certified" not in text.advice_text(result_of(accountant="rdp"))
    assert "Certified" not in text.advice_text(result_of(releases="zcdp:1"))
    assert "Certified" not in text.advice_text(result_of(releases="exponential:0.1*100"))
    mixed = text.advice_text(result_of(releases="exponential:0.05;gaussian:4"))
    assert "Certified" in mixed
    assert "slack" not in mixed
    assert "Certified" not in text.advice_text(result_of(releases="approx:0.1,1e-6*2"))


def test_the_savings_of_many_lines_that_would_need_certified_bounds_are_by_rdp():
    few, many = (
        result_of(releases=";".join(f"laplace:0.{place}*5" for place in range(1, 1 + n_lines))) for n_lines in (4, 5)
    )
    assert "by RDP" not in text.advice_text(few)
    assert "The savings are by RDP" in text.advice_text(many)
    cost = composition_results.cost_at(many)
    assert cost.saved == pytest.approx([(cost.rdp_total or 0) - n_lines for n_lines in cost.without])
    assert max(cost.saved) <= cost.savings_base == cost.rdp_total  # not of the certified whole, which may be far less
    assert all(
        certified <= rdp for certified, rdp in zip(composition_results.cost_at(few).without, cost.without, strict=False)
    )


def test_more_runs_cost_more_and_less_than_so_many_times_as_much():
    once, week = (
        composition_results.cost_at(result_of()).together,
        composition_results.cost_at(result_of(runs="7")).together,
    )
    assert once < week < 7 * once
    assert "3 lines, run 7 times, cost" in answer_text(result_of(runs="7"))[0]
    rows = composition_results.period_costs(result_of().single_run, 1e-6).rows
    assert rows["once"][0] == pytest.approx(once)
    assert rows["daily for a week"][0] == pytest.approx(week)
    assert all(exact <= rdp and exact <= added * (1 + 1e-9) for exact, rdp, added in rows.values())


def test_a_line_with_rho_alone_has_its_total_by_rdp_and_zcdp():
    headline, _ = answer_text(result_of(releases="zcdp:0.1"))
    assert headline == "This line costs ε = 2.142 at δ = 1e-6."


def test_the_answer_says_why_there_is_no_epsilon():
    result = result_of(releases="approx:0.1,1e-6*2")
    assert answer_text(result) == (
        "This line has no ε at δ = 1e-6: the δ of the (ε, δ) lines already exceed it.",
        "Choose a larger δ, or release the (ε, δ) lines less often.",
    )
    assert "nine digits" not in text.advice_text(result)
    expect_complete_exhibits(SECTION, result)


@pytest.mark.parametrize(
    ("link", "way_out"),
    [
        ({"releases": "approx:1,1e-4*3;gaussian:5"}, "Choose a larger δ, or release the (ε, δ) lines less often"),
        ({"releases": "sampled:1.1,0.01*100;gaussian:5", "accountant": "zcdp"}, "Choose another accountant."),
    ],
)
def test_a_line_with_which_there_is_no_epsilon_saves_all_and_can_be_drawn(link: dict[str, str], way_out: str):
    result = result_of(**link)
    assert answer_text(result)[1].startswith(way_out)
    expect_complete_exhibits(SECTION, result)
    figure = drawn(section.costs_chart(result, LIGHT))
    saved = next(trace for trace in figure["data"] if trace["name"] == "ε saved without the line")
    assert saved["x"][0] == figure["layout"]["xaxis"]["range"][1]
    assert saved["customdata"] == ["all", "0"]


def test_a_delta_that_covers_all_that_the_list_reveals_leaves_an_epsilon_of_0():
    for releases in ("gaussian:4;laplace:0.1", "sampled:1.1,0.004*10000;gaussian:1e5"):
        assert answer_text(result_of(releases=releases, delta="0.9"))[0].startswith("2 lines together cost ε = 0 ")


def test_periods_in_which_delta_exceeds_the_page_have_no_epsilon():
    assert "None: over so many runs" in text.advice_text(result_of(releases="approx:0.1,1e-8*100"))
    assert "None: over so many runs" not in text.advice_text(result_of())


def test_the_answer_does_not_blame_guarantees_when_many_lines_share_too_little_delta():
    result = result_of(releases="gaussian:4;gaussian:5", accountant="basic", delta="1e-300")
    assert "too little of δ is left for the other lines" in answer_text(result)[0]


@pytest.mark.parametrize(
    ("releases", "how", "head"),
    [
        ("gaussian:4;laplace:0.2*5", "correct to nine digits", "Exact ε"),
        ("laplace:0.2*5", "Shown is a certified upper bound", "Exact ε"),
        ("geometric:1,4*3", "no more than a billionth above the exact one", "Exact ε"),
        ("gaussian:4;zcdp:0.1", "only a bound on its privacy loss", "ε, least upper bound"),
    ],
)
def test_the_page_says_how_the_exact_epsilon_was_found_or_that_there_is_none(releases: str, how: str, head: str):
    result = result_of(releases=releases)
    assert how in text.advice_text(result)
    assert f">{head}</th>" in html_of(section.periods_table(result, LIGHT))


def test_a_pinned_setting_is_compared_in_words_and_in_the_picture():
    result = result_of(pinned="runs=7")
    assert answer_text(result)[2].endswith("→ 4.465 at δ = 1e-6.")
    assert answer_text(result_of(pinned="delta=1e-5"))[2].endswith("→ 4.465 at δ 1e-5 → 1e-6.")
    figure = drawn(section.costs_chart(result, LIGHT))
    assert "pinned" in [note["text"] for note in figure["layout"]["annotations"]]


def test_runs_that_take_a_line_above_a_million_releases_are_corrected_with_a_sentence():
    readings, _ = read_link("composition", releases="gaussian:4*1000", runs="2000")
    assert readings["runs"].value == 1000
    assert readings["runs"].problem == (
        "runs must be at most 1,000, as line 1 has 1,000 releases; 2,000 was given. 1,000 is used instead."
    )


SETTINGS = (
    {},
    {"delta": "1e-300", "epsilon": "0"},
    {"delta": "0.99", "epsilon": "1e6"},
    {"releases": ";".join(["gaussian:1e-3", "gaussian:1e6*1e6", "laplace:1e3", "pure:0", "exponential:0.5*100"])},
    {"releases": "sampled:0.5,0.5*100;sampled:1e6,1e-9*1e6;zcdp:0;approx:1,1e-9=" + "n" * 40, "accountant": "rdp"},
    {"releases": ";".join(f"gaussian:{place + 1}" for place in range(20)), "runs": "30"},
    {"releases": "pure:0", "accountant": "zcdp", "pinned": "runs=2"},
)


@pytest.mark.parametrize("link", SETTINGS)
def test_every_exhibit_is_there_at_the_ends_of_the_parameters(link: dict[str, str]):
    result = result_of(**link)
    expect_complete_exhibits(SECTION, result, "dark")
    assert all(0 < len(sentence) < 300 and "nan" not in sentence for sentence in answer_text(result))


def test_the_table_gives_the_numbers_of_a_line_first_in_sight_on_a_phone():
    html = html_of(section.lines_table(result_of(), LIGHT))
    assert "<th scope='row'>Weekly counts</th><td>1</td><td>3.874</td>" in html
    assert "<td>5 × Laplace noise, ε 0.2</td></tr>" in html


def test_queries_may_be_chosen_by_earlier_answers_and_the_noise_may_not():
    sentence = text.advice_text(result_of())
    assert re.search(r"depend on earlier answers \(\[adaptive composition\]", sentence)
    assert "privacy filter or odometer" in sentence
    assert "fixed in advance" in sentence


def test_a_long_name_has_two_lines_beside_its_bar_and_its_number_is_not_cut():
    releases = ";".join(["discrete:3,1*5=", "sampled:1.1,0.01*1000=", *["discrete:3,1=Weekly counts"] * 6])
    lists = releases, ";".join(["laplace:1="] * 8)
    layouts = [drawn(section.costs_chart(result_of(releases=text), LIGHT))["layout"] for text in lists]
    labels = layouts[0]["yaxis"]["ticktext"]
    assert labels[:3] == ["Discrete Gaussian<br>σ = 3", "DP-SGD σ/Δ = 1.1,<br>q = 0.01", "Weekly counts"]
    assert layouts[0]["height"] > layouts[1]["height"]


def test_a_list_of_many_lines_and_runs_has_its_periods_by_rdp_as_to_certify_them_takes_long():
    many = ";".join(f"pure:{0.05 + i / 100:g}*100" for i in range(5))
    assert not composition_results.periods_at(result_of(releases=many)).is_exact
    assert composition_results.periods_at(result_of(releases=many.replace("*100", "*2"))).is_exact


def test_the_releases_of_one_line_add_up_on_axes_that_stay_and_end_at_the_answer():
    axes = []
    for runs in (1, 10, 100, 365):
        result = result_of(releases="!laplace:0.1=Daily", runs=str(runs))
        figure = drawn(growth_chart(result, LIGHT))
        axes.append((*figure["layout"]["xaxis"]["range"], *figure["layout"]["yaxis"]["range"]))
        name = [trace["name"] for trace in figure["data"] if "name" in trace][-1]
        assert name == f"together: ε = {format_up(cost_at(result).together)}"
        assert name.removeprefix("together: ") in text.answer_text(result)[0]
        assert costs_chart(result, LIGHT) is None
    assert axes[0] == axes[1] == (0, pytest.approx(1.3 * 12), 0, 1.5)
    assert axes[2] == (0, 130, 0, 10)
    assert axes[3][1] == 1.3 * 365
    assert growth_chart(result_of(), LIGHT) is None


@pytest.mark.parametrize("releases", ["geometric:1,4*3", "pure:1*3", "laplace:1.5*2"])
def test_a_total_that_is_the_same_without_delta_is_said_without_it_and_spends_its_budget(releases: str):
    result = result_of(releases=releases, epsilon="3")
    first, second = answer_text(result)
    assert first == "This line costs ε = 3 without δ."
    assert text.subtitle(result).startswith("δ = 1e-6 (the total needs none)")
    assert second == "Your ε = 3 is spent."
    assert "at δ = 1e-6" in answer_text(result_of(releases="geometric:1,4*40"))[0]


def test_a_list_of_one_release_asks_how_often_it_is_released_and_for_the_others():
    assert answer_text(result_of(releases="pure:1"))[1].startswith("Enter how often it is released")
