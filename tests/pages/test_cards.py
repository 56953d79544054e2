"""The cards of the start page: each opens its page at the setting of the start page, and says what is said there."""

import re
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dpcore import accuracy, composition, gaussian, tables
from dpcore.sensitivity import table_sensitivity
from pages.shared import looks, site_map
from pages.shared.shared_parameters import SharedSetting
from pages.start import cards
from tests.pages.conftest import charts_of, enter, expect_complete, figure_of, open_page, read_link, stage_of, text_of

PLAIN = SharedSetting(1.0, 1e-6, 1.0, 0.05)
SETTINGS = (PLAIN, SharedSetting(0.3, 1e-5, 5.0, 0.1), SharedSetting(7.5, 1e-9, 0.01, 0.32))
ENDS = (
    SharedSetting(0.0, 1e-3, 1.0, 0.05),
    SharedSetting(1e6, 1e-300, 1e-100, 0.5),
    SharedSetting(1e-12, 0.9999, 1e100, 0.999),
    SharedSetting(50.0, 0.5, 1e-100, 1e-300),
)
TOPICS = ("gaussian_bounds", "accuracy", "tradeoff", "risk", "tables", "composition")
PAGES_OF_CARDS = {"risk": "tradeoff"}


@cache
def cards_at(setting, scheme="light"):
    return {topic: card(setting, looks.COLOURS[scheme]) for topic, card in zip(TOPICS, cards.CARDS, strict=True)}


def first_number(before, sentence):
    return float(re.findall(rf"{before}([0-9.,e-]*[0-9])", sentence)[0].replace(",", ""))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("topic", TOPICS)
def test_a_card_opens_its_page_at_the_setting_of_the_start_page(topic, setting):
    link = dict(parse_qsl(urlsplit(cards_at(setting)[topic].link).query))
    readings, problems = read_link(str(PAGES_OF_CARDS.get(topic, topic)), **link)
    assert problems == []
    assert not any(reading.problem for reading in readings.values())
    assert {key: readings[key].value for key in ("epsilon", "delta", "l2_sensitivity", "significance")} == vars(setting)
    suggested = {"accuracy"} if topic == "accuracy" else set()  # it follows the sensitivity
    assert {key: readings[key].used for key in link.keys() - suggested} == {
        key: link[key] for key in link.keys() - suggested
    }


@pytest.mark.parametrize("topic", TOPICS)
def test_the_page_behind_a_card_answers_with_the_sentence_of_the_card(topic):
    card = cards_at(SETTINGS[1])[topic]
    page = urlsplit(card.link)
    (script,) = (entry for entry in site_map.PAGES if entry.path == page.path.removeprefix("./"))
    app = open_page(script.script, **dict(parse_qsl(page.query)))
    (sentence,) = re.findall("<p>(.*?)</p>", stage_of(app)["answer"][0], re.DOTALL)
    assert card.answer.startswith(re.sub("<[^>]*>", "", sentence).replace("&amp;", "&"))


def miss_probability(setting, target, epsilon):
    """The probability of an error beyond ±: of a count with geometric noise, of another number with Laplace noise."""
    ratio = np.exp(-epsilon / setting.l2_sensitivity)
    return 2 * ratio ** (target + 1) / (1 + ratio) if setting.l2_sensitivity == 1 else ratio**target


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_numbers_of_the_cards_are_right_and_on_the_safe_side(setting):
    sentence = {topic: card.answer for topic, card in cards_at(setting).items()}
    sigma = first_number("requires σ = ", sentence["gaussian_bounds"])
    assert gaussian.delta_from_sigma(setting.epsilon, sigma, setting.l2_sensitivity) <= setting.delta
    assert gaussian.delta_from_sigma(setting.epsilon, sigma * 0.998, setting.l2_sensitivity) > setting.delta
    target, epsilon = (first_number(mark, sentence["accuracy"]) for mark in ("within ±", "requires ε = "))
    assert miss_probability(setting, target, epsilon) <= setting.significance
    assert miss_probability(setting, target, epsilon * 0.998) > setting.significance
    caught = 100 * ndtr(setting.l2_sensitivity / sigma + ndtri(0.05))  # Neyman and Pearson, of two normal distributions
    assert first_number("true positive rate is at most ", sentence["tradeoff"]) == pytest.approx(caught, rel=2e-3)
    noise = first_number("noise with [sb] = ", sentence["risk"])
    ratio = np.exp(setting.l2_sensitivity / noise)  # of the probabilities of the outcome that reveals most
    after = 0.1 * ratio / (0.1 * ratio + 0.9)
    assert after <= 0.2 * (1 + 1e-12)
    assert after > 0.1998
    person = table_sensitivity(1, n_cells=64)
    noises = tables.mechanisms(setting.epsilon, setting.delta, person)
    together = float(accuracy.each_significance(setting.significance, 64))
    (geometric,) = (mechanism for mechanism in noises if mechanism.key == "geometric")
    assert first_number(r"geometric noise \(±", sentence["tables"]) == geometric.half_width(together)
    spent = first_number("cost ε = ", sentence["composition"])
    training = [composition.sampled_release(1.1, 256 / 60000, 14063)]
    assert composition.exact_epsilon(training, setting.delta).value <= spent
    assert spent <= composition.certified_epsilon(training, setting.delta).value
    side = "within" if spent <= setting.epsilon else "above"
    assert f", if the batches are Poisson. That is {side} your ε = " in sentence["composition"]


@pytest.mark.parametrize("setting", [*SETTINGS, *ENDS])
def test_every_card_has_a_whole_small_picture_and_a_sentence_at_every_setting(setting):
    for card in cards_at(setting, "dark").values():
        expect_complete(card.picture)
        assert figure_of(card.picture)["layout"]["height"] < 130
        assert len(figure_of(card.picture)["data"]) <= 4
        assert card.answer[-1] == "."
        assert "nan" not in card.answer


def test_the_pictures_of_the_cards_follow_the_parameters_of_the_start_page():
    app = open_page()
    before = charts_of(app)
    names = ("noise", "error", "attacker", "acceptable_risk", "table", "dp_sgd")
    assert list(before) == [f"card_{name}" for name in names]
    after = charts_of(enter(app, "epsilon", "0.5"))
    changed = {name for name in before if repr(before[name]["figure"]) != repr(after[name]["figure"])}
    assert changed == before.keys() - {"card_error", "card_acceptable_risk"}
    assert repr(charts_of(enter(app, "l2_sensitivity", "2"))["card_error"]) != repr(after["card_error"])
    assert "An error within ±6 units in 95 of 100 releases" in text_of(app)
