"""The section Noise from risk: its numbers, its corrections, and what it says at the ends of what is allowed."""

import re
from dataclasses import replace
from decimal import Decimal
from itertools import product
from urllib.parse import parse_qsl

import pytest
from scipy.special import ndtr, ndtri

from dpcore import risk, tradeoff, verify
from pages.framework.layout import panels
from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_up
from pages.shared.counts.table import PER_PERSON
from pages.shared.page_links import risk_link_text
from pages.shared.shared_parameters import L2_SENSITIVITY
from pages.tradeoff.noise_from_risk import section
from pages.tradeoff.noise_from_risk.parameters import CELLS, least_limit
from pages.tradeoff.noise_from_risk.results import is_possible, limit_key, noise_at
from pages.tradeoff.noise_from_risk.section import links_text
from pages.tradeoff.noise_from_risk.text import (
    implied_text,
    meaning_text,
    warning_text,
    what_to_do_text,
)
from tests.pages.conftest import exhibits_by_name, expect_complete, figure_of, found_by, html_of, read_link
from tests.pages.tradeoff.risk_answers import PAGE, answer, composition_answer, number_after, problems, result_at

KINDS = ("power", "advantage", "posterior", "success", "reconstruction")
NOISES = ("gaussian", "laplace", "geometric")
PAIRS = (*product(KINDS, NOISES), ("outcome", "laplace"), ("outcome", "geometric"))


def test_the_stated_sigma_for_five_percent_at_one_percent_is_1_468_and_2_424_by_the_detour():
    first, second = answer(alpha="0.01", max_power="0.05", delta="1e-5")
    assert first == (
        "To limit membership attacks on this release at 1 % false positives to 5 % true positives, add "
        "Gaussian noise with σ = 1.468 (±2.876)."
    )
    assert second == (
        "This is ε = 2.823 at δ = 1e-5; (1.609, 1e-5)-DP alone ensures the limit too, but requires σ = 2.424, "
        "65.2 % more."
    )
    stated = implied_text(result_at(alpha="0.01", max_power="0.05", delta="1e-5").risk_noise)
    assert "95 of 100 releases fall within ±2.876 of the truth." in stated
    assert "μ = 0.6815" in stated
    assert ndtr(1 / 1.468 + ndtri(0.01)) <= 0.05 < ndtr(1 / 1.467 + ndtri(0.01))


@pytest.mark.parametrize(("kind", "noise"), PAIRS)
def test_the_stated_noise_limits_every_risk_as_chosen(kind, noise):
    result = result_at(risk=kind, noise=noise, l2_sensitivity="2")
    stated = number_after("(?:σ|b|s) = ", section.answer_text(result)[0])
    setting = result.setting
    conditions = tuple(getattr(setting, name) for name in risk.CONDITIONS[kind])
    curve = {
        "gaussian": lambda: tradeoff.sigma_curve(stated, 2.0),
        "laplace": lambda: tradeoff.laplace_curve(2 / stated),
        "geometric": lambda: tradeoff.geometric_curve(2 / stated, 2),
    }[noise]()
    limit = getattr(setting, limit_key(kind))
    assert limit * 0.998 <= risk.reached_risk(kind, curve, *conditions) <= limit * (1 + 1e-9)
    proofs = list(panels.proof_lines(section.SECTION.claims(result), verify))
    assert len(proofs) == 1
    assert proofs[0].startswith("✓")


