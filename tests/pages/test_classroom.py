"""The demonstrations: every step opens, every number of its sentence is right, every question has one right answer."""

import json
import math
import re
from functools import cache
from html import unescape
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

import mpmath
import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.linalg import toeplitz
from scipy.optimize import brentq

from dpcore import composition, gaussian
from pages.export import exhibits_of
from pages.framework import link
from pages.framework.classroom import demonstrations
from pages.framework.classroom.demonstrations import step_description
from pages.framework.link import steps_by_name
from pages.framework.site import site
from pages.series.page import PAGE
from pages.shared.classroom.publishing import NOISY_MONTHS
from pages.shared.site_map import SERIES
from pages.start import page as start_page
from tests.pages.conftest import ask, enter, found_by, link_of, open_page, parts_of, read_link, stage_of, topic_named
from tests.pages.drawn_days import above_all, day_error
from tests.pages.drawn_votes import belief, class_error, survey_error, surveyed

NORMAL, QUANTILE = mpmath.ncdf, lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(p) - 1)
EACH = pytest.mark.parametrize("name", steps_by_name())


def classical(epsilon, delta="1e-5"):
    return mpmath.sqrt(2 * mpmath.log(mpmath.mpf("1.25") / mpmath.mpf(delta))) / epsilon


def true_delta(epsilon, sigma):
    """Balle and Wang's Theorem 8."""
    half, shift = 1 / (2 * sigma), epsilon * sigma
    return NORMAL(half - shift) - mpmath.exp(epsilon) * NORMAL(-half - shift)


def needed(epsilon, delta="1e-5"):
    near = float(gaussian.analytic_sigma(epsilon, float(delta)))
    return mpmath.findroot(lambda sigma: mpmath.log(true_delta(epsilon, sigma)) - mpmath.log(delta), near)


def limit():
    return mpmath.findroot(lambda epsilon: mpmath.log(true_delta(epsilon, classical(epsilon))) + 5 * mpmath.log(10), 8)


def guaranteed(epsilon):
    e, alpha, delta = mpmath.exp(epsilon), mpmath.mpf("0.05"), mpmath.mpf("1e-6")
    return min(e * alpha + delta, 1 - (1 - delta - alpha) / e)


def with_noise(epsilon):
    return NORMAL(1 / needed(epsilon, "1e-6") + QUANTILE("0.05"))


def sure(prior):
    caught, alarms = prior * guaranteed(1), (1 - prior) * mpmath.mpf("0.05")
    return caught / (caught + alarms)


def proved():
    """Return both errors at most so, each with 97.5 % confidence (Clopper and Pearson), then (1 − δ − β)/α."""
    alarms, misses = (stats.beta.ppf(0.975, errors + 1, 1000 - errors) for errors in (50, 700))
    return math.log((1 - 1e-6 - misses) / alarms)


def together(count):
    """Return the ε of composed Laplace noise, held against its certified bound, which is another computation."""
    release = [composition.laplace_release(0.1, count)]
    exact, bound = composition.exact_epsilon(release, 1e-6).value, composition.certified_epsilon(release, 1e-6).value
    assert exact <= bound <= exact * (1 + 1e-3)
    return exact


@cache
def caught(count):
    """Return the trade-off of composed Laplace noise from its privacy profile:
    max over ε of 1 − δ(ε) − e^ε β, exchanged.
    """
    release = [composition.laplace_release(0.1, count)]
    if count == 1:
        return mpmath.exp(mpmath.mpf("0.1")) / 20
    epsilons = [index / 40 for index in range(40, 120)]
    deltas = [float(composition.exact_delta(release, loss).value) for loss in epsilons]
    return min(delta + math.exp(epsilon) * 0.05 for epsilon, delta in zip(epsilons, deltas, strict=True))


