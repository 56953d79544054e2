"""The page on surveys: every number of its sentences by dpcore, its proofs, its programs and its problems."""

import math
import re
from decimal import Decimal

import numpy as np
import pytest

from dpcore import local, verify
from pages.framework.layout import panels
from pages.framework.layout.section import Fold
from pages.shared.looks import COLOURS
from pages.shared.other_libraries import PYTHON
from pages.survey import page as survey_page
from pages.survey import text
from pages.survey.code import report_scores
from pages.survey.page import PAGE, trial_chart
from tests.pages.conftest import figure_of, found_by, html_of, read_link
from tests.pages.figure_checks import Setting
from tests.pages.survey.figure_checks import half_width, office, sampling
from tests.programs import at

LIGHT = COLOURS["light"]
LINKS = (
    {},
    {"epsilon": "2"},
    {"method": "optimized_unary", "n_people": "300", "epsilon": "0.1", "option_share": "0.5"},
    {"method": "hadamard", "n_options": "1000", "significance": "0.01", "wanted_points": "5"},
    {"method": "symmetric_unary", "n_options": "2", "epsilon": "6", "option_share": "1/3"},
    {"method": "randomized_response", "n_options": "1000000", "epsilon": "0.001", "wanted_points": "1e-4"},
    {"n_people": "10", "epsilon": "50", "option_share": "0"},
)


def number(text):
    """Return the number of a text as the page writes it."""
    return float(text.replace(",", ""))


def survey_of(link):
    readings, _ = read_link("survey", **link)
    return found_by("survey", **link), Setting(**{key: reading.value for key, reading in readings.items()})


def stated_people(second):
    """Return how many people a sentence says that the wanted error takes, about those who answer and a population."""
    (both,) = re.findall(r"takes (?:about )?([\d,]+|over 1e12) (?:people|person) \(a population: ([\d,]+|.*)\)", second)
    return both


def expect_up(stated, exact):
    """Check that a stated number is the exact one, rounded up to four digits."""
    assert exact * (1 - 1e-12) <= stated <= exact * 1.0011 + 1e-300


def used_method(setting):
    """Return the method of the answer."""
    if setting.method != "best":
        return setting.method
    sizes = {name: float(half_width(setting, setting.epsilon, setting.n_options, name)) for name in local.METHODS}
    return min(sizes, key=lambda name: sizes[name])


@pytest.mark.parametrize("link", LINKS)
def test_the_errors_of_the_answer_are_those_of_dpcore(link):
    result, setting = survey_of(link)
    first, second = PAGE.answer_text(result)
    method = used_method(setting)
    error = float(half_width(setting, setting.epsilon, setting.n_options, method))
    expect_up(number(re.findall(r"±([\d.,e-]+) percentage points", first)[0]), error)
    people, over = f"{setting.n_people:,.0f} people", f"over {setting.n_options:,.0f} options"
    assert (f"Among {people} who answer, {over}, a share" in first) == (error < 100)
    assert first.startswith(f"⚠ **Nothing is learnt** from {people}, {over}: a share") == (error >= 100)
    assert ("about" in first) == (setting.n_people < 1000)
    exactly = re.findall(r" \(exactly ±([\d.,e-]*\d)\)", second)
    known = setting.epsilon, setting.n_options, setting.n_people, method, setting.option_share, setting.significance
    if setting.n_people < 1000:
        expect_up(number(exactly[0]), 100 * float(local.exact_half_width(*known)))
    assert len(exactly) == (setting.n_people < 1000)
    (of_office,) = re.findall(r"a trusted office: ±([\d.,e-]*\d)", second)
    expect_up(number(of_office), float(office(setting, setting.epsilon)))
    known = int(setting.n_people), method, setting.option_share, setting.significance
    both = 100 * float(local.half_width(setting.epsilon, setting.n_options, *known, sampling=True))
    everybody = re.findall(r"\(a randomly sampled population: ±([\d.,e-]*\d)[,)]", second)
    assert len(everybody) == (error < 100)
    for stated_error in everybody:
        expect_up(number(stated_error), both)
    wanted = setting.wanted_points / 100, setting.epsilon, setting.n_options
    few, many = (float(local.least_people(*wanted, *known[1:], sampling=sampling)) for sampling in (False, True))
    for stated, needed in zip(stated_people(text.people_text(result)), (few, many), strict=True):
        assert needed > 1e12 if stated == "over 1e12" else number(stated) == needed


