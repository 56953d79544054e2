"""The section on batches: what Poisson, shuffled and fixed batches give, and which of them a loader draws."""

import math
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.composition import shuffled_batches_epsilon_at_least, unamplified_epsilon
from pages.composition.batch_sampling import results, section, text
from pages.composition.batch_sampling.section import explanation_text
from pages.composition.batch_sampling.text import answer_text
from pages.composition.dp_sgd import text as dp_sgd_text
from pages.composition.page import PAGE
from pages.composition.results import CompositionResult
from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_down, format_up
from tests.pages.conftest import LIGHT, figure_of, found_by, html_of


def result_of(**link: str) -> CompositionResult:
    return found_by("composition", **({"section": "batching", "delta": "1e-5"} | link))


def lead_figure(result: CompositionResult):
    return figure_of(section.ribbon_chart(result, LIGHT))


ONE = {"records": "59904", "batch": "256", "epochs": "1", "noise_multiplier": "1"}  # 234 batches


def test_the_answer_on_shuffled_batches_has_two_bounds():
    headline, meaning = answer_text(result_of(**ONE))
    assert headline == (
        "Shuffled batches: 1 epoch with noise multiplier 1 costs at least ε = 3.761 and at most 4.378 at δ = 1e-5."
    )
    assert meaning == (
        "torch’s DataLoader with shuffle=True draws these: report the upper bound; Poisson’s 0.3935 is too small."
    )


def test_poisson_batches_name_the_loader_that_draws_them():
    headline, meaning = answer_text(result_of(loader="poisson"))
    assert headline == "Poisson batches: 60 epochs with noise multiplier 1.1 cost ε = 2.382 at δ = 1e-5."
    assert "Opacus’ DPDataLoader does this, torch’s DataLoader with shuffle=True does not." in meaning


def test_a_fixed_order_amplifies_nothing():
    headline, meaning = answer_text(result_of(loader="fixed", **ONE))
    assert headline.startswith("Batches in fixed order: 1 epoch with noise multiplier 1 costs ε = 4.378 at δ = 1e-5.")
    assert meaning.startswith("torch’s DataLoader with shuffle=False draws these")


def test_equal_bounds_are_displayed_as_one_number():
    headline, meaning = answer_text(result_of(**(ONE | {"noise_multiplier": "0.3"})))
    assert "at least" not in headline
    assert "costs ε = 19.14 at" in headline
    assert "both bounds agree to four digits" in meaning


def test_for_less_than_an_epoch_no_lower_bound_is_claimed():
    headline, meaning = answer_text(result_of(epochs="0.5"))
    assert "cost at most ε = " in headline
    assert "no lower bound above 0 is known here" in meaning
    assert results.batching_at(result_of(epochs="0.5")).at_least == 0


def test_a_record_is_used_once_more_in_a_broken_epoch_and_the_lower_bound_leaves_that_out():
    batching = results.batching_at(result_of(epochs="2.5"))
    assert (batching.uses, batching.complete_epochs) == (3, 2)
    assert batching.at_most == unamplified_epsilon(1e-5, 1.1, 3)
    assert batching.at_least == shuffled_batches_epsilon_at_least(1e-5, 1.1, 235, 2)


def test_the_noise_is_the_handle_and_beyond_the_axis_this_grows_by_decades():
    layout = lead_figure(result_of())["layout"]
    assert [shape["name"] for shape in layout["shapes"] if "name" in shape] == ["noise_multiplier"]
    assert lead_figure(result_of(noise_multiplier="4"))["layout"]["xaxis"]["range"] == layout["xaxis"]["range"]
    assert lead_figure(result_of(noise_multiplier="20"))["layout"]["xaxis"]["range"][1] == 2
    assert results.noise_decades(0.05)[0] == pytest.approx(np.log10(0.03))
    assert results.noise_decades(1e-3)[0] == pytest.approx(-3)


def test_the_table_says_what_to_add_for_a_target():
    html = html_of(section.loaders_table(result_of(epsilon="2", **ONE), LIGHT))
    assert "at least 3.761, at most 4.378" in html
    assert "torch DataLoader(shuffle=False)" in html
    assert "2.026" in html_of(section.loaders_table(result_of(epsilon="1"), LIGHT))
    assert "ε = 2 then requires noise multiplier" in text.advice_text(results.batching_at(result_of(**ONE)), 2.0)
    none = html_of(section.loaders_table(result_of(epsilon="0", delta="1e-12", batch="60000"), LIGHT))
    assert "none up to 1e6" in none