@cache
def running_total(method, n=36, most=1):
    """Return the largest ± of a running total, from the matrices: R of the method, and the first columns of it."""
    sums = np.tril(np.ones((n, n)))
    steps = np.arange(1, n)
    root = toeplitz(np.cumprod(np.append(1.0, (2 * steps - 1) / (2 * steps))), np.zeros(n))
    r = np.eye(n) if method == "months" else root / np.sqrt((root**2).sum(axis=0))
    length = np.sqrt(((sums @ np.linalg.inv(r)) ** 2).sum(axis=1)).max()
    moved = np.sqrt((r[:, :most].sum(axis=1) ** 2).sum())
    return needed(1) * float(length * moved) * -QUANTILE("0.025")


@cache
def laplace_sum(n):
    """Return the ± of the sum of n Laplace variables, the difference of two gamma variables."""

    def tail(t):
        beyond, _ = quad(lambda x: stats.gamma.pdf(x, n) * stats.gamma.sf(t + x, n), 0, 12 * n + 60)
        return 2 * beyond

    return brentq(lambda t: tail(t) - 0.05, 0.1, 20 * n)


def three_years():
    sigma = needed(1) / mpmath.sqrt(3)
    return mpmath.findroot(lambda epsilon: mpmath.log(true_delta(epsilon, sigma)) + 5 * mpmath.log(10), 1.8)


NUMBERS = {  # of each sentence: those that are computed, in order, and the side to which they are rounded
    "classical-1": lambda: [
        (classical(0.5), 1),
        (100 * ((classical(0.5) / needed(0.5)) ** 2 - 1), 0),
        (needed(0.5), 1),
    ],
    "classical-2": lambda: [(classical(3), 1), (true_delta(3, classical(3)), 1)],
    "classical-3": lambda: [
        (classical(10), 1),
        (true_delta(10, classical(10)), 1),
        (true_delta(10, classical(10)) * 100000, 0),
    ],
    "classical-4": lambda: [
        (limit(), -1),
        (limit(), 1),
        (mpmath.mpf("1e-5"), 1),
        (true_delta(mpmath.mpf("8.42"), classical(mpmath.mpf("8.42"))), 1),
    ],
    "classical-5": lambda: [
        (needed(100), 1),
        (classical(100), 1),
        (needed(10**6) / classical(10**6), -1),
    ],
    "classical-6": lambda: [(needed(10), 1), (mpmath.mpf("1e-5"), 1)],
    "attacker-1": lambda: [(100 * guaranteed(1), 1)],
    "attacker-2": lambda: [(100 * sure(0.5), 1), (guaranteed(1) * 20, 1), (mpmath.e + 1, 1)],
    "attacker-3": lambda: [(100 * sure(mpmath.mpf("0.01")), 1)],
    "attacker-4": lambda: [(100 * with_noise(1), 1), (100 * guaranteed(1), 1)],
    "attacker-5": lambda: [(100 * guaranteed(3), 1), (100 * with_noise(3), 1)],
    "attacker-6": lambda: [(proved(), -1)],
    "adding-1": lambda: [(mpmath.mpf(10), 0), (mpmath.exp(mpmath.mpf("0.1")), 0)],
    "adding-2": lambda: [(together(10), 1), (mpmath.mpf(1), 1)],
    "adding-3": lambda: [(together(100), 1), (mpmath.mpf(10), 1)],
    "adding-4": lambda: [(together(365), 1), (mpmath.mpf("36.5"), 1)],
    "adding-5": lambda: [(100 * caught(365), 1), (100 * caught(1), 1)],
    "adding-6": lambda: [
        *((mpmath.sqrt(count) * needed(1, "1e-6") * QUANTILE("0.975"), 1) for count in (365, 1)),
        (365 * mpmath.log(20), 1),
    ],
    "months-1": lambda: [(running_total("months", 1), 1)],
    "months-2": lambda: [(running_total("months"), 1)],
    "months-3": lambda: [(running_total("root"), 1)],
    "months-4": lambda: [(running_total("months", most=18), 1), (running_total("root", most=18), 1)],
    "months-5": lambda: [(three_years(), 1)],
    "months-6": lambda: [(laplace_sum(12), 1), (running_total("root", 12), 1)],
    "maximum-1": lambda: [(day_error(0.5), 1)],
    "maximum-2": lambda: [(day_error(0.9), 1)],
    "maximum-3": lambda: [(day_error(1.0), 1), (100 * above_all(), 1)],
    "maximum-4": lambda: [(100 * above_all(10), 1)],
    "maximum-5": lambda: [(day_error(1.0, 1, 3000), 1), (100 * above_all(1, 3000), 1)],
    "maximum-6": lambda: [(day_error(0.99, 1, 600, 20_000), 1)],
    "response-1": lambda: [(100 * belief(1), -1)],  # of telling the truth: not past the guarantee
    "response-2": lambda: [(100 * belief(1, 0.1), 1)],
    "response-3": lambda: [(100 * class_error(360, 1), 1)],
    "response-4": lambda: [(surveyed(), 1), (surveyed() / 360, 0)],
    "response-5": lambda: [(100 * math.log(20) / surveyed(), 1), (100 * survey_error(surveyed()), 1)],
    "response-6": lambda: [(100 * belief(8, 0.1), 1), (100 * class_error(360, 8), 1)],
}
GIVEN = {
    "0.5",
    "3",
    "1e-5",
    "1e-6",
    "5",
    "95",
    "1",
    "2",
    "1.25",
    "0.1",
    "365",
    "100",
    "2018",
    "2000",  # the trials of the attack
    "4",
    "10",
    "36",  # months
    "1e6",  # the largest ε
    "360",  # the students
    *("0", "30", "90", "99", "200", "600"),  # the people, days and percentiles of the maximum
}  # of the settings