@pytest.mark.parametrize(("kind", "noise"), PAIRS)
def test_every_exhibit_is_complete_and_the_chosen_risk_stands_in_the_table_at_its_limit(kind, noise):
    exhibits = exhibits_by_name(result_at(risk=kind, noise=noise, view="errors", pinned="noise=laplace"), PAGE, "dark")
    for name in ("noise_curve", "risks", "noise_scale"):
        expect_complete(exhibits[name])
    (row,) = re.findall(r"<tr><th scope='row'>[^<]*\(chosen\)</th><td>([^<]*)</td>", html_of(exhibits["risks"]))
    limit = {"advantage": 10, "success": 92}.get(kind, 20)
    assert float(row.removesuffix(" %")) == pytest.approx(limit, rel=1e-3)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"alpha": "0.3"},
            "TPR must be above 0.3, what a blind guess reaches, and below 1, which no attack exceeds; 0.2 was given.",
        ),
        (
            {"risk": "posterior", "alpha": "0.5", "max_posterior": "0.95"},
            "posterior must be above 0.1, the prior before the release, and below 0.1818, which no "
            "attack exceeds; 0.95 was given.",
        ),
        (
            {"alpha": "0"},
            "α must be above 0 and below 1 for a risk at a false positive rate; 0 was given. 0.05 is used instead.",
        ),
        (
            {"noise": "geometric", "l2_sensitivity": "2.5"},
            "ℓ₂ sensitivity must be a whole number from 1 for geometric noise; 2.5 was given. 3 is used instead.",
        ),
        (
            {"risk": "success", "prior": "1e-300"},
            "success has no possible value here, as a blind guess reaches what no attack exceeds but for "
            "a rounding; 0.92 was given. The defaults of the section are used instead.",
        ),
        (
            {"risk": "posterior", "prior": "0.99999"},
            "posterior must be above 0.99999, the prior before the release, and below "
            "0.99999949999525, which no attack exceeds; 0.2 was given.",
        ),
    ],
)
def test_a_limit_that_no_noise_meets_or_that_needs_none_is_replaced_in_one_sentence(link, sentence):
    assert problems(**link) == [sentence]
    assert ("noise with" in answer(**link)[0]) == sentence.endswith(" used instead.")


@pytest.mark.parametrize("noise", NOISES)
def test_the_noise_of_numbers_asks_what_one_person_changes_and_for_the_number_of_cells(noise):
    fields = section.controls(result_at(noise=noise))
    (sensitivity,) = [field for field in fields if isinstance(field, Field) and field.parameter is L2_SENSITIVITY]
    assert "most per cell" in sensitivity.label
    assert PER_PERSON in fields
    assert CELLS in fields
    assert PER_PERSON not in section.controls(result_at(noise="dp_sgd"))


@pytest.mark.parametrize(("kind", "noise"), PAIRS)
def test_a_limit_is_possible_where_noise_meets_it(kind, noise):
    setting = result_at(risk=kind, noise=noise).setting.risk_setting
    low, high = least_limit(kind, setting.conditions)
    shares = [-0.1, 0.0, 1e-300, 1e-14, 1e-9, 1e-6, 0.3, 1 - 1e-9, 1 - 1e-15, 1.0]
    extremes = [("per_cell", 1.0), ("per_cell", 1e-100), ("per_cell", 1e100), ("delta", 1e-300)]
    for key, value in extremes if noise != "geometric" else [("per_cell", 10_000.0), ("delta", 1e-300)]:
        for share in shares:
            at = replace(setting, limit=low + share * (high - low), **{key: value})
            assert is_possible(at) == (noise_at(at) is not None), (key, value, share)


def test_values_unusable_for_the_risk_stay_unchanged_in_other_sections():
    assert problems(section="curves", alpha="0.3") == []


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("prior", ["0.1", "0.5", "0.8"])
def test_the_proof_on_right_guesses_refutes_noise_that_is_a_little_less(prior, noise):
    result = result_at(risk="success", noise=noise, prior=prior, max_success="0.93")
    (claim,) = section.SECTION.claims(result)
    assert panels.proof(claim, verify).startswith("✓")
    name = "sigma" if noise == "gaussian" else "scale"
    less = {**claim.arguments, name: claim.arguments[name] * Decimal("0.995")}
    assert panels.proof(replace(claim, arguments=less), verify).startswith("✗")


def test_noise_with_a_large_epsilon_is_warned_of():
    result = result_at(risk="advantage", max_advantage="0.99")
    assert section.answer_text(result)[1].startswith("⚠ This limit does not bound rare events: ε = ")
    assert result.risk_noise.calibration.epsilon > 10
    assert warning_text(result.risk_noise).startswith("**⚠ ε is above 10.**")
    assert all("⚠" not in sentence for sentence in answer(risk="advantage"))
    assert warning_text(result_at(risk="advantage").risk_noise) == ""