def test_other_batches_have_the_question_of_the_training_with_its_noise_on_the_safe_side():
    numbers = {"epsilon": "3", "delta": "1e-5", "epochs": "20", "batch": "256", "records": "60000"}
    trained = found_by("composition", section="training", solve="noise", contribution="once", **numbers)
    (address,) = re.findall(r"\(\./Composition\?([^)]*)\)", dp_sgd_text.batches_text(trained))
    result = found_by("composition", **dict(parse_qsl(address)), loader="poisson")
    keys = "solve", "training_view", "contribution"
    assert [result.values[key] for key in keys] == ["noise", "batching", "once"]
    batching = results.batching_at(result)
    assert batching.noise == pytest.approx(trained.training.noise, rel=1e-3)
    assert batching.noise >= trained.training.noise
    assert 2.99 < batching.poisson <= 3
    assert f"noise multiplier {batching.noise} satisfies ε = 3" in answer_text(result)[0]
    controls = [item.parameter.key if isinstance(item, Field) else item.key for item in section.controls(result)]
    assert controls == ["loader", "epsilon", "delta", "epochs", "batch", "records"]
    assert all("name" not in shape for shape in lead_figure(result)["layout"]["shapes"])


@pytest.mark.parametrize("loader", ["shuffled", "fixed"])
def test_the_noise_that_is_asked_for_is_that_of_the_batches_of_the_loader(loader: str):
    numbers = {"epsilon": "3", "delta": "1e-5", "epochs": "15", "batch": "256", "records": "60000"}
    link = {"section": "training", "training_view": "batching", "solve": "noise", "loader": loader}
    result = found_by("composition", **numbers, **link)
    batching = results.batching_at(result)
    assert unamplified_epsilon(1e-5, batching.noise, 15) <= 3 < unamplified_epsilon(1e-5, batching.noise - 0.001, 15)
    first, second, note = PAGE.answer_text(result)
    assert f"noise multiplier {batching.noise} satisfies ε = 3 at δ = 1e-5 over 15 epochs" in first
    poisson = found_by("composition", **numbers, solve="noise").training.noise
    assert f"Poisson batches need {format_up(poisson)}" in second
    assert "zero-out" in note
    assert f"σ = {batching.noise} ×" in text.batching_steps_text(batching)
    statements = PAGE.statements_of(result)
    assert statements is not None
    assert f"z = {batching.noise}" in statements.experts
    right = float(norm.cdf(15**0.5 / batching.noise / 2))  # of the one Gaussian that all epochs are
    assert f"above {format_up(right)}, by the trade-off curve" in statements.experts
    assert f"for at most {math.ceil(100 * right)} of 100" in statements.public
    html = html_of(section.loaders_table(result, LIGHT))
    assert html.count("zero-out") == 2
    assert html.count("one record added or removed") == 1
    none = PAGE.answer_text(found_by("composition", **link, epsilon="0"))[0]
    assert "no noise multiplier up to 1e6 satisfies" in none


@pytest.mark.parametrize("loader", ["shuffled", "fixed", "poisson"])
def test_only_poisson_batches_are_counted_in_steps_and_records_in_turn_in_epochs(loader: str):
    # A loader has 234 or 235 batches of 256 in an epoch of 60,000 records: 3,510 or 3,525 steps, and no 3,516.
    numbers = {"delta": "1e-5", "epochs": "15", "batch": "256", "records": "60000", "noise_multiplier": "5.386"}
    result = result_of(loader=loader, **numbers)
    statements = PAGE.statements_of(result)
    assert statements is not None
    steps = text.batching_steps_text(results.batching_at(result))
    stated = " ".join((statements.paper, statements.experts, statements.public, steps)).replace(",", "")
    is_poisson = loader == "poisson"
    length = "3516 steps" if is_poisson else "15 epochs"
    assert f"({length})" in stated
    assert f" {length} Gaussian noise" in stated
    assert f"stop after {length}." in stated
    assert bool(re.search(r"\d steps", stated)) == is_poisson
    assert is_poisson or "15 of them at most" in stated


def test_a_statement_on_much_too_little_noise_names_a_chance_below_one():
    for noise in ("0.7283", "0.3"):
        link = {"section": "training", "training_view": "batching", "epochs": "15", "noise_multiplier": noise}
        statements = PAGE.statements_of(found_by("composition", **link, loader="fixed"))
        assert statements is not None
        found = re.search(r"probability above (1 − )?(\S+), by the trade-off curve", statements.experts)
        assert found is not None
        wrong = float(found[2]) if found[1] else 1 - float(found[2])
        assert 0 < wrong <= norm.sf(15**0.5 / float(noise) / 2)
        assert wrong == pytest.approx(norm.sf(15**0.5 / float(noise) / 2), rel=0.03)


@pytest.mark.parametrize(("solve", "number"), [("steps", "epochs"), ("rate", "batch")])
def test_epochs_or_a_batch_that_is_solved_for_is_that_of_poisson_batches_too(solve: str, number: str):
    result = result_of(solve=solve, epsilon="2", noise_multiplier="1", loader="poisson")
    assert getattr(results.batching_at(result), number) == getattr(result.training, number)
    assert results.batching_at(result).poisson <= 2
    assert f"{getattr(result.training, number):.4g}" in answer_text(result)[0]
    none = result_of(solve=solve, epsilon="0", delta="1e-12", loader="poisson")
    assert ("not even a single step" if solve == "steps" else "no batch size") in answer_text(none)[0]
    assert PAGE.statements_of(result_of(solve=solve, epsilon="0", delta="1e-12", loader="poisson")) is None