def said_numbers(sentence):
    """Return the numbers of a sentence but for those of the setting, without the formula."""
    plain = re.sub(r"√\([^=]*Δ₂/ε,|Δ₂/√\(2ε\)|√365", "", sentence)
    stage = re.findall(r"(?<![\w.])\d[\d,.]*(?:e-?\d+)?", plain)
    return [part.rstrip(".,").replace(",", "") for part in stage]


@EACH
def test_every_number_of_a_step_is_recomputed_by_another_path_and_rounded_to_its_safe_side(name):
    numbers = said_numbers(step_description(name)["text"])
    expected = NUMBERS[name]()
    remaining = list(numbers)
    for value, side in expected:
        fitting = [count for count in remaining if abs(float(count) / float(value) - 1) <= (5e-3 if side else 0.05)]
        assert fitting, (name, float(value), numbers)
        number = float(fitting[0])
        remaining.remove(fitting[0])
        assert side == 0 or (number - float(value)) * side >= -1e-9 * float(value), (name, number, float(value))
    assert set(remaining) <= GIVEN, (name, remaining)


VALUES = {  # that answer the question which stands at a step
    "classical-1": lambda: true_delta(3, classical(3)),
    "classical-2": lambda: true_delta(10, classical(10)),
    "classical-3": limit,
    "classical-4": lambda: needed(10**6) / classical(10**6),
    "classical-5": lambda: needed(10),
    "attacker-1": lambda: sure(0.5),
    "attacker-2": lambda: sure(mpmath.mpf("0.01")),
    "attacker-3": lambda: with_noise(1),
    "attacker-4": lambda: guaranteed(3),
    "attacker-5": proved,
    "adding-1": lambda: together(10),
    "adding-2": lambda: together(100),
    "adding-3": lambda: together(365) / together(100),
    "adding-4": lambda: caught(365),
    "adding-5": lambda: mpmath.sqrt(365),
    "months-1": lambda: 6,
    "months-2": lambda: running_total("root") / running_total("months"),
    "months-3": lambda: running_total("root", most=18) / running_total("months", most=18),
    "months-4": three_years,
    "months-5": lambda: laplace_sum(12) / running_total("root", 12),
    "maximum-1": lambda: day_error(0.9),
    "maximum-2": lambda: day_error(1.0),
    "maximum-3": lambda: above_all(10),
    "maximum-4": lambda: day_error(1.0, 1, 3000),
    "maximum-5": lambda: day_error(0.99, 1, 600, 20_000),
    "response-1": lambda: belief(1, 0.1),
    "response-2": lambda: class_error(360, 1),
    "response-3": surveyed,
    "response-4": lambda: math.log(20) / surveyed(),
    "response-5": lambda: belief(8, 0.1),
}


