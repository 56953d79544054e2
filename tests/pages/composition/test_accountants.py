"""The section on accountants: what each asks over the number of runs, and which way each errs."""

import math
import re
from functools import lru_cache

import numpy as np
import pytest

from pages.composition import results as composition_results
from pages.composition.accountants import section
from pages.composition.accountants.section import EXPLANATION, SECTION, answer_text
from pages.composition.results import ACCOUNTANTS, CompositionResult, accountant_totals, totals_over_runs
from pages.shared import looks
from pages.shared.releases import MAX_COUNT
from tests.pages.composition.section_checks import expect_complete_exhibits
from tests.pages.conftest import LIGHT, figure_of, found_by, html_of

ENDS = (
    {},
    {"runs": "1000", "delta": "1e-300"},
    {"runs": "200000", "delta": "0.5"},
    {"releases": "pure:0"},
    {"releases": "pure:1000*1000000"},
    {"releases": "approx:0.1,1e-7*100"},
    {"releases": "approx:0.1,1e-9*100", "runs": "20"},
    {"releases": "zcdp:1e6*1000000"},
    {"releases": "exponential:0.5*3;laplace:1e-3"},
    {"releases": "gaussian:1e-3*1000000"},
    {"releases": "gaussian:1e6", "delta": "1e-3"},
    {"releases": "sampled:1e6,1e-6;sampled:50,1*1000"},
    {"releases": "sampled:0.02,0.5*10"},
)


@lru_cache(32)
def result_of(**link: str) -> CompositionResult:
    return found_by("composition", section="accountants", **link)


def lead_figure(result: CompositionResult, scheme: str = "light"):
    return figure_of(section.totals_chart(result, looks.COLOURS[scheme]))


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ({}, {"exact": 4.464121768347, "rdp": 4.670229}),
        (
            {"releases": "pure:0.1*100"},
            {"basic": 10, "drv": 6.308231, "kov": 5.756106, "kov_optimal": 4.77456758811, "exact": 4.77456758811},
        ),
        ({"releases": "laplace:0.1*100"}, {"rdp": 4.984174}),
        ({"releases": "approx:0.1,1e-8*100", "delta": "1e-5"}, {"kov_optimal": 4.32963671, "exact": 4.32963671}),
        ({"releases": "zcdp:0.5"}, {"zcdp_standard": 5.75652177, "zcdp": 5.22153444}),
        ({"releases": "gaussian:1", "delta": "1e-5"}, {"exact": 4.37717810, "basic": 4.37717810}),
        ({"releases": "sampled:1,0.01*100", "delta": "1e-5", "runs": "10"}, {"clt": 1.617712, "exact": 1.828236667}),
        ({"releases": "sampled:4,0.01*10000", "delta": "1e-5"}, {"clt": 0.942440, "exact": 0.946866801}),
        ({"releases": "sampled:4,0.01*10000", "delta": "1e-5"}, {"rdp": 1.035490, "rdp_standard": 1.258575}),
    ],
)
def test_every_accountant_has_the_published_totals(link: dict[str, str], expected: dict[str, float]):
    totals = result_of(**link).totals
    for key, value in expected.items():
        assert totals.first_epsilon(key) == pytest.approx(value, rel=2e-3 if key.startswith("rdp") else 1e-6)


@pytest.mark.parametrize("link", ENDS)
def test_no_bound_is_below_the_exact_value(link: dict[str, str]):
    totals = composition_results.totals_over_runs(result_of(**link))
    for key, values in totals.epsilon.items():
        assert key == "clt" or not (values < totals.epsilon["exact"]).any()
    assert {*totals.epsilon, *totals.missing} == set(ACCOUNTANTS)


@pytest.mark.parametrize("link", ENDS)
def test_the_answer_has_no_infinity_at_any_setting(link: dict[str, str]):
    for sentence in (*answer_text(result_of(**link)), section.table_html(result_of(**link))):
        assert "inf" not in sentence
        assert "nan" not in sentence
        assert "above 1.8e308" not in sentence