@pytest.mark.parametrize("loader", ["shuffled", "fixed"])
def test_epochs_are_solved_for_with_the_accountant_of_the_loader(loader: str):
    link = {"section": "training", "training_view": "batching", "solve": "steps", "loader": loader, "delta": "1e-6"}
    result = found_by("composition", **link, epsilon="3", noise_multiplier="8", epochs="15")
    batching = results.batching_at(result)
    most = int(batching.epochs)
    assert unamplified_epsilon(1e-6, 8, most) <= 3 < unamplified_epsilon(1e-6, 8, most + 1)
    first, second, _ = PAGE.answer_text(result)
    assert f"noise multiplier 8 allows {most} epochs within ε = 3 at δ = 1e-6" in first
    assert f"Poisson batches allow {format_down(result.training.epochs)} epochs" in second
    statements = PAGE.statements_of(result)
    assert statements is not None
    assert f"{most} epochs" in statements.experts
    assert f"with ε = {format_up(batching.at_most)} " in statements.experts
    assert "zero-out" in statements.public
    without = found_by("composition", **link, epsilon="3", noise_multiplier="1.1")
    first, second = PAGE.answer_text(without)
    assert "not even one epoch with noise multiplier 1.1 is sure to satisfy ε = 3" in first
    needed = results.unamplified_noise(3, 1e-6, 1)
    assert f"1 epoch costs at most ε = {format_up(float(unamplified_epsilon(1e-6, 1.1, 1)))}" in second
    assert f"noise multiplier {format_up(needed)} is needed" in second
    assert PAGE.statements_of(without) is None
    assert text.batching_steps_text(results.batching_at(without)) == ""
    at_limit = result_of(solve="steps", loader=loader, noise_multiplier="1e4", records="1e8", batch="10")
    assert "the search ends at 1e6 steps" in answer_text(at_limit)[0].replace("1,000,000", "1e6")
    assert results.batching_at(at_limit).at_most <= 1


@pytest.mark.parametrize("loader", ["shuffled", "fixed"])
def test_without_amplification_no_batch_size_is_solved_for(loader: str):
    link = {"solve": "rate", "loader": loader, "epsilon": "3", "batch": "512"}
    enough, few = result_of(noise_multiplier="20", **link), result_of(noise_multiplier="2", **link)
    assert results.batching_at(enough).at_most <= 3 < results.batching_at(few).at_most
    first, second = answer_text(enough)
    assert "batches of any size satisfy ε = 3 at δ = 1e-5 over 60 epochs with noise multiplier 20" in first
    assert f"Poisson batches of {enough.training.batch:,.0f} do too" in second.replace("60000", "60,000")
    first, second = answer_text(few)
    assert "no batch size is sure to satisfy ε = 3" in first
    assert f"noise multiplier {format_up(results.unamplified_noise(3, 1e-5, 60))} is needed" in second
    assert PAGE.statements_of(few) is None


def test_the_table_has_no_more_noise_for_the_target_than_the_training_that_satisfies_it():
    result = result_of(solve="steps", epsilon="3", loader="poisson")
    batching = results.batching_at(result)
    assert batching.poisson <= 3
    assert results.poisson_noise(batching, 3.0) <= batching.noise
    assert results.poisson_noise(batching, 2.0) > batching.noise


@pytest.mark.parametrize("uses", [1, 60])
def test_the_noise_without_amplification_satisfies_its_target(uses: int):
    noise = results.unamplified_noise(2.0, 1e-5, uses)
    assert unamplified_epsilon(1e-5, noise, uses) == pytest.approx(2, rel=1e-9)
    assert unamplified_epsilon(1e-5, noise * (1 + 1e-13), uses) <= 2 * (1 + 1e-12)


def test_a_pinned_setting_is_compared():
    result = result_of(pinned="epsilon=1&delta=1e-5&loader=poisson&noise_multiplier=1.1")
    assert answer_text(result)[2].startswith("Compared with the pin: ε 2.382 → from 6.9")
    assert lead_figure(result)["data"][0]["name"] == "pinned"
    fixed = answer_text(result_of(loader="fixed", epochs="0.5", pinned="loader=shuffled&epochs=0.5"))[2]
    assert "ε at most " in fixed


def test_the_explanation_has_the_users_numbers():
    sentences = explanation_text(result_of())
    assert r"\sigma=1.1,\quad T=235" in sentences
    assert "zero-out" in sentences


def test_the_text_mentions_no_lower_bound_that_is_not_displayed():
    headline, meaning = answer_text(result_of(noise_multiplier="1e5"))
    assert "at least" not in headline
    assert "report the upper bound, as no lower bound above 0 is known here" in meaning
