"""The section on published guarantees: what each would be today, and what must be said beside it."""

import re
from html import escape
from math import isnan

import pytest

from dpcore import composition, gaussian
from pages.composition.published import results, section, text
from pages.composition.published.deployments_data import DEPLOYMENTS, PROTECTED
from pages.composition.published.section import SECTION, explanation_text
from pages.composition.published.text import answer_text
from pages.composition.results import CompositionResult
from pages.framework import link
from pages.framework.parameters.number_format import format_down, format_up
from tests.pages.composition.section_checks import expect_complete_exhibits
from tests.pages.conftest import LIGHT, figure_of, found_by, html_of, read_link


def result_of(**link: str) -> CompositionResult:
    return found_by("composition", section="published", **link)


def restated(name: str, delta: float | None = None) -> results.Restatement:
    return next(restatement for restatement in results.restate_all(delta) if restatement.deployment.name == name)


@pytest.mark.parametrize(
    ("name", "standard", "tight", "exact"),
    [
        ("Census 2020, persons", 17.900184545, 17.143550744, 16.465155),
        ("Census DHC, persons", 26.333649254, 25.412460913, 24.449899),
        ("Census DHC, housing", 34.330738042, 33.287410840, 32.070681),
        ("Gboard, Spanish", 9.447346642, 8.922207283, 8.548917),
        ("Wikimedia views", 0.998405175, 0.854605374, 0.799747),
        ("Facebook URLs", 1.903800791, 1.607201080, 1.475844),
    ],
)
def test_a_rho_has_its_epsilon_by_both_conversions_and_as_one_gaussian(name, standard, tight, exact):
    restatement = restated(name)
    assert (restatement.standard, restatement.tight) == pytest.approx((standard, tight), rel=1e-8)
    assert restatement.exact == pytest.approx(exact, rel=1e-6)
    assert restatement.proved == restatement.tight


@pytest.mark.parametrize(
    ("name", "printed", "tight", "exact"),
    [
        ("Abadi et al., example", 1.258575, 1.035490, 0.946866800764),
        ("TensorFlow tutorial", 1.179901, 0.942200, 0.852979522270),
        ("Opacus, MNIST", 1.16, 0.9216, 0.8335354979400218),
    ],
)
def test_a_published_training_has_its_old_epsilon_and_the_present_one(name, printed, tight, exact):
    restatement = restated(name)
    assert restatement.standard == pytest.approx(printed, rel=5e-3)
    assert restatement.tight == pytest.approx(tight, rel=5e-3)
    assert exact <= restatement.exact <= exact * (1 + 1e-4)
    assert restatement.deployment.is_covered == (name == "Opacus, MNIST")
    assert (restatement.proved == restatement.exact) == restatement.deployment.is_covered


def test_a_training_on_shuffled_batches_has_a_lower_bound_and_no_proof_by_poisson_sampling():
    """Chua et al. 2024: 240 batches of an epoch, 15 epochs, z = 1.3; the upper bound is one Gaussian with μ = "
    "√15/1.3."""
    tutorial = restated("TensorFlow tutorial")
    assert tutorial.at_least == pytest.approx(2.4402826, abs=1e-6)
    assert tutorial.at_least == float(composition.shuffled_batches_epsilon_at_least(1e-5, 1.3, 240, 15))
    assert tutorial.proved == pytest.approx(float(gaussian.epsilon_from_sigma(1e-5, 1.3 / 15**0.5)), rel=1e-9)
    assert tutorial.exact < tutorial.deployment.printed_epsilon < tutorial.at_least < tutorial.proved
    assert tutorial.is_refuted
    assert not restated("Abadi et al., example").is_refuted
    assert isnan(restated("Opacus, MNIST").at_least)
    html = html_of(section.conversions_table(result_of(), LIGHT))
    assert ">0.8531 if Poisson; shuffled: at least 2.44, at most 16.53</td>" in html
    traces = {item["name"]: item for item in figure_of(section.guarantees_chart(result_of(), LIGHT))["data"]}
    place = [item.name for item in DEPLOYMENTS].index("TensorFlow tutorial")
    assert traces["shuffled: lower bound"]["x"][place] == pytest.approx(tutorial.at_least, rel=1e-6)
    assert traces["exact, if Poisson"]["x"][place] == pytest.approx(tutorial.exact, rel=1e-6)
    assert isnan(traces["exact"]["x"][place])