def test_fresh_reports_add_and_a_change_of_a_kept_one_is_not_said_to_be_private():
    words = text.repeated_text(survey_of({"epsilon": "0.3"})[0])
    assert "12 reports of one person have 12 times the ε, 3.6 in place of 0.3." in words
    assert "no ε bounds that" in words


def test_the_check_values_of_the_issue():
    result, _ = survey_of({"epsilon": "2"})
    first, second = PAGE.answer_text(result)
    assert "(ε = 2)" in first
    phones = result.sides["phones"]
    assert 100 * phones.population_error == pytest.approx(0.7120, abs=6e-5)
    assert result.error == result.answer_error == phones.error < phones.population_error
    assert "a trusted office: ±0.005992." in second
    assert second.startswith("By subset selection of 2, in 95 % of surveys")
    assert text.people_text(result) == "±1 takes 23,523 people (a population: 25,348)"


@pytest.mark.parametrize("curator", ["unknown", "office"])
@pytest.mark.parametrize("method", ["best", "randomized_response", "optimized_unary", "hadamard"])
def test_of_two_options_no_share_of_a_population_has_a_larger_error_than_is_stated(curator, method):
    given = {"n_options": "2", "n_people": "2000", "method": method, "curator": curator, "wanted_points": "6"}
    stated = {}
    for known in ("epsilon", "people", "accuracy"):
        result, setting = survey_of(given | {"known": known})
        side = result.at_any_share
        assert side is not None
        stated[known] = side
        d, n, epsilon = setting.n_options, int(result.setting.n_people), result.setting.epsilon
        shares = np.linspace(0, 1, 41)
        if curator == "office":
            errors = local.curator_population_half_width(epsilon, d, n, shares)
        else:
            errors = local.half_width(epsilon, d, n, result.method, shares, sampling=True)
        assert side.population_error == pytest.approx(np.max(errors), rel=2e-3)
        assert side.population_error >= np.max(errors) * (1 - 1e-12)
        links = [given | {"known": known, "option_share": str(f)} for f in (0.05, 0.5, 0.8, 1)]
        name = "wanted_population_epsilon" if known == "accuracy" else "population_people"
        assert getattr(side, name) >= max(getattr(survey_of(link)[0].sides[result.side], name) for link in links)
    second = PAGE.answer_text(survey_of(given)[0])[1]
    expect_up(
        number(re.findall(r"at any share at most ±([\d.]*\d)", second)[0]), 100 * stated["epsilon"].population_error
    )
    second = PAGE.answer_text(survey_of(given | {"known": "people"})[0])[1]
    assert f"at any share: {stated['people'].population_people:,.0f}" in second


def test_a_share_of_a_half_is_the_worst_of_two_options_and_needs_no_other_number():
    for curator in ("unknown", "office"):
        for known in ("epsilon", "people", "accuracy"):
            link = {"n_options": "2", "option_share": "0.5", "curator": curator, "known": known}
            assert "any share" not in PAGE.answer_text(survey_of(link)[0])[1]
    second = PAGE.answer_text(survey_of({"n_options": "2", "n_people": "2000"})[0])[1]
    assert "a randomly sampled population: ±4.313, at any share at most ±4.742" in second
    assert "any share" not in PAGE.answer_text(survey_of({"n_options": "3"})[0])[1]