def test_a_delta_above_the_limit_leaves_no_detour():
    assert "no (ε, δ) guarantee with this δ ensures the limit by itself" in answer(delta="0.5")[1]
    assert "Pinned: b = " in answer(pinned="noise=laplace")[-1]


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "geometric"])
def test_the_guarantee_of_the_links_ensures_the_limit_whatever_noise_another_page_chooses(noise):
    result = result_at(noise=noise, alpha="0.01", max_power="0.05")
    links = links_text(result)
    addresses = re.findall(r"\(\./(?:Tables|Accuracy|Plan)\?([^)]*)\)", links)
    assert len(addresses) == 3
    for link in map(dict, map(parse_qsl, addresses)):
        assert ("delta" in link) == (noise == "gaussian") == ("promise=pure" not in links)
        guarantee = tradeoff.epsilon_delta_curve(float(link["epsilon"]), float(link.get("delta", 0)))
        assert 0.99 * 0.05 < 1 - guarantee(0.01) <= 0.05 * (1 + 1e-9)
        assert number_after("ε = ", links) <= float(link["epsilon"])
    assert links.count("](./") == 4
    assert composition_answer(links) == pytest.approx(result.risk_noise.calibration.epsilon, rel=5e-4)


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "geometric", "dp_sgd"])
def test_a_linked_page_reads_the_whole_link_and_states_the_limit_that_its_epsilon_ensures(noise):
    links = links_text(result_at(noise=noise))
    addresses = re.findall(r"\(\./(\w+)\?([^)]*)\)", links)
    assert [page for page, _ in addresses] == (
        ["Composition"] if noise == "dp_sgd" else ["Tables", "Accuracy", "Plan", "Composition"]
    )
    for page, address in addresses:
        entries = dict(parse_qsl(address))
        readings, unknown = read_link(page.lower(), **entries)
        assert unknown == []
        assert [reading.problem for reading in readings.values() if reading.problem] == []
        assert entries.keys() <= readings.keys()
        result = found_by(page.lower(), **entries)
        if page == "Plan":
            assert 0 < result.epsilon <= float(entries["epsilon"])
        elif page != "Composition":
            assert result.setting.epsilon == float(entries["epsilon"])
            sentence, shown = risk_link_text(result.setting, result.setting.promise), entries["epsilon"]
            assert "at 5 % false positives to 20 % true positives" in sentence
            assert (f"ε = {shown} at δ = 1e-6" if noise == "gaussian" else f"pure ε = {shown} limits") in sentence