def test_the_numbers_say_under_which_sampling_an_exact_epsilon_holds():
    frame = section.guarantees_frame(result_of())
    kinds = dict(zip(frame["guarantee"], frame["exact_is"].astype(str), strict=True))
    assert kinds["Opacus, MNIST"] == "a certified upper bound under Poisson sampling"
    assert kinds["TensorFlow tutorial"].endswith("under Poisson sampling, which this training did not use")
    assert kinds["Apple emoji"] == "as published, not checked"
    assert kinds["Facebook URLs"].startswith("an estimate")


def test_a_source_on_the_web_that_may_change_is_named_with_its_file_and_commit():
    for deployment in DEPLOYMENTS:
        if "github.com" in deployment.url:
            assert re.search("/blob/[0-9a-f]{40}/", deployment.url)


def test_a_source_that_has_rho_alone_has_its_tight_conversion_in_place_of_a_printed_epsilon():
    """The shares are those of the files that the sources name, for the states and Washington."""
    shares = {
        "Census detailed, persons": [0.008] * 5 + [2.134] * 2 + [0.159] * 4,
        "Census detailed, homes": 2 * ([0.006915] * 5 + [1.9208] * 2 + [0.142869] * 4),
    }
    rows = {deployment.name: deployment for deployment in DEPLOYMENTS if deployment.prints_rho}
    assert rows.keys() == shares.keys()
    frame = section.guarantees_frame(result_of()).set_index("guarantee")
    marks = {item["name"]: item for item in figure_of(section.guarantees_chart(result_of(), LIGHT))["data"]}["printed"]
    for name, deployment in rows.items():
        (rho,) = deployment.releases[0].numbers
        assert rho == pytest.approx(sum(shares[name]), rel=1e-12)
        assert restated(name).proved <= deployment.printed_epsilon < restated(name).proved + 0.01
        assert isnan(float(frame.loc[name, "epsilon_printed"]))
        assert isnan(marks["x"][[row.name for row in DEPLOYMENTS].index(name)])
        assert text.printed_text(deployment) == "ρ alone"


def test_a_device_that_memoises_its_responses_has_no_sum_over_a_year():
    (telemetry,) = (deployment for deployment in DEPLOYMENTS if deployment.name == "Windows telemetry")
    assert results.composed_year(telemetry) is None
    assert "memoises" in telemetry.note


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    [
        ("1", "below"),
        ("10", "within"),
        ("26.34", "at the top of"),
        ("34", "above"),
    ],
)
def test_the_answer_compares_epsilon_with_those_for_one_person_released_once_and_says_so(epsilon, verdict):
    headline, meaning = answer_text(result_of(epsilon=epsilon))
    those = "those published for a person’s record (once: 9.98, Israel, to 26.34, US census)"
    assert headline == f"ε = {epsilon} is {verdict} {those}."
    assert meaning.startswith("Compare yours only if it is for one person, released once: ")
    assert {row.period for row in DEPLOYMENTS if row.protects == PROTECTED[0]} == {"once"}
    frame = section.guarantees_frame(result_of(at_delta="page", delta="1e-6"))
    rows = zip(frame["protects"].tolist(), frame["epsilon_proved"].tolist(), strict=True)
    proved = sorted(epsilon for protected, epsilon in rows if protected == PROTECTED[0])
    headline, _ = answer_text(result_of(at_delta="page", epsilon=epsilon))
    ends = f"{format_up(proved[0])}, Israel, to {format_up(proved[-1])}, US census"
    place = "below" if float(epsilon) < proved[0] else "above" if float(epsilon) > proved[-1] else "within"
    assert headline == (f"ε = {epsilon} at δ = 1e-6 is {place} those proved for a person’s record (once: {ends}).")