def test_more_runs_cost_more_by_every_accountant():
    totals = composition_results.totals_over_runs(result_of())
    for values in totals.epsilon.values():
        assert (np.diff(values) > 0).all()
    assert totals.runs[0] == 1
    assert totals.runs[-1] == 10_000


def test_basic_composition_shares_delta_equally_by_what_needs_some():
    single = result_of(releases="gaussian:4", delta="1e-6").totals.first_epsilon("basic")
    many = result_of(releases="gaussian:4*3;pure:0.5*2;approx:0.1,5e-7", delta="3.5e-6").totals.first_epsilon("basic")
    assert many == pytest.approx(3 * single + 1.1, rel=1e-9)


def test_the_answer_says_how_much_more_each_accountant_requires():
    headline, meaning = answer_text(result_of(runs="5"))
    assert headline == ("For 5 runs at δ = 1e-6, the exact ε is 13.31; RDP gives 13.93 (+4.7 %).")
    assert meaning.startswith("Basic composition of releases gives 43.18 (3.25 times) and advanced composition ")
    often = answer_text(result_of(releases="pure:0.1*100", runs="10"))[1]
    assert "advanced composition more;" not in often


def test_the_central_limit_is_never_called_a_bound():
    result = result_of(releases="sampled:1,0.01*1000", delta="1e-5")
    assert "below the exact ε: do not report it as a guarantee" in answer_text(result)[1]
    html = html_of(section.totals_table(result, LIGHT))
    assert "✗ no guarantee: an estimate, here below the exact ε" in html
    for scale in ("ratio", "all", "total"):
        picture = lead_figure(result_of(releases="sampled:1,0.01*1000", delta="1e-5", totals=scale))
        assert any("fillpattern" in trace for trace in picture["data"])
        assert any("no guarantee" in note["text"] for note in picture["layout"]["annotations"])
    assert not any("fillpattern" in trace for trace in lead_figure(result_of())["data"])


def test_a_central_limit_above_the_exact_value_is_still_no_guarantee():
    result = result_of(releases="sampled:0.5,0.5*10", delta="1e-5")
    totals = result.totals
    assert totals.first_epsilon("clt") > 2 * totals.first_epsilon("exact")
    assert "not below the exact ε here, but at other settings it is" in answer_text(result)[1]
    html = html_of(section.totals_table(result, LIGHT))
    assert "✗ no guarantee: an estimate, here above the exact ε" in html
    assert "clt" in result_of(releases="sampled:1,1*10").totals.missing


def test_an_accountant_that_cannot_take_the_list_is_omitted_with_a_sentence():
    html = html_of(section.totals_table(result_of(releases="sampled:1,0.01;laplace:0.1"), LIGHT))
    assert "Not available. A line of the list does not satisfy ρ-zCDP." in html
    assert "Not available. It applies to DP-SGD only, alone or with Gaussian noise." in html
    assert "Not available. It requires a single line: (ε, δ) guarantees" in html
    assert "Not available. The noise is too small." in html_of(
        section.totals_table(result_of(releases="sampled:0.03,0.01"), LIGHT)
    )


def test_a_line_with_only_a_bound_is_not_called_exact():
    result = result_of(releases="zcdp:0.1;laplace:1")
    headline, _ = answer_text(result)
    assert "the least upper bound on ε is 3.081; RDP gives 3.081." in headline
    assert "exact" not in headline
    assert "Least upper bound" in html_of(section.totals_table(result, LIGHT))
    assert lead_figure(result)["layout"]["title"]["text"].endswith("relative to the least upper bound")