@pytest.mark.parametrize("link", LINKS)
def test_the_table_has_every_way_and_enough_people_and_not_one_too_many(link):
    result, setting = survey_of(link)
    rows = {way: numbers for way, *numbers in result.ways.itertuples(index=False)}
    wanted, f, alpha = setting.wanted_points / 100, setting.option_share, setting.significance
    guarantee = setting.epsilon, setting.n_options
    for method in local.METHODS:
        exact = float(half_width(setting, setting.epsilon, setting.n_options, method))
        assert 100 * rows[method][0] == pytest.approx(exact)
        many = float(local.least_people(wanted, *guarantee, method, f, alpha, sampling=True))
        assert rows[method][1:] == [float(local.least_people(wanted, *guarantee, method, f, alpha)), many]
    errors = {
        "office": lambda n: float(local.curator_half_width(*guarantee, n, alpha)),
        "population": lambda n: float(local.curator_population_half_width(*guarantee, n, f, alpha)),
        "sampling": lambda n: sampling(setting) / 100 * np.sqrt(setting.n_people / n),
    }
    needed = {"office": rows["office"][1], "population": rows["office"][2], "sampling": rows["sampling"][2]}
    for way, error in errors.items():
        if needed[way] <= 1e12:
            assert error(needed[way]) <= wanted * (1 + 1e-12)
        if 1 < needed[way] <= 1e12:
            assert error(needed[way] - 1) > wanted * (1 - 1e-7)
    assert rows["sampling"][:2] == [0, 1]
    html = html_of(survey_page.ways(result, LIGHT))
    assert html.count("<tr>") == len(rows) + 1


def test_both_charts_have_a_handle_and_few_lines():
    for link in LINKS:
        result, setting = survey_of(link)
        for draw, key in ((survey_page.error_chart, "epsilon"), (survey_page.options_chart, "n_options")):
            figure = figure_of(draw(result, LIGHT))
            shapes = figure["layout"]["shapes"]
            assert [(shape["name"], shape["x0"]) for shape in shapes] == [(key, getattr(setting, key))]
            assert len(figure["data"]) == 5
            names = [trace["name"] for trace in figure["data"]]
            assert names.index("subset selection") < names.index("randomised response")  # whose dashes lie on it


def test_a_known_error_is_a_line_of_the_picture_which_sets_it():
    result, _ = survey_of({"known": "accuracy", "wanted_points": "2"})
    exhibit = survey_page.error_chart(result, LIGHT)
    assert exhibit.picks == ("", "wanted_points")
    shapes = figure_of(exhibit)["layout"]["shapes"]
    assert [shape["x0"] for shape in shapes[:1]] == [result.setting.epsilon]
    assert [(shape["y0"], shape["y1"]) for shape in shapes[1:]] == [(2, 2)]
    assert not any("name" in shape for shape in shapes)
    notes = [(note["text"], note["y"]) for note in figure_of(exhibit)["layout"]["annotations"] if "±" in note["text"]]
    assert notes == [("wanted: ±2", pytest.approx(math.log10(2)))]


@pytest.mark.parametrize("method", local.METHODS)
@pytest.mark.parametrize("epsilon", ["0.3", "1", "2.5"])
def test_a_report_is_proved_by_each_method_and_not_below_its_epsilon(method, epsilon):
    result, _ = survey_of({"method": method, "epsilon": epsilon, "n_options": "6"})
    (claim,) = PAGE.claims_of(result)
    (line,) = panels.proof_lines([claim], verify)
    assert line.startswith("✓")
    assert verify.choice_delta(**{**claim.arguments, "epsilon": 0.9 * float(epsilon)}).low > 0


@pytest.mark.parametrize("method", local.METHODS)
def test_the_scores_that_are_proved_have_the_probabilities_of_the_method(method):
    """The estimate by these reports has the ± of dpcore, by p and q of the first answer."""
    epsilon, d = 1.3, 6
    result, _ = survey_of({"method": method, "epsilon": str(epsilon), "n_options": str(d), "option_share": "1"})
    scores = report_scores(result)
    chances = [np.exp(epsilon * np.array(list(map(float, listed)))) for listed in scores]
    first, second = (weights / weights.sum() for weights in chances)
    counts = {"optimized_unary": [0, 0, 1, 1], "symmetric_unary": [0, 0, 1, 1], "hadamard": [1, 0]}
    for_first = np.array(counts.get(method, [float(score) for score in scores[0]]))
    p, q = float(first @ for_first), float(second @ for_first)
    q = 0.5 if method == "hadamard" else q  # of an entry at which the answers are equal or not, as often
    z = float(half_width(Setting(n_people=1, option_share=1, significance=0.05), epsilon, d, method)) / 100
    assert 1.9599639845400545 * np.sqrt(p * (1 - p)) / (p - q) == pytest.approx(z, rel=1e-9)