@pytest.mark.parametrize(("epsilon", "place"), [("3", "below"), ("10", "within"), ("30", "above")])
def test_a_statement_has_epsilon_and_its_place_among_the_published_ones(epsilon, place):
    stated = text.statements(found_by("composition", section="published", epsilon=epsilon))
    printed = [row for row in DEPLOYMENTS if not row.prints_rho]
    records = sorted(row.printed_epsilon for row in printed if row.protects == PROTECTED[0])
    assert (records[0] <= float(epsilon) <= records[-1]) == (place == "within")
    for words in (stated.public, stated.paper, stated.experts):
        assert re.search(f"{place} those (published )?for {PROTECTED[0]}", words)
        assert f" {epsilon}" in words.partition(".")[0]
        assert "every year" in words
        assert "your" not in words
    assert "ε" not in stated.public
    names = {row.name: row.printed_epsilon for row in printed if row.protects == PROTECTED[0]}
    assert re.findall(r"([\d.]+)(?:;| \()", stated.public) == [f"{value:g}" for value in sorted(names.values())]
    assert all(name in stated.public for name in names)
    assert stated.public.count("US Census") == 2
    assert "each at the delta of its own source, at most 1 in 10,000,000,000)" in stated.public
    assert "State the unit, the period and the neighbouring relation of this ε beside it, and its δ" in stated.paper
    at_one_delta = text.statements(found_by("composition", section="published", epsilon=epsilon, at_delta="page"))
    assert "Census detailed, persons 20.41; US Census DHC, persons 20.45 (at a delta of 1 in 1,000,000)" in (
        at_one_delta.public
    )
    assert f"ε = {epsilon} at δ = 1e-6. By the proofs of today, at this δ" in at_one_delta.paper


def test_what_would_be_smaller_today_is_counted_and_what_falls_most_is_named():
    smaller = format_up(restated("Opacus, MNIST").exact)
    today = text.tightened_text()
    assert " today** 4 of 24 have a smaller ε with the same noise; " in today
    assert f"largest change is that of Opacus, MNIST, {smaller} instead of 1.16." in today
    assert "TensorFlow tutorial has ε ≥ 2.44, more than the printed 1.18." in text.uncovered_text(result_of())


def test_the_rows_stand_in_the_order_of_what_they_protect_and_epsilon_is_compared_within_it():
    assert [PROTECTED.index(deployment.protects) for deployment in DEPLOYMENTS] == sorted(
        PROTECTED.index(deployment.protects) for deployment in DEPLOYMENTS
    )
    assert {deployment.protects for deployment in DEPLOYMENTS} == set(PROTECTED)
    for epsilon in (0.5, 2.0, 9.98, 17.14, 40.0):
        said = text.comparison_text(result_of(epsilon=str(epsilon)))
        assert f" {sum(row.prints_rho for row in DEPLOYMENTS)} sources have ρ alone and are not compared. " in said
        for protected in PROTECTED:
            rows = [row for row in DEPLOYMENTS if row.protects == protected and not row.prints_rho]
            printed = [row.printed_epsilon for row in rows]
            (place,) = re.findall(rf"(below|within|above|at the top of) those for {protected} \(", said)
            expected = "within" if min(printed) <= epsilon < max(printed) else "at the top of"
            assert place == ("below" if epsilon < min(printed) else "above" if epsilon > max(printed) else expected)


def test_only_what_is_proved_counts_as_smaller():
    assert {restatement.deployment.name for restatement in results.tightened(results.restate_all(None))} == {
        *("Census DHC, persons", "Census DHC, housing", "Wikimedia views"),
        "Opacus, MNIST",
    }
    assert restated("Census 2020, persons").exact < 17.14 < restated("Census 2020, persons").tight


