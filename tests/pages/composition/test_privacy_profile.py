"""The section on the profile: δ over ε of a list, and the trade-off curve that its link guarantees."""

from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dpcore import composition, tradeoff
from pages.composition.privacy_profile import results, section
from pages.composition.privacy_profile.section import EXPLANATION, SECTION, answer_text
from pages.composition.results import CompositionResult, all_releases
from pages.shared import looks
from pages.tradeoff import curve_kinds, curve_list
from tests.pages.composition.section_checks import expect_complete_exhibits
from tests.pages.conftest import LIGHT, figure_of, found_by, html_of

ENDS = (
    {},
    {"runs": "1000", "delta": "1e-300", "epsilon": "0"},
    {"runs": "200000", "delta": "0.99", "epsilon": "1e6"},
    {"releases": "pure:0"},
    {"releases": "pure:1000*1000000"},
    {"releases": "approx:0.1,1e-2*1000"},
    {"releases": "approx:0.1,1e-9*100;laplace:0.3"},
    {"releases": "zcdp:1e6*1000000"},
    {"releases": "exponential:0.5*3;zcdp:0.01"},
    {"releases": "gaussian:1e-3*1000000"},
    {"releases": "gaussian:1e6", "delta": "1e-3"},
    {"releases": "sampled:1e6,1e-6;sampled:50,1*1000"},
    {"releases": "laplace:0.5*2"},
)


@lru_cache(32)
def result_of(**link: str) -> CompositionResult:
    return found_by("composition", section="profile", **link)


def lead_figure(result: CompositionResult, scheme: str = "light"):
    return figure_of(section.profile_chart(result, looks.COLOURS[scheme]))


def linked_curve(result: CompositionResult) -> tradeoff.Curve:
    """Return the curve that the page of trade-off curves makes of the link."""
    listed = parse_qs(urlsplit(section.tradeoff_link(result).address).query)["curves"][0]
    first, second = curve_list.curves_parameter({}).read(listed)
    assert (first.kind, second.kind) == ("claim", "here_approx")
    return curve_kinds.curve_of(first.recipe)


def test_the_answer_says_delta_at_the_page_s_epsilon_and_epsilon_at_its_delta():
    headline, meaning = answer_text(result_of())
    assert headline == "At ε = 1, δ is at most 0.1697; at δ = 1e-6, ε is at most 4.465."
    assert meaning.endswith("RDP gives δ = 0.2992 and ε = 4.671.")
    assert answer_text(result_of(runs="5"))[0].startswith("At ε = 1, δ is at most 0.667 after 5 runs;")


def test_delta_at_the_epsilon_of_the_page_s_delta_is_that_delta():
    for list_ in ("laplace:0.2*5;gaussian:4*5", "sampled:1,0.01*1000", "pure:0.1*100"):
        epsilon = results.points_at(result_of(releases=list_)).epsilon
        back = composition.delta(all_releases(result_of(releases=list_)), epsilon).value
        assert back == pytest.approx(1e-6, rel=1e-6)


@pytest.mark.parametrize("link", [{}, {"releases": "sampled:1,0.01*1000"}, {"releases": "zcdp:0.1;laplace:1"}])
def test_delta_falls_over_epsilon_and_no_bound_is_below_the_least(link: dict[str, str]):
    curve = results.profile_at(result_of(**link))
    assert (np.diff(curve.least) < 0).all()
    assert (curve.rdp >= curve.least).all()
    assert not (curve.zcdp < curve.least).any()
    assert curve.least[-1] < 1e-12


@pytest.mark.parametrize(
    "list_",
    [
        "laplace:0.2*5;gaussian:4*5;pure:0.5*3",
        "gaussian:1",
        "gaussian:0.05",
        "gaussian:300",
        "sampled:1,0.01*1000",
        "pure:0.1*100",
        "approx:0.5,1e-3*3",
        "laplace:0.5*2",
        "zcdp:0.1;laplace:1",
    ],
)
def test_the_linked_trade_off_curve_never_guarantees_more_than_is_proved(list_: str):
    result = result_of(releases=list_)
    curve = linked_curve(result)
    epsilon = np.linspace(0, results.axis_end(result), 19)
    least = composition.delta(all_releases(result), epsilon).value
    assert (tradeoff.smallest_delta(curve, epsilon) >= least).all()


@pytest.mark.parametrize("noise", ["0.3", "1", "20"])
def test_the_linked_curve_lies_below_the_true_one_and_close_to_it(noise: str):
    curve = linked_curve(result_of(releases=f"gaussian:{noise}"))
    alpha = np.concatenate([np.logspace(-14, -1, 53), np.linspace(0.1, 1, 91)])
    true = ndtr(-ndtri(alpha) - 1 / float(noise))
    assert (curve(alpha) <= true).all()
    assert curve(alpha) == pytest.approx(true, abs=0.02)


def test_the_link_has_the_epsilon_and_delta_of_the_list():
    link = section.tradeoff_link(result_of()).address
    parameters = parse_qs(urlsplit(link).query)
    assert parameters["delta"] == ["1e-6"]
    assert float(parameters["epsilon"][0]) == pytest.approx(4.46413)
    assert link in section.advice_text(result_of())
    assert len(link) < 2000


@pytest.mark.parametrize(("scheme", "link"), [("dark", {}), *(("light", link) for link in ENDS)])
def test_words_picture_and_table_are_complete_at_every_setting(scheme: str, link: dict[str, str]):
    result = result_of(pinned="runs=3&epsilon=2", **link)
    expect_complete_exhibits(SECTION, result, scheme)
    html = html_of(section.deltas_table(result, LIGHT))
    for sentence in (*answer_text(result), html):
        assert "inf" not in sentence
        assert "nan" not in sentence
    assert linked_curve(result)(0.5) <= 0.5


def test_no_epsilon_exists_if_the_guarantees_use_more_than_delta():
    headline, _ = answer_text(result_of(releases="approx:0.1,1e-7*100"))
    assert headline.endswith("at δ = 1e-6 there is no ε, as the (ε, δ) lines need a larger δ.")


def test_a_pinned_list_is_a_ghost_and_the_hairline_is_the_handle_of_epsilon():
    picture = lead_figure(result_of(pinned="runs=5"))
    assert picture["data"][0]["name"] == "pinned"
    assert [shape["name"] for shape in picture["layout"]["shapes"] if "name" in shape] == ["epsilon"]
    assert section.profile_chart(result_of(), LIGHT).picks == ("epsilon", "delta")
    assert "δ 0.667 → 0.1697" in answer_text(result_of(pinned="runs=5"))[2]
    assert len(SECTION.controls(result_of())) == 3
    assert len(list(SECTION.parts(result_of(), LIGHT))) == 4
    assert SECTION.explanation(result_of()) == EXPLANATION


def test_exact_and_certified_agree():
    releases = all_releases(result_of())
    exact = composition.delta(releases, np.array([1.0, 3.0])).value
    certified = composition.certified_delta(releases, np.array([1.0, 3.0]))
    assert (exact <= certified.value).all()
    assert exact == pytest.approx(certified.value - certified.error, rel=1e-3)


@pytest.mark.parametrize("list_", ["approx:0.1,1e-3*3;zcdp:0.1", "approx:0.1,1e-3*3;gaussian:2"])
def test_no_delta_is_below_the_sum_of_the_delta_of_the_guarantees(list_: str):
    curve = results.profile_at(result_of(releases=list_))
    broken = 1 - (1 - 1e-3) ** 3
    assert (curve.least >= broken).all()
    assert (curve.rdp >= broken).all()
    assert curve.least[-1] < 2 * broken