def test_the_answer_says_so_without_any_epsilon_and_at_an_epsilon_of_0():
    headline, meaning = answer_text(result_of(releases="approx:0.1,1e-7*100"))
    assert headline.endswith("no accountant has an ε: the δ of the (ε, δ) lines already exceed it.")
    assert meaning == "Choose a larger δ, or release less often."
    for nothing in ("pure:0", "sampled:1e4,1e-4"):
        headline, meaning = answer_text(result_of(releases=nothing, delta="0.01"))
        assert "the exact ε is 0; RDP gives 0" in headline
        assert meaning == "δ alone covers everything that these releases reveal."


@pytest.mark.parametrize(
    ("scheme", "link"),
    [("dark", {}), ("dark", {"totals": "total", "releases": "sampled:1,0.01"}), *(("light", link) for link in ENDS)],
)
def test_the_picture_and_the_table_are_complete_at_every_setting(scheme: str, link: dict[str, str]):
    result = result_of(pinned="runs=3", **link)
    expect_complete_exhibits(SECTION, result, scheme)
    assert answer_text(result)[2].startswith("Compared with the pin: ε ")


def test_the_hairline_is_the_handle_of_the_runs_and_the_axis_of_ratios_seldom_moves():
    pictures = [lead_figure(result_of(runs=runs)) for runs in ("1", "50", "9000")]
    for picture in pictures:
        assert [shape["name"] for shape in picture["layout"]["shapes"] if "name" in shape] == ["runs"]
    assert len({tuple(picture["layout"]["yaxis"]["range"]) for picture in pictures}) == 1
    assert len(SECTION.controls(result_of())) == 3
    assert len(list(SECTION.parts(result_of(), LIGHT))) == 4
    assert SECTION.explanation(result_of()) == EXPLANATION


def test_of_a_single_release_basic_composition_is_the_exact_value():
    for line in ("sampled:1,0.01", "gaussian:2", "sampled:2,1"):
        totals = result_of(releases=line, delta="1e-5").totals
        assert totals.first_epsilon("basic") == pytest.approx(totals.first_epsilon("exact"), rel=1e-6)
    assert result_of(releases="sampled:1,1e-6", delta="1e-5").totals.first_epsilon("basic") == 0


def test_kairouz_oh_viswanath_never_ask_more_than_basic_composition():
    for runs in ("1", "5", "3000"):
        totals = result_of(runs=runs).totals
        assert totals.first_epsilon("kov") <= totals.first_epsilon("basic")


def test_kairouz_oh_viswanath_is_typeset_with_the_term_that_is_computed():
    """Theorem 3.5: for 50 releases of ε = 0.1 at δ = 1e-6 the third term is the least: 3.9198, not 3.9667."""
    result = result_of(releases="pure:0.1*50", delta="1e-6")
    mean, square = 50 * 0.1 * math.tanh(0.05), 50 * 0.01
    second = mean + math.sqrt(2 * square * math.log(1e6))
    third = mean + math.sqrt(2 * square * math.log(math.e + math.sqrt(square) * 1e6))
    assert (second, third) == (pytest.approx(3.9667, abs=5e-5), pytest.approx(3.9198, abs=5e-5))
    assert result.totals.first_epsilon("kov") == pytest.approx(min(5, second, third), rel=1e-9)
    for term in (r"\sum_i\varepsilon_i", r"m+\sqrt{2s\ln(1/\delta')}", r"m+\sqrt{2s\ln(e+\sqrt s/\delta')}"):
        assert term in EXPLANATION


def test_the_central_limit_theorem_has_error_bounds_that_are_too_large_to_use():
    """Berry-Esseen errors are of order 1/√T in δ: even a million steps, the most there are, leave 1e-3."""
    assert "of order 1/√T in δ" in EXPLANATION
    assert "no error bound" not in EXPLANATION
    assert 1 / math.sqrt(MAX_COUNT) > 1e-6