@pytest.mark.parametrize("link", [{"method": "randomized_response", "n_options": "1000"}, {"epsilon": "0.5"}])
def test_of_very_many_reports_those_are_proved_that_hold_one_of_two_answers(link):
    """Of d = 5 and w = 2, as many hold the first alone as the second, and the others have the same probability."""
    result, _ = survey_of(link)
    (claim,) = PAGE.claims_of(result)
    assert len(claim.arguments["scores"]) == 2
    assert next(iter(panels.proof_lines([claim], verify))).startswith("✓")
    result, _ = survey_of({"n_options": "5", "method": "subset_selection"})
    pairs = [*zip(*report_scores(result), strict=True)]
    one, none = Decimal(1), Decimal(0)
    assert pairs.count((one, none)) == pairs.count((none, one))


@pytest.mark.parametrize("method", ["best", *local.METHODS])
def test_the_survey_in_plain_python_estimates_the_share(method):
    result, _ = survey_of({"method": method, "epsilon": "3", "n_options": "5"})
    (survey,) = (snippet for snippet in PAGE.snippets_of(result) if snippet.library == PYTHON)
    names = {}
    exec(survey.code.replace("print(", "float("), names)
    estimates = [names["estimate"]([names["report"](answer) for answer in [0] * 300 + [1] * 700], 0) for _ in range(20)]
    deviation = float(local.half_width(3, 5, 1000, result.method, 0.3, 0.31731050786291415))
    assert abs(np.mean(estimates) - 0.3) < 5 * deviation / np.sqrt(20)
    assert 0.4 * deviation < np.std(estimates) < 1.9 * deviation


def test_too_many_options_have_no_program_of_plain_python():
    result, _ = survey_of({"n_options": "1001"})
    (survey,) = (snippet for snippet in PAGE.snippets_of(result) if snippet.library == PYTHON)
    assert survey.code == ""
    assert "at most 1,000" in survey.note


@pytest.mark.parametrize(
    ("link", "sentence", "used"),
    [
        ({"epsilon": "0"}, "ε must be from 0.001 to 50 for a survey; 0 was given. 1 is used", {"epsilon": 1}),
        ({"epsilon": "51"}, "51 was given.", {"epsilon": 1}),
        ({"n_people": "9"}, "must be a whole number from 10 to 1e9", {"n_people": 50000}),
        ({"n_options": "1"}, "must be a whole number from 2 to 1e6", {"n_options": 20}),
        ({"n_options": "2.5"}, "must be a whole number from 2 to 1e6", {"n_options": 20}),
        ({"option_share": "1.1"}, "f must be from 0 to 1", {"option_share": 0.05}),
        ({"wanted_points": "0"}, "wanted ± must be from 1e-4 to 100; 0 was given.", {"wanted_points": 1}),
        ({"wanted_error": "2"}, "wanted ± must be from 1e-4 to 100; 200 was given.", {"wanted_points": 1}),
        (
            {"known": "accuracy", "method": "optimized_unary", "wanted_points": "0.01"},
            "wanted ± must be at least 0.196 percentage points with so few people; 0.01 was given. 0.196 is used",
            {"wanted_points": 0.196, "known": "accuracy"},
        ),
        (
            {"known": "accuracy", "curator": "office", "n_people": "10", "wanted_points": "0.5"},
            "wanted ± must be at least 1.199 percentage points with so few people; 0.5 was given. 1.199 is used",
            {"wanted_points": 1.199},
        ),
        (
            {"known": "accuracy", "method": "optimized_unary", "n_people": "10", "significance": "1e-300"}
            | {"option_share": "1"},
            "1 was given. The error follows from ε instead.",
            {"known": "epsilon"},
        ),
        ({"option_share": "12"}, "12 was given: write 12 % if that is meant. 0.05 is used", {"option_share": 0.05}),
        ({"n_people": "2.000"}, "2.000 was given, which is 2: write 2000 if that is meant.", {"n_people": 50_000}),
        ({"method": "<b>"}, "method", {"method": "best"}),
    ],
)
def test_what_is_out_of_range_is_named_and_replaced(link, sentence, used):
    readings, unread = read_link("survey", **link)
    problems = " ".join([*unread, *(reading.problem for reading in readings.values() if reading.problem)])
    assert sentence in problems
    assert {key: readings[key].value for key in used} == used
    assert "±" in PAGE.answer_text(found_by("survey", **link))[0]


