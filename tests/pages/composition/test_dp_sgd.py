"""The section on DP-SGD: what a training costs or needs, by which account, and what makes that untrue."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from dpcore.composition import dp_sgd_epsilon, dp_sgd_noise_multiplier, dp_sgd_steps
from pages.composition.dp_sgd import results, section, text
from pages.composition.dp_sgd.section import SECTION, explanation_text
from pages.composition.dp_sgd.text import answer_text
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_up
from pages.shared.releases import MAX_COUNT
from tests.pages.conftest import LIGHT, expect_complete, figure_of, found_by, html_of, read_link


@lru_cache(32)
def result_of(**link: str) -> CompositionResult:
    return found_by("composition", **({"section": "training", "delta": "1e-5"} | link))


def lead_figure(result: CompositionResult):
    picture = next(iter(SECTION.parts(result, LIGHT)))
    assert isinstance(picture, Exhibit)
    return figure_of(picture)


def test_the_answer_is_the_certified_epsilon_and_what_rdp_would_say():
    headline, meaning = answer_text(result_of())
    assert headline == ("60 epochs with noise multiplier 1.1 cost ε = 2.382 at δ = 1e-5; RDP gives 2.597.")
    assert meaning == (
        "With Poisson batches, one record changes the probability of every set of outcomes by at most the factor 10.9, "
        "plus 1e-5."
    )


def test_noise_for_a_target_is_rounded_up():
    headline, _ = answer_text(result_of(solve="noise", epsilon="2"))
    assert headline == ("Noise multiplier 1.225 satisfies ε = 2 at δ = 1e-5 over 60 epochs; by RDP 1.296.")
    training = result_of(solve="noise", epsilon="2").training
    assert training.noise == dp_sgd_noise_multiplier(2, 1e-5, 256 / 60000, 14063)
    assert training.epsilon <= 2


def test_epochs_for_a_target_are_rounded_down():
    headline, _ = answer_text(result_of(solve="steps", epsilon="2"))
    steps = dp_sgd_steps(2, 1e-5, 1.1, 256 / 60000)
    assert headline.startswith("Noise multiplier 1.1 allows 43.")
    assert "; by RDP 36." in headline
    assert result_of(solve="steps", epsilon="2").training.steps == steps <= 10207
    whole = {"batch": "60000", "noise_multiplier": "5", "delta": "1e-6"}
    assert answer_text(result_of(solve="steps", epsilon="1", **whole))[0].startswith(
        "Noise multiplier 5 allows 1 epoch (1 step) within"
    )


def test_a_batch_for_a_target_is_a_whole_number_that_satisfies_it():
    headline, _ = answer_text(result_of(solve="rate", epsilon="2"))
    training = result_of(solve="rate", epsilon="2").training
    assert (
        headline == f"A batch of {training.batch:.0f} satisfies ε = 2 at δ = 1e-5 over 60 epochs with noise multiplier"
        f" 1.1; by RDP {training.rdp_answer:.0f}."
    )
    assert dp_sgd_epsilon(1e-5, 1.1, training.batch / 60000, training.steps) <= 2


def test_a_target_that_even_all_records_at_once_satisfy_is_reported():
    headline, _ = answer_text(result_of(solve="rate", epsilon="100"))
    assert headline.startswith("A batch of 60,000 (all records) satisfies ε = 100 at δ = 1e-5 over 60 epochs")
    assert "Poisson" not in headline


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"solve": "noise", "epsilon": "0", "delta": "1e-12", "batch": "60000"},
            "No noise multiplier up to 1e6 satisfies",
        ),
        (
            {"solve": "steps", "epsilon": "0.01", "batch": "60000"},
            "Even a single step with noise multiplier 1.1 exceeds ε = 0.01",
        ),
        (
            {"solve": "rate", "epsilon": "1e-3", "records": "100", "batch": "1"},
            "No batch with at most 1e6 steps satisfies",
        ),
        ({"solve": "steps", "epsilon": "1e6"}, "for at least 4,266 epochs (the search ends at 1e6 steps)"),
        ({"noise_multiplier": "1e-3", "epochs": "1", "batch": "600"}, "e^"),
        ({"epochs": "1", "batch": "60000"}, "1 epoch with noise multiplier 1.1 costs ε"),
    ],
)
def test_every_end_has_its_own_words(link: dict[str, str], sentence: str):
    result = result_of(**link)
    assert sentence in " ".join(answer_text(result))
    expect_complete(section.epochs_chart(result, LIGHT))


def test_the_answer_states_the_least_epsilon_if_nothing_meets_the_target():
    result = result_of(solve="steps", epsilon="0.01", batch="60000")
    training = result.training
    assert f"One step costs ε = {format_up(training.epsilon)}: choose" in answer_text(result)[1]
    assert "Certified (the answer)" not in html_of(section.accounts_table(result, LIGHT))
    assert "Certified (the answer)" in html_of(section.accounts_table(result_of(), LIGHT))


def test_at_an_epsilon_of_0_no_account_is_called_too_small():
    result = result_of(delta="0.5")
    assert result.training.exact == 0
    html = html_of(section.accounts_table(result, LIGHT))
    assert "here it is not too small" in html
    assert "e-12" not in html


def test_a_noise_that_was_solved_for_is_shown_rounded_up_everywhere():
    result = result_of(solve="noise", epsilon="1")
    noise = format_up(result.training.noise)
    assert f"noise multiplier {noise}, 14,063 steps" in text.subtitle(result.training, "steps")
    assert f"z={noise}," in explanation_text(result)


def test_the_controls_omit_what_is_solved_for():
    keys = {"epsilon": "epsilon", "noise": "noise_multiplier", "steps": "epochs", "rate": "batch"}
    for solve, key in keys.items():
        controls = SECTION.controls(result_of(solve=solve, epsilon="2"))
        shown_keys = [control.parameter.key if isinstance(control, Field) else control.key for control in controls]
        assert key not in shown_keys
        assert len(shown_keys) == 6
        assert (shown_keys[1] == "epsilon") == (solve != "epsilon")


def test_the_clt_is_marked_as_too_small_and_hatched_where_it_is():
    figure = lead_figure(result_of())
    names = [trace["name"] for trace in figure["data"]]
    assert "✗ CLT: here 2.4 % too small" in names
    hatching = figure["data"][0]
    assert hatching["line"]["color"] == LIGHT["fails"]
    curves = results.epoch_curves(result_of().training)
    heights = hatching["y"][np.isfinite(hatching["y"])].reshape(-1, 2)
    assert (heights[:, 0] < heights[:, 1]).all()
    assert np.isclose(heights[-1], [curves["clt"][-1], curves["exact"][-1]], rtol=1e-4).all()
    with_all = result_of(batch="60000", noise_multiplier="5")
    assert "CLT (no bound)" in [trace["name"] for trace in lead_figure(with_all)["data"]]


def test_the_hairline_is_the_handle_of_what_is_given():
    for solve, view, key in (
        ("epsilon", "steps", ["epochs"]),
        ("steps", "steps", []),
        ("noise", "batch", ["batch"]),
        ("rate", "batch", []),
    ):
        shapes = lead_figure(result_of(solve=solve, training_view=view, epsilon="2"))["layout"]["shapes"]
        assert [shape["name"] for shape in shapes if "name" in shape] == key


def test_axes_stay_while_the_epochs_move_a_little():
    ranges = [lead_figure(result_of(epochs=epochs))["layout"]["xaxis"]["range"] for epochs in ("60", "61")]
    assert ranges[0] == ranges[1]


def test_a_search_that_ends_at_its_limit_is_not_called_the_end_of_the_epochs():
    result = result_of(solve="steps", epsilon="8", noise_multiplier="20", batch="64", records="62500")
    assert result.training.steps == MAX_COUNT
    headline = answer_text(result)[0]
    assert "at least 1,024 epochs" in headline
    assert "lasts" not in headline
    assert "epochs: at least 1,024" in [note["text"] for note in lead_figure(result)["layout"]["annotations"]]
    within = result_of(solve="steps", epsilon="2")
    assert "for at least" not in answer_text(within)[0]
    assert "at least" not in "".join(note["text"] for note in lead_figure(within)["layout"]["annotations"])


@pytest.mark.parametrize(
    ("link", "blank"),
    [
        ({"epochs": "60"}, ""),
        (
            {"epochs": "1000", "delta": "1e-300"},
            " Blank: more than 1e6 steps or the exact integral is not precise enough.",
        ),
    ],
)
def test_the_blank_part_of_the_map_has_its_reason(link: dict[str, str], blank: str):
    result = result_of(training_view="map", **link)
    training = result.training
    ratios = results.ratio_map(training.epochs, training.delta)
    assert np.isnan(ratios.rdp).any() == bool(blank)
    title = figure_of(section.map_chart(result, LIGHT))["layout"]["title"]
    assert text.map_subtitle(training, ratios).endswith(f"Star: this training.{blank}")
    assert blank in str(title)
    too_long = replace(results.ratio_map(60.0, 1e-5), is_too_long=np.arange(results.RATES.size) < 2)
    assert text.map_subtitle(training, too_long).endswith(" Blank: more than 1e6 steps.")


def test_the_map_has_rdp_above_and_the_clt_mostly_below_the_exact_value():
    ratios = results.ratio_map(60.0, 1e-5)
    assert np.nanmin(ratios.rdp) >= 1
    assert np.nanmin(ratios.clt) < 0.95
    assert np.nanmax(ratios.clt) > 1  # little noise, or rates near 1
    strokes = figure_of(section.map_chart(result_of(training_view="map"), LIGHT))["data"][1]
    rate, noise = (strokes[axis].astype(float)[5::25] for axis in "xy")
    steps = np.ceil(60 / rate)
    clt, exact = (dp_sgd_epsilon(1e-5, noise, rate, steps, name) for name in ("clt", "exact"))
    assert (clt < exact).all()
    assert 50 < len(strokes["x"]) < 17 * 29


def test_a_pinned_setting_is_compared_and_drawn_behind():
    result = result_of(pinned="epsilon=1&delta=1e-5&noise_multiplier=1.3")
    third = answer_text(result)[2]
    assert third.startswith("Compared with the pin: ε 1.")
    assert third.endswith("→ 2.382, noise 1.3 → 1.1.")
    assert lead_figure(result)["data"][0]["name"] == "pinned"
    solved = result_of(solve="steps", epsilon="2", pinned="epsilon=1&delta=1e-6&solve=epsilon")
    assert "steps 14,063 → " in answer_text(solved)[2]
    assert "δ 1e-6 → 1e-5" in answer_text(solved)[2]


def test_a_batch_that_does_not_divide_n_is_warned_of():
    sentence = text.traps_text(result_of().training)
    assert "1 ÷ 235 = 0.004255 is smaller; an ε computed for it is too small if records are drawn with q." in sentence
    assert "for it, enter the batch 255.4." in sentence
    training, drawn_with = result_of().training, result_of(batch="255.4").training
    assert results.exact_epsilons(1.1, 1 / 235, 60 * 235, 1e-5) < drawn_with.exact < training.exact
    assert "len(loader)" not in text.traps_text(result_of(batch="250").training)


def test_the_certified_value_is_used_if_the_integral_does_not_converge():
    result = result_of(delta="1e-9", noise_multiplier="0.3", records="1e6", batch="1", epochs="1e-5")
    training = result.training
    assert training.steps == 10
    assert np.isnan(training.exact)
    table, chart = section.accounts_table(result, LIGHT), section.epochs_chart(result, LIGHT)
    assert "not available: not precise enough here" in html_of(table)
    assert "÷ certified" in html_of(table)
    assert "÷ exact" not in html_of(table)
    reason = "A certified upper bound is shown: the exact integral is not precise enough here."
    assert reason in chart.alternative
    assert reason in figure_of(chart)["layout"]["title"]["subtitle"]["text"]
    assert " exactly" not in chart.alternative
    expect_complete(chart)


def test_the_clt_is_not_called_too_small_without_an_exact_integral(monkeypatch):
    result = result_of(delta="1e-5", noise_multiplier="1.1357")  # which no other test draws: curves are kept
    training = result.training
    assert training.clt < training.exact < training.epsilon
    assert "too small" in section.account_rows(training)[3][2]
    monkeypatch.setitem(vars(training), "exact", float("nan"))
    monkeypatch.setattr(results, "exact_epsilons", lambda noise, rate, steps, delta: np.full(np.shape(steps), np.nan))
    assert section.account_rows(training)[3][2] == "not a bound; whether it is too small here is not known"
    names = [trace["name"] for trace in lead_figure(result)["data"]]
    assert not any("too small" in name for name in names if name)


def test_the_table_says_that_the_clt_has_no_value_for_too_little_noise():
    result = result_of(noise_multiplier="0.05", epochs="1")
    assert "not available for so little noise" in html_of(section.accounts_table(result, LIGHT))
    less = result_of(noise_multiplier="0.04", epochs="1")
    assert "not available: takes too long for so little noise" in html_of(section.accounts_table(less, LIGHT))
    assert "for so little noise the exact integral takes too long" in section.accounts_table(less, LIGHT).alternative
    expect_complete(section.epochs_chart(result, LIGHT))


def test_a_batch_above_n_and_too_many_steps_are_corrected_with_a_sentence():
    readings, _ = read_link("composition", section="training", records="100", batch="256", epochs="1e9")
    assert readings["batch"].used == "100"
    assert "batch must be at most N, 100; 256 was given. 100 is used instead." in readings["batch"].problem
    assert readings["epochs"].used == "1e6"
    assert "for at most 1,000,000 steps" in readings["epochs"].problem


def test_the_noise_over_the_batch_below_one_epoch_is_computed_by_rdp_only():
    result = result_of(training_view="batch", epochs="0.5")
    assert "Only RDP is available here." in lead_figure(result)["layout"]["title"]["subtitle"]["text"]
    assert np.isnan(results.batch_curves(result.training)["exact"]).all()


def test_the_explanation_has_the_users_numbers():
    sentence = explanation_text(result_of())
    assert r"z=1.1,\quad q=0.004267,\quad T=14{,}063" in sentence
    assert r"\varepsilon\le2.382" in sentence


def test_k_runs_cost_at_most_what_k_times_as_many_steps_cost():
    sentence = text.traps_text(result_of().training)
    assert "ten equal runs cost at most as much as ten times the steps" in sentence
    assert "the batch is the effective one, of all these passes together" in sentence
    assert "The unit of privacy is the record" in sentence


def test_the_noise_over_the_batch_ends_where_its_search_would_take_long():
    training = results.Training(60_000, 256, 60, 1.0, 1, 1e-6, "noise", 1e5)
    exact = results.batch_curves(training)["exact"]
    assert np.flatnonzero(np.isfinite(exact)).tolist() == [exact.size - 1]
    assert exact[-1] < results.MIN_EXACT_NOISE