def test_at_one_delta_a_guarantee_with_a_larger_one_has_no_epsilon():
    _, meaning = answer_text(result_of(at_delta="page"))
    assert meaning.startswith(
        "Google vaccine has no ε at this δ, as its own δ is larger; compare yours only if it is for one"
    )
    assert isnan(restated("Google vaccine", 1e-6).proved)
    assert restated("Google vaccine", 1e-5).proved == 2.19
    assert "4 have no ε" in answer_text(result_of(at_delta="page", delta="1e-300", epsilon="1e-3"))[1]
    assert "no ε" not in answer_text(result_of(at_delta="page", delta="0.5", epsilon="1e6"))[1]


@pytest.mark.parametrize("name", [deployment.name for deployment in DEPLOYMENTS])
def test_a_smaller_delta_never_makes_a_guarantee_smaller(name):
    values = [restated(name, delta).proved for delta in (1e-5, 1e-6)]
    assert isnan(values[1]) or values[0] <= values[1]


@pytest.mark.parametrize("link", [{}, {"at_delta": "page", "delta": "1e-300", "epsilon": "1e-3"}, {"epsilon": "0"}])
def test_the_picture_and_the_table_are_complete_at_every_setting(link):
    result = result_of(pinned="epsilon=0.5&delta=1e-9", **link)
    expect_complete_exhibits(SECTION, result, "dark")
    for sentence in answer_text(result):
        assert "nan" not in sentence
        assert "inf" not in sentence


def test_every_row_stands_in_the_table_with_its_unit_its_period_and_a_link():
    html = html_of(section.guarantees_table(result_of(), LIGHT))
    for deployment in DEPLOYMENTS:
        assert deployment.unit in html
        assert f"href='{deployment.url}'" in html
        assert text.printed_text(deployment) in html
    html += html_of(section.conversions_table(result_of(), LIGHT))
    assert "<td>17.91</td><td>17.15</td><td>16.47 est.</td>" in html
    assert "nan" not in html


def test_a_year_adds_up_epsilon_and_delta_of_a_guarantee_and_the_rho_of_others():
    years = {deployment.name: results.composed_year(deployment) for deployment in DEPLOYMENTS}
    mobility, vaccine, views = (years[name] for name in ("Google mobility", "Google vaccine", "Wikimedia views"))
    assert mobility is not None
    assert vaccine is not None
    assert views is not None
    assert mobility == (pytest.approx(365 * 2.64), 0)
    assert vaccine == (pytest.approx(365 * 2.19), pytest.approx(365e-5))
    assert 5.475 < views[0] < 5.475 + 2 * (5.475 * 16.118095651) ** 0.5
    assert years["Gboard, Spanish"] is None


def test_a_pinned_setting_is_compared_and_its_delta_has_grey_marks():
    result = result_of(at_delta="page", delta="1e-4", pinned="epsilon=0.5&delta=1e-9")
    third = answer_text(result)[2]
    assert third == (
        "Compared with the pin (among those for a person’s record): 0.5 at δ = 1e-9 is below → 1 at δ = 1e-4 is below."
    )
    names = [trace["name"] for trace in figure_of(section.guarantees_chart(result, LIGHT))["data"]]
    assert "pinned" in names
    assert len(SECTION.controls(result)) == 4
    assert len(SECTION.controls(result_of())) == 3
    assert len(SECTION.controls(result_of(released="yearly"))) == 4


def test_the_hairline_is_the_handle_of_epsilon_and_the_axis_moves_by_decades_only():
    axes = set()
    for epsilon in ("0.2", "5", "90"):
        layout = figure_of(section.guarantees_chart(result_of(epsilon=epsilon), LIGHT))["layout"]
        assert [shape["name"] for shape in layout["shapes"] if "name" in shape] == ["epsilon"]
        axes.add(tuple(layout["xaxis"]["range"]))
    assert len(axes) == 2  # the usual one, and whole decades for an ε beyond it