def test_a_line_above_the_picture_is_mentioned_and_no_room_is_left_where_nothing_can_lie():
    picture = lead_figure(result_of(releases="approx:0.2,1e-9*3;gaussian:20*500", totals="all"))
    names = [trace["name"] for trace in picture["data"]]
    assert {"Basic (above the axis)", "Advanced (DRV) (above the axis)", "KOV (above the axis)", "RDP", "exact"} <= set(
        names
    )
    assert picture["layout"]["yaxis"]["range"][0] == pytest.approx(np.log10(0.9))
    usual = [trace["name"] for trace in lead_figure(result_of())["data"]]
    assert usual == ["Basic", "KOV, where less", "zCDP", "RDP", "exact"]


def test_at_first_basic_composition_and_kov_are_drawn_where_they_differ_or_as_one_curve():
    traces = {trace["name"]: np.asarray(trace["y"]) for trace in lead_figure(result_of())["data"]}
    basic, kov = traces["Basic"], traces["KOV, where less"]
    both = np.flatnonzero(np.isfinite(kov))
    assert kov[both[0]] == pytest.approx(basic[both[0]])
    assert (kov[both[1:]] < 0.999 * basic[both[1:]]).all()
    figure = lead_figure(result_of())
    few = np.asarray(figure["data"][0]["x"]) <= 10
    assert basic[few].max() <= 10 ** figure["layout"]["yaxis"]["range"][1]
    names = [trace["name"] for trace in lead_figure(result_of(releases="gaussian:1*1;pure:6*1"))["data"]]
    assert names == ["Basic, KOV", "zCDP", "RDP", "exact"]


def test_basic_composition_of_round_numbers_is_a_round_number():
    html = html_of(section.totals_table(result_of(releases="pure:0.1*100"), LIGHT))
    assert "<td>10</td>" in html
    assert "10.01" not in html


def test_bounds_that_agree_share_a_row_of_the_table():
    result = result_of(releases="pure:0.5*3")
    totals = result.totals
    assert totals.first_epsilon("basic") == pytest.approx(totals.first_epsilon("kov"), rel=1e-3)
    html = html_of(section.totals_table(result, LIGHT))
    assert re.findall("<tr><th scope='row'>([^<]*)", html) == [
        *("Exact", "Central limit theorem (CLT)", "Kairouz–Oh–Viswanath, optimal", "Dwork–Rothblum–Vadhan")
    ]
    assert "; the same within 0.1 %: RDP, tight conversion; " in html


def test_a_rho_that_is_too_large_to_verify_has_a_reason():
    claims = SECTION.claims(found_by("composition", section="accountants", releases="!gaussian:0.001*1000"))
    assert any("zCDP with ρ = 5" in claim.subject and "above 1e6" in claim.reason for claim in claims)


@pytest.mark.parametrize(
    "releases",
    [
        *("gaussian:10", "gaussian:4;laplace:0.2*5", "laplace:0.001", "laplace:0.01", "laplace:0.1", "laplace:1"),
        *("laplace:6", "laplace:10", "laplace:20", "pure:0.01", "pure:0.5", "approx:0.1,1e-12", "geometric:0.01,1"),
        *("laplace:6;laplace:0.1", "pure:0.01;pure:0.1", "sampled:1.1,0.01*200"),
    ],
)
def test_between_two_numbers_of_runs_no_line_is_off_by_more_than_a_percent(releases: str):
    result = result_of(releases=releases)
    totals = totals_over_runs(result)
    between = np.unique(np.rint(np.sqrt(totals.runs[:-1] * totals.runs[1:])).astype(int))
    middle = accountant_totals(result.single_run, result.setting.delta, tuple(between.tolist()))
    for key in totals.epsilon:
        pairs = (totals.ratio(key), middle.ratio(key)), (totals.epsilon[key], middle.epsilon[key])
        for drawn, truth in pairs:
            with np.errstate(invalid="ignore"):
                line = np.exp(np.interp(np.log(between), np.log(totals.runs), np.log(drawn)))
            is_drawn = np.isfinite(truth) & np.isfinite(line)
            assert is_drawn.any()
            np.testing.assert_allclose(line[is_drawn], truth[is_drawn], rtol=0.01)