def test_whoever_adds_the_noise_has_an_answer_of_their_own():
    for curator, state in (("unknown", "assumed"), ("people", "confirmed"), ("office", "confirmed")):
        conditions = PAGE.conditions_of(found_by("survey", curator=curator))
        assert conditions
        assert next(item.state for item in conditions.items if item.parameter.key == "curator") == state
        assert conditions.refusal is None
    words = [item.words for item in conditions.items]
    assert "a trusted office adds the noise" in words
    assert "nothing else is asked of them" in words
    unlimited = PAGE.conditions_of(found_by("survey", curator="office", contribution="unlimited"))
    assert unlimited is not None
    assert unlimited.refusal is not None


def test_those_who_answer_read_that_their_phone_may_lie_and_few_people_no_error():
    topic, result = at("/A_survey?epsilon=2")
    statements = topic.statements_of(result)
    assert statements
    assert statements.public.startswith("Your phone may lie for you")
    assert "within 0.686 percentage points of the share among those who answer" in statements.public
    assert "As often it is within 0.713 of the population’s share" in statements.public
    assert "In 95 % of surveys of 50,000 people" in statements.paper
    assert "draws at random, by subset selection of 2, what it sends" in statements.paper
    assert "releases" not in statements.public
    few = topic.statements_of(at("/A_survey?n_people=100")[1])
    assert few
    assert "within" not in few.public


def test_a_trial_says_how_many_estimates_are_within_their_error_and_which_are_no_shares():
    result = found_by("survey", n_options="8", n_people="100", epsilon="0.2", seed="3")
    assert result.trial is not None
    trial, said = result.trial, text.trial_text(result.trial, result)
    off = abs(trial.frame["estimate"] - trial.frame["truth"])
    n_within = int((off <= trial.frame["half_width"]).sum())
    assert f"{n_within} of 8 estimates are within their ± of the truth; over many trials, about 95 % are." in said
    odd = int((trial.frame["estimate"] < 0).sum() + (trial.frame["estimate"] > 1).sum())
    assert odd > 0
    assert f"Estimates below 0 % or above 100 %: {odd}." in said
    assert trial.frame["adjusted"].sum() == pytest.approx(1)
    assert trial.frame["truth"].sum() == pytest.approx(1)
    wide = found_by("survey", n_options="31")
    assert wide.trial is None
    folds = [part for part in survey_page.SECTION.parts(wide, LIGHT) if isinstance(part, Fold)]
    assert (text.NO_TRIAL,) in [fold.parts for fold in folds]


def test_trials_of_many_seeds_are_within_their_error_as_often_as_the_page_says():
    trials = [found_by("survey", n_people="2000", n_options="5", seed=str(seed)).trial for seed in range(80)]
    within = sum(trial.n_within for trial in trials if trial is not None)
    assert abs(within - 0.95 * 400) < 4.5 * np.sqrt(400 * 0.05 * 0.95)


@pytest.mark.parametrize("link", LINKS)
def test_all_shares_at_once_have_the_error_of_the_union_bound(link):
    result, setting = survey_of(link)
    words = text.together_text(result)
    known = setting.epsilon, int(setting.n_options), int(setting.n_people), result.method
    parts = 1 if setting.n_options == 2 else int(setting.n_options)  # of two options the other is the rest
    exact = float(local.half_width(*known, None, setting.significance / parts))
    if exact < 1:
        expect_up(number(re.findall(r"±([\d.,e-]+) percentage points\*\*", words)[0]), 100 * exact)
    else:
        assert "nothing is learnt" in words


@pytest.mark.parametrize(("link", "end"), [({"n_options": "2"}, 100), ({"n_options": "2", "n_people": "20"}, None)])
def test_the_axis_of_a_trial_ends_at_all_people_or_at_the_longest_error_bar(link, end):
    result = found_by("survey", epsilon="1", **link, option_share="0.9")
    exhibit = trial_chart(result, LIGHT)
    assert result.trial is not None
    assert exhibit is not None
    reach = 100 * float((result.trial.estimate + result.trial.half_width).max())
    top = figure_of(exhibit)["layout"]["yaxis"]["range"][1]
    assert (reach > 100) == (end is None)
    assert top == end or reach <= top <= 1.06 * reach