def test_the_notes_say_what_was_not_one_gaussian_and_what_is_not_to_be_added():
    sentence = text.details_text(DEPLOYMENTS)
    assert "another unit of privacy" in sentence
    assert "Compare two rows only where these agree" in text.WHAT_TO_DO
    assert "Do not add rows" in text.WHAT_TO_DO
    assert len(list(SECTION.parts(result_of(), LIGHT))) == 5
    assert "Guarantees published as ε and δ alone cannot be converted" in text.CONVERSIONS_TEXT
    assert sentence in explanation_text(result_of())
    assert explanation_text(result_of())


def test_the_numbers_name_mechanism_and_accounting_of_every_guarantee_or_their_absence():
    rows = section.guarantees_frame(result_of()).set_index("guarantee")
    assert tuple(rows.loc["Google mobility", ["mechanism", "accounting"]]) == (
        "Laplace noise",
        "basic composition of the parts",
    )
    assert tuple(rows.loc["Google vaccine", ["mechanism", "accounting"]]) == ("not recorded here", "not recorded here")


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda deployment: deployment.name)
def test_a_published_guarantee_opens_as_exactly_the_releases_of_which_it_is_made(deployment):
    releases_link = text.releases_link(deployment)
    values = link.values(read_link("composition", **releases_link.entries)[0])
    assert tuple(item.release for item in values["releases"]) == deployment.releases
    assert values["epsilon"] == deployment.printed_epsilon
    assert ("delta" in releases_link.entries) == (deployment.delta > 0)
    assert deployment.delta in (0, values["delta"])
    assert releases_link.markdown in text.details_text(DEPLOYMENTS)
    assert f"<a href='{escape(releases_link.address)}'>" in html_of(section.guarantees_table(result_of(), LIGHT))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Census 2020, persons", "the tight conversion, rounded down"),
        ("Census 2020, housing", "the tight conversion, rounded down"),
        ("Gboard, Spanish", "the tight conversion, rounded down"),
        ("Census DHC, persons", "the standard conversion, rounded"),
        ("Census detailed, persons", "The source has ρ alone"),
        ("Opacus, MNIST", "the standard conversion, rounded"),
        ("Abadi et al., example", "for Poisson batches, which this training did not use"),
        ("TensorFlow tutorial", "which refutes the printed number"),
        ("Wikimedia views", "the standard conversion, rounded"),
        ("Facebook URLs", "Neither conversion gives the printed number"),
        ("Google mobility", "shown is the basic composition of the printed parts"),
        ("LinkedIn engagement", "shown is the printed value"),
    ],
)
def test_a_guarantee_says_why_what_is_computed_is_not_what_was_printed(name, why):
    row = restated(name)
    sentence = text.difference_text(row)
    assert why in sentence
    assert sentence in text.details_text(DEPLOYMENTS)
    if not row.deployment.is_covered:
        assert f"ε ≥ {format_down(row.at_least)} for zero-out neighbours" in sentence
    is_larger = not row.deployment.is_covered or "down" in why or "Neither" in why
    assert (row.proved > row.deployment.printed_epsilon) == is_larger


def test_only_a_guarantee_of_one_release_to_a_curator_leads_to_the_accuracy_of_one_count():
    leading = {deployment.name for deployment in DEPLOYMENTS if text.count_link(deployment) is not None}
    counts = {"LinkedIn engagement", "Google symptoms", "Google vaccine", "Google trips (EIE)", "Wikimedia, 2017–2023"}
    assert leading == counts | {"Israel, live births"}


def test_three_published_guarantees_are_local_and_the_page_says_what_that_means():
    assert sum(deployment.adjacency == "local" for deployment in DEPLOYMENTS) == 3
    assert "(local DP)" in text.CONVERSIONS_TEXT


def test_the_handle_of_epsilon_stands_below_all_rows():
    figure = figure_of(section.guarantees_chart(result_of(), LIGHT))
    rows = max(place for trace in figure["data"] for place in trace["y"] if place is not None)
    assert figure["layout"]["yaxis"]["range"][0] >= rows + 2