def test_every_step_but_the_last_asks_what_the_next_one_reveals():
    for demonstration in site().demonstrations:
        assert 5 <= len(demonstration.steps) <= 7
        pictures = [(step.page, step.entries, step.hidden, step.picture) for step in demonstration.steps]
        assert all(picture != following for picture, following in pairwise(pictures))
    assert {name for name, step in steps_by_name().items() if step.told()[1]} == VALUES.keys()
    lasts = {f"{demonstration.key}-{len(demonstration.steps)}" for demonstration in site().demonstrations}
    assert steps_by_name().keys() - VALUES.keys() == lasts


@pytest.mark.parametrize("name", VALUES)
def test_a_question_has_exactly_one_right_answer_which_another_computation_finds_too(name):
    quiz, value = steps_by_name()[name].told()[1], float(VALUES[name]())
    assert quiz is not None
    assert quiz.value == pytest.approx(value, rel=1e-3)
    assert 2 <= len(quiz.choices) <= 4
    (right,) = (place for place, (_, low, high) in enumerate(quiz.choices) if low < value <= high)
    assert quiz.right == right
    ranges = sorted((low, high) for _, low, high in quiz.choices)
    assert all(high <= next_low for (_, high), (next_low, _) in pairwise(ranges))
    assert len({words for words, _, _ in quiz.choices}) == len(quiz.choices)


@EACH
def test_the_link_of_a_step_opens_its_page_and_section_without_a_notice(name):
    step, address = steps_by_name()[name], urlsplit(demonstrations.address(name))
    topic = topic_named(step.page.topic)
    assert address.path == f"./{step.page.path}"
    every = topic.all_parameters
    entries = {key: [entry] for key, entry in dict(parse_qsl(address.query)).items()}
    completed = link.with_demo_defaults(entries, step.page.path, every)
    readings, problems = read_link(step.page.topic, **completed)
    assert problems == []
    assert not any(reading.problem for reading in readings.values())
    for parameter in every:
        expected = name if parameter.key == "demo" else step.entries.get(parameter.key, parameter.default)
        assert readings[parameter.key].used == expected
    section = readings["section"].value if "section" in readings else next(iter(topic.section_by_key))
    assert topic.section_by_key[section].is_available(topic.compute(link.values(readings)))


@EACH
def test_the_numbers_of_a_step_stand_on_its_page_too(name):
    """In its answer or in the words of the open section, but for what the sentence compares it with."""
    step = steps_by_name()[name]
    app = open_page(step.page.script, demo=name)
    page = stage_of(app)
    assert page["demo"]["text"].startswith("<p>")
    html = " ".join([*page["answer"], *(part.get("html", "") + part.get("subtitle", "") for part in parts_of(app))])
    html = re.sub(r"(?<=\d),(?=\d{3})", "", html)
    numbers = set(said_numbers(step_description(name)["text"])) - GIVEN
    expected = {"classical-2": 0, "classical-5": 2, "adding-1": 0, "adding-6": 0, "maximum-1": 0}.get(name, 1)
    assert sum(f"{number}" in unescape(re.sub("<[^>]*>", "", html)) for number in numbers) >= expected
    assert page["demo"]["moved"] is False
    assert page["demo"]["links"][page["demo"]["place"] - 1] == demonstrations.address(name)