@pytest.mark.parametrize(
    ("sensitivity", "release"), [(1, "geometric:1.386"), (3, "geometric:1.386"), (5000, "pure:1.386")]
)
def test_composition_gets_geometric_noise_as_it_is_and_never_as_another_noise(sensitivity, release):
    result = result_at(noise="geometric", l2_sensitivity=str(sensitivity))
    (address,) = re.findall(r"\(\./Composition\?([^)]*)\)", links_text(result))
    entry = dict(parse_qsl(address))["releases"]
    assert entry.startswith(release)
    assert entry.endswith(f",{sensitivity}") or release.startswith("pure")
    assert composition_answer(links_text(result)) == pytest.approx(result.risk_noise.calibration.epsilon, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_readers_of_the_stated_epsilon_alone_must_assume_a_larger_risk_than_the_limit(kind):
    noise = result_at(risk=kind).risk_noise
    guarantee = tradeoff.epsilon_delta_curve(noise.calibration.epsilon, 1e-6)
    quoted = risk.reached_risk(kind, guarantee, *noise.setting.conditions)
    (numbers,) = re.findall(r"assume ([0-9.]+) % instead of ([0-9.]+) %", what_to_do_text(noise))
    assumed, limit = map(float, numbers)
    assert quoted <= assumed / 100 <= quoted * 1.001
    assert limit / 100 == pytest.approx(noise.setting.limit, rel=1e-12)
    assert assumed > limit


def test_the_risk_that_a_quoted_guarantee_ensures_is_left_out_where_it_is_the_limit():
    assert "must assume" not in what_to_do_text(result_at(noise="laplace").risk_noise)
    assert what_to_do_text(None).endswith("the largest value that you can accept.")


def test_only_composition_is_linked_if_no_guarantee_ensures_the_limit():
    assert links_text(result_at(delta="0.5")).count("](./") <= 1


def test_a_training_has_the_published_noise_multiplier_and_a_link_to_its_epsilon():
    training = {"noise": "dp_sgd", "risk": "advantage", "sampling_rate": "0.002", "steps": "10000", "delta": "1e-5"}
    result = result_at(**training)
    first, second = section.answer_text(result)
    assert number_after("z = ", first) == pytest.approx(1.02497, rel=2e-3)
    assert "-DP alone ensures the limit too, but requires z = " in second
    exhibits = exhibits_by_name(result, PAGE)
    for name in ("noise_curve", "noise_scale", "risks"):
        expect_complete(exhibits[name])
    assert "10,000 steps" in implied_text(result.risk_noise)
    expected = pytest.approx(number_after("ε = ", second), rel=5e-4)
    assert composition_answer(links_text(result)) == expected
    assert [line[0] for line in panels.proof_lines(section.SECTION.claims(result), verify)] == ["–"]


def test_a_training_that_needs_hardly_any_noise_has_the_least_multiplier_and_says_so():
    link = {"noise": "dp_sgd", "risk": "advantage", "max_advantage": "0.99", "steps": "1"}
    assert "z = 0.3." in answer(**link)[0]
    assert "0.3 is the least noise multiplier of this page" in implied_text(result_at(**link).risk_noise)


def test_a_training_at_an_error_beyond_the_rough_curves_has_noise_and_no_chart_of_other_limits():
    link = {"noise": "dp_sgd", "risk": "posterior", "max_posterior": "0.106", "prior": "0.05"}
    rare, common = (result_at(**link, alpha=alpha) for alpha in ("1e-50", "1e-5"))
    assert "add DP-SGD noise with z = 3.863" in section.answer_text(rare)[0]
    assert "noise_scale" not in exhibits_by_name(rare, PAGE)
    assert "noise_scale" in exhibits_by_name(common, PAGE)


def test_a_list_is_scaled_to_the_risk_and_composition_states_the_same_epsilon():
    link = {"noise": "releases", "releases": "!laplace:0.2*5=Counts;gaussian:4*5=Means;sampled:1,0.01*50=Model"}
    result = result_at(**link)
    first, second = section.answer_text(result)
    assert first == (
        "To limit membership attacks on these releases at 5 % false positives to 20 % true positives, "
        "multiply every scale by "
        f"{number_after('scale by ', first)}."
    )
    items = result.risk_noise.scaled_items
    curve = tradeoff.releases_curve([item.release for item in items])
    assert 0.199 < risk.reached_risk("power", curve, 0.05) <= 0.2
    assert [item.name for item in items] == ["Counts", "Means", "Model"]
    assert "Counts: 5 × Laplace noise, ε " in implied_text(result.risk_noise)
    expected = pytest.approx(number_after("ε = ", second), rel=5e-4)
    assert composition_answer(links_text(result)) == expected
    _, unscaled = re.findall(r"\(\./Composition\?([^)]*)\)", links_text(result))
    assert dict(parse_qsl(unscaled))["releases"] == link["releases"]
    assert [line[0] for line in panels.proof_lines(section.SECTION.claims(result), verify)] == ["–"]
    for name in ("noise_curve", "noise_scale", "risks"):
        expect_complete(exhibits_by_name(result, PAGE)[name])


@pytest.mark.parametrize(("noise", "limit", "epsilon"), [("laplace", "0.075", "0.4054"), ("geometric", "0.6", "2.484")])
def test_noise_that_is_pure_has_one_epsilon_in_the_answer_the_picture_and_the_links(noise, limit, epsilon):
    result = result_at(noise=noise, max_power=limit)
    assert section.answer_text(result)[1] == f"This is pure ε = {epsilon}."
    assert f"any noise with pure ε = {epsilon} ensures" in links_text(result)
    assert not any("ε" in trace["name"] for trace in figure_of(exhibits_by_name(result, PAGE)["noise_curve"])["data"])
    shown = float(format_up(result.risk_noise.calibration.scale))
    assert 1 / shown <= float(epsilon)  # what is shown satisfies it
    curve = tradeoff.laplace_curve if noise == "laplace" else tradeoff.geometric_curve
    assert 1 - curve(1 / shown)(0.05) <= float(limit)


_PROBABILITY = r"with a probability above (?:\(e\^ε \+ δ\)/\(1 \+ e\^ε\) ≤ )?"


@pytest.mark.parametrize("noise", [*NOISES, "dp_sgd"])
@pytest.mark.parametrize("share", ["0.55", "0.6", "0.92"])
def test_each_paragraph_of_a_statement_has_the_limit_on_right_guesses(share, noise):
    right = round(100 * float(share))
    by_success = result_at(risk="success", noise=noise, prior="0.5", max_success=share)
    by_advantage = result_at(risk="advantage", noise=noise, max_advantage=str((2 * right - 100) / 100))
    for result in (by_success, by_advantage):
        stated = section.statements(result)
        assert stated is not None
        assert not any(words in stated.public for words in ("positive", "rate of", "power"))
        is_by_guesses = f"at most {right} of 100 guesses of who is in it are correct" in stated.public
        assert is_by_guesses == (result is by_success)
        assert f"with the release for at most {right} of 100 on average" in stated.public
        assert float(share) - 0.002 < number_after(_PROBABILITY, stated.experts) <= float(share)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            "outcome",
            "the data contain 10 of 100 people like you before the release. Whatever the release shows, it is at",
        ),
        (
            "power",
            "at most 20 of 100 people are found on average by an attack that accuses 5 of 100 people who are not",
        ),
        (
            "advantage",
            "in the data an attack accuses on average at most 10 of 100 people more than among those who are not",
        ),
        (
            "posterior",
            "Of those whom a test accuses, it is at most 20 of 100 people after it, for a test that accuses 5",
        ),
        ("success", "at most 92 of 100 guesses of who is in it are correct on average; 90 of 100 guesses are correct"),
        ("reconstruction", "correct for 5 of 100 people without the release is correct for at most 20 of 100 people"),
    ],
)
def test_the_meaning_of_a_risk_names_its_limit_and_its_conditions(kind, sentence):
    assert sentence in meaning_text(result_at(risk=kind).setting.risk_setting)


