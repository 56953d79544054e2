"""The cards of the start page: each opens its page at the setting of the start page, and says what is said there."""

import re
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from dpcore import accuracy, composition, gaussian, tables
from dpcore.sensitivity import table_sensitivity
from pages.framework.parameters.number_format import without_markdown
from pages.shared import looks
from pages.shared.shared_parameters import SharedSetting
from pages.start import cards
from tests.pages.conftest import (
    charts_of,
    enter,
    expect_complete,
    figure_of,
    found_by,
    open_page,
    read_link,
    text_of,
    topic_named,
)

PLAIN = SharedSetting(1.0, 1e-6, 1.0, 0.05)
SETTINGS = (PLAIN, SharedSetting(0.3, 1e-5, 5.0, 0.1), SharedSetting(7.5, 1e-9, 0.01, 0.32))
ENDS = (
    SharedSetting(0.0, 1e-3, 1.0, 0.05),
    SharedSetting(1e6, 1e-300, 1e-100, 0.5),
    SharedSetting(1e-12, 0.9999, 1e100, 0.999),
    SharedSetting(50.0, 0.5, 1e-100, 1e-300),
)
CARDS = (*cards.PUBLISHED, *cards.PRIVATE_ENOUGH)
TOPICS = ("accuracy", "tables", "plan", "median", "series", "survey", "composition", "meaning", "together")
PAGES_OF_CARDS = {"together": "composition"}


@cache
def cards_at(setting, scheme="light"):
    return {topic: card(setting, looks.COLOURS[scheme]) for topic, card in zip(TOPICS, CARDS, strict=True)}


def answer_behind(topic, setting):
    """Return the answer of the page that a card opens."""
    link = dict(parse_qsl(urlsplit(cards_at(setting)[topic].link).query))
    page = str(PAGES_OF_CARDS.get(topic, topic))
    return without_markdown(" ".join(topic_named(page).answer_text(found_by(page, **link))))


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


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("topic", TOPICS[:-1])
def test_the_picture_of_a_card_says_the_answer_of_the_page_behind_it(topic, setting):
    card = cards_at(setting)[topic]
    assert card.picture.alternative.endswith(answer_behind(topic, setting).split(". ")[0].removesuffix(".") + ".") or (
        answer_behind(topic, setting).startswith(card.picture.alternative.partition(". ")[2])
    )


def miss_probability(setting, half_width):
    """The probability of an error beyond ±: of a count with geometric noise, of another number with Laplace noise."""
    rate = setting.epsilon / setting.l2_sensitivity
    is_count = setting.l2_sensitivity == 1
    return 2 * np.exp(-rate * (half_width + 1)) / (1 + np.exp(-rate)) if is_count else np.exp(-rate * half_width)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_numbers_of_the_cards_are_right_and_on_the_safe_side(setting):
    sentence = {topic: card.picture.alternative for topic, card in cards_at(setting).items()}
    half_width = first_number("within ±", sentence["accuracy"])
    less = half_width - 1 if setting.l2_sensitivity == 1 else half_width * 0.998
    assert miss_probability(setting, half_width) <= setting.significance < miss_probability(setting, less)
    believed = first_number("becomes at most ", sentence["meaning"]) / 100
    ratio = 0.1 / 0.9 * np.exp(setting.epsilon)
    assert ratio / (1 + ratio) * (1 - 1e-12) <= believed <= ratio / (1 + ratio) * 1.01
    sigma = gaussian.analytic_sigma(setting.epsilon, setting.delta)
    year = first_number(", to ", sentence["together"])
    assert gaussian.delta_from_sigma(year, sigma / np.sqrt(52)) <= setting.delta
    assert gaussian.delta_from_sigma(year * 0.998, sigma / np.sqrt(52)) > setting.delta
    person = table_sensitivity(1, n_cells=64)
    noises = tables.mechanisms(setting.epsilon, setting.delta, person)
    together = float(accuracy.each_significance(setting.significance, 64))
    (geometric,) = (mechanism for mechanism in noises if mechanism.key == "geometric")
    assert first_number("All 64 cells are within ±", sentence["tables"]) == geometric.half_width(together)
    spent = first_number("cost ε = ", sentence["composition"])
    training = [composition.sampled_release(1.1, 256 / 60000, 14063)]
    assert composition.exact_epsilon(training, setting.delta).value <= spent
    assert spent <= composition.certified_epsilon(training, setting.delta).value
    assert "if the batches are Poisson" in sentence["composition"]


@pytest.mark.parametrize("setting", [*SETTINGS, *ENDS])
def test_every_card_has_a_whole_small_picture_and_a_sentence_at_every_setting(setting):
    for card in cards_at(setting, "dark").values():
        expect_complete(card.picture)
        assert figure_of(card.picture)["layout"]["height"] < 160
        assert len(figure_of(card.picture)["data"]) <= 4
        assert card.answer[-1] == "?"
        assert "nan" not in card.answer


def test_the_pictures_of_the_start_page_follow_epsilon():
    app = open_page()
    before = charts_of(app)
    names = (
        "card_error",
        "card_table",
        "card_several",
        "card_median",
        "card_series",
        "card_survey",
        "card_dp_sgd",
        "card_meaning",
        "card_together",
    )
    assert list(before) == ["first_look", *names]
    after = charts_of(enter(app, "epsilon", "0.5"))
    changed = {name for name in before if repr(before[name]["figure"]) != repr(after[name]["figure"])}
    assert changed == before.keys()


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_training_of_a_card_lies_on_the_line_of_its_picture(setting):
    curve, point = figure_of(cards_at(setting)["composition"].picture)["data"]
    (epochs,), (epsilon,) = point["x"], point["y"]
    assert np.interp(epochs, curve["x"], curve["y"]) == pytest.approx(epsilon, rel=0.01)


def test_the_steps_of_several_statistics_end_at_the_total_beside_the_epsilon_of_the_page():
    for epsilon in (0.1, 1.5, 1.9, 40.0):
        picture = cards_at(SharedSetting(epsilon, 1e-6, 1.0, 0.05))["plan"].picture
        steps, total = figure_of(picture)["data"]
        (whole,) = total["y"]
        assert steps["base"][0] == 0
        assert np.allclose(steps["base"][1:], (steps["base"] + steps["y"])[:-1], 1e-6)
        assert steps["base"][-1] + steps["y"][-1] == pytest.approx(whole, rel=1e-6)
        assert f"ε = {whole:.4g}" in picture.alternative
        layout = figure_of(picture)["layout"]
        (note,) = layout["annotations"]
        assert note["text"].removeprefix("↑ ") == f"your ε = {epsilon:g}"
        assert [shape["y0"] for shape in layout["shapes"]] == ([epsilon] if epsilon < 3 else [])


def test_the_first_page_has_few_words_and_numbers():
    app = open_page()
    text = text_of(app)
    assert len(re.findall(r"[A-Za-zΑ-ω’]+", text)) <= 350
    assert len(re.findall(r"\d[\d.,e-]*", text)) <= 20