def test_a_step_stands_in_the_address_until_it_is_left_and_says_when_a_parameter_was_moved():
    app = open_page("pages/1_Gaussian_bounds.py", demo="classical-3")
    assert (link_of(app)["demo"], link_of(app)["epsilon"], link_of(app)["view"]) == ("classical-3", "10", "profile")
    moved = stage_of(enter(app, "epsilon", "2"))["demo"]
    assert (moved["moved"], moved["place"], moved["title"]) == (True, 3, "Why the classical bound fails")
    back = stage_of(ask(app, link="?demo=classical-3"))
    assert (back["demo"]["moved"], "epsilon=10&" in back["link"]) == (False, True)
    left = enter(app, "demo", "none")
    assert stage_of(left)["demo"] is None
    assert ("demo" in link_of(left), link_of(left)["epsilon"]) == (False, "10")


def test_going_back_to_an_address_without_a_step_leaves_the_demonstration():
    app = open_page("pages/1_Gaussian_bounds.py", demo="classical-1")
    assert stage_of(ask(app, link="?epsilon=2"))["demo"] is None


def test_a_link_wins_over_what_its_step_says_and_an_unknown_step_has_a_sentence():
    app = open_page("pages/1_Gaussian_bounds.py", demo="classical-3", epsilon="4", present="on")
    assert (link_of(app)["epsilon"], link_of(app)["delta"], link_of(app)["present"]) == ("4", "1e-5", "on")
    assert stage_of(app)["demo"]["moved"] is True
    wrong = stage_of(open_page("pages/1_Gaussian_bounds.py", demo="classical-9"))
    assert wrong["demo"] is None
    assert wrong["notices"] == [
        "demonstration must be none or the step of a demonstration, such as classical-3; classical-9 was given. "
        "none is used instead."
    ]


def test_the_step_of_another_page_leads_back_to_it_and_sets_nothing():
    stage = stage_of(open_page("pages/5_Accuracy.py", demo="classical-3"))
    assert (stage["demo"]["moved"], stage["demo"]["links"][2]) == (True, "./Gaussian_bounds?demo=classical-3")
    assert "epsilon=1&" in stage["link"]


def test_the_exhibits_of_a_step_are_exported_from_its_short_link():
    stage, full, problems = exhibits_of("http://127.0.0.1:8501/Gaussian_bounds?demo=classical-3")
    assert problems == []
    assert "epsilon=10&delta=1e-5" in full
    assert stage[0].header["epsilon"] == "10.0"


def test_the_classroom_offers_every_demonstration_and_keeps_its_answers_in_the_script():
    html = "".join(
        part.get("html", "") + json.dumps(part.get("cards", "")) for part in parts_of(open_page(section="class"))
    )
    addresses = {demonstrations.address(f"{demonstration.key}-1") for demonstration in site().demonstrations}
    assert set(re.findall(r'href=\\?"([^"&\\]*demo=[^"&\\]*)', html)) == addresses
    script = start_page.script_text(found_by("start", section="class"))
    for name in steps_by_name():
        record = demonstrations.step_description(name)
        assert f"({demonstrations.address(name)}): " in script
        assert record["text"] in script
        assert record["text"] not in html


@pytest.mark.parametrize("name", VALUES)
def test_phones_can_be_asked_each_question_with_its_options(name):
    quiz = step_description(name)["quiz"]
    address = urlsplit(quiz["room"])
    assert address.path.endswith("Ask_the_class")
    readings, problems = read_link("live_class", **dict(parse_qsl(address.query)))
    assert not problems
    assert readings["ask_question"].value == quiz["question"]
    assert readings["ask_options"].value == tuple(quiz["choices"])


def test_a_comma_within_an_option_reaches_the_phones_as_it_is():
    options = ("Yes, since noise is fresh", "1,5", "No")
    link = urlsplit(site().room_link("How many?", options))
    assert read_link("live_class", **dict(parse_qsl(link.query)))[0]["ask_options"].value == options


def test_no_step_on_noisy_months_before_the_last_tells_that_laplace_can_be_better():
    steps = [step for step in NOISY_MONTHS.steps[2:] if step.page == SERIES]
    told = [" ".join(PAGE.answer_text(found_by("series", **step.entries))) for step in steps]
    assert ["Laplace" in words for words in told] == [False, False, True]