@pytest.mark.parametrize(
    ("releases", "sentence"),
    [
        ("zcdp:0.1=", "The list has a zCDP or (ε, δ) guarantee, which names no noise that could change."),
        ("approx:0.1,1e-8=", "The list has a zCDP or (ε, δ) guarantee, which names no noise that could change."),
        ("pure:1*5001=", "The list of releases is too long: at most 10 lines with 5,000 releases together."),
        ("pure:1e-12=", "To limit"),
    ],
)
def test_a_list_without_noise_or_with_too_many_lines_gets_a_sentence(releases, sentence):
    assert answer(noise="releases", releases=releases)[0].startswith(sentence)


@pytest.mark.parametrize(
    ("link", "keys", "is_point"),
    [
        ({}, ("alpha", "max_power"), True),
        ({"view": "log"}, ("alpha", "max_power"), True),
        ({"risk": "reconstruction"}, ("baseline", "max_reconstruction"), True),
        ({"view": "errors"}, ("alpha", ""), False),
        ({"risk": "posterior"}, ("alpha", ""), False),
        ({"risk": "advantage"}, ("", ""), False),
    ],
)
def test_the_target_is_dragged_where_its_height_is_the_limit(link, keys, is_point):
    exhibit = exhibits_by_name(result_at(**link), PAGE)["noise_curve"]
    assert exhibit.picks == keys
    assert ("meta" in figure_of(exhibit)["layout"]) == is_point
