"""What to do in three steps: the noise and the numbers are those of the answer, and no unsafe noise is advised."""

import doctest
import math
import re
from urllib.parse import urlencode

import numpy as np
import pytest

from dpcore import linear_queries
from pages.clipping.bounds import section as bounds_text
from pages.clipping.contributions import section as limit_section
from pages.composition.batch_sampling import text as batches_text
from pages.composition.batch_sampling.results import batching_at
from pages.composition.dp_sgd import text as training_text
from pages.framework.layout.page import load_page
from pages.framework.layout.section import Fold, Row
from pages.framework.parameters.number_format import format_up
from pages.median.largest import section as largest_section
from pages.median.several import section as several_section
from pages.plan import text as plan_text
from pages.shared import site_map, statements
from pages.shared.looks import COLOURS
from pages.shared.shared_parameters import DELTA
from pages.survey import text as survey_text
from pages.tables.statements import steps_text
from tests.pages.conftest import found_by, topic_named
from tests.programs import at

HEAD = "**What to do, if the conditions hold**"


def test_the_steps_are_a_list_of_three():
    assert doctest.testmod(statements).failed == 0


@pytest.mark.parametrize("section", ["noise", "table", "release"])
@pytest.mark.parametrize(
    "link",
    [
        {},
        {"epsilon": "0.5", "error": "each"},
        {"promise": "delta", "per_person": "20"},
        {"mechanism": "laplace", "rounded": "on"},
    ],
)
def test_the_steps_of_a_table_have_the_error_of_the_answer(section, link):
    result = found_by("tables", section=section, **link)
    steps = steps_text(result)
    assert steps.startswith(f"{HEAD}\n\n1. Make sure that each person")
    (size,) = re.findall(r"3\. Publish all cells(?:, rounded)? with (±[\d.,]*\d)", steps)
    assert (", rounded" in steps) == ("rounded" in link and section == "release")
    assert size in " ".join(topic_named("tables").answer_text(result))
    assert ("δ = 1e-6" in steps) == (result.section_mechanism.guarantee != "ε-DP")


def test_no_noise_that_is_too_little_or_unproved_is_advised_for_a_table():
    unproved = found_by("tables", section="table", mechanism="classical", epsilon="2", promise="delta", per_person="9")
    assert steps_text(unproved).startswith("**What to do:** choose another noise.")
    suppressed = found_by("tables", section="table", table="own", own="North=12;South=3;least=5")
    assert HEAD in steps_text(suppressed)  # until the least c is more than that of the setting
    assert steps_text(found_by("tables", section="table", epsilon="0")) == ""


def test_the_steps_of_a_clipped_sum_have_its_bounds_and_its_noise():
    def steps(**link):
        result = found_by("clipping", **link)
        return bounds_text.steps_text(result, result.bounds)

    assert "1. Clip every value to [0, 867,000] before the sum is computed." in steps()
    assert "2. **Add Laplace noise in the sum, b = 867,000, Δ = 867,000.**" in steps()
    assert "±2,805,000 dollars (for values as assumed here), the bounds, ε = 1 and the conditions." in steps()
    both = "b = 450,700, Δ = 360,500, with 80 % of ε, and in the number of values, b = 5, Δ = 1"
    assert both in steps(query="counted_mean")
    assert re.search(r"noise in the sum, A = \S+, b = \S+, Δ = ", steps(noise="truncated_laplace"))
    assert "decide the bounds without these data" in steps(source="own", own="1;2;3;900")
    decided = steps(source="own", own="1;2;3;900", bound="10", low="0")
    assert "Clip every value to [0, 10]" in decided
    assert "±" not in decided  # which would be computed from the values


def test_the_steps_of_a_limit_have_the_best_limit_and_by_weight_that_of_weights():
    result = found_by("clipping", section="contributions")
    best = result.contributions.best_limit
    steps = limit_section.steps_text(result, result.contributions)
    assert f"Keep at most {best} records of each person, chosen at random, before anything is counted." in steps
    weighted = found_by("clipping", section="contributions", dropping="weight", noise="laplace")
    assert "by equal weights of the records" in limit_section.steps_text(weighted, weighted.contributions)
    gaussian = found_by("clipping", section="contributions", noise="gaussian")
    assert "ε = 1, δ = 1e-6 and the conditions" in limit_section.steps_text(gaussian, gaussian.contributions)


def test_the_steps_of_a_training_have_its_noise_and_an_unreachable_target_has_none():
    training = found_by("composition", section="training").training
    steps = training_text.steps_text(training)
    assert "probability 256 ÷ 60000" in steps.replace(",", "")
    assert "**Add Gaussian noise with σ = 1.1 × the clipping norm**" in steps
    unreachable = found_by("composition", section="training", solve="steps", epsilon="1e-6").training
    assert training_text.steps_text(unreachable) == ""


def test_a_list_without_a_plan_has_no_steps():
    assert plan_text.steps_text(found_by("plan")).startswith(HEAD)
    assert plan_text.steps_text(found_by("plan", epsilon="0", direction="total")) == ""


@pytest.mark.parametrize(
    ("link", "method"),
    [
        ({}, "recursive"),
        ({"neighbours": "replace", "epsilon": "0.7", "quantiles": "0.5"}, "single"),
        ({"neighbours": "replace", "epsilon": "0.7", "quantiles": "0.1,0.5,0.6,0.7,0.9"}, "histogram"),
    ],
)
def test_the_steps_of_several_quantiles_have_no_more_than_the_epsilon_of_each(link, method):
    result = found_by("median", section="several", **link)
    several, epsilon, m = result.several, result.setting.epsilon, len(result.several.levels)
    steps = several_section.several_steps_text(result)
    assert several.best_method == method
    assert ("level of halves" in steps) == (method == "recursive")
    if method == "histogram":
        (scale,) = re.findall(r"Laplace noise, b = ([\d.]+) to", steps)
        assert float(scale) >= linear_queries.noise_scale(several.strategy, epsilon)
        return
    (each,) = re.findall(r"with ε = ([\d.]+) for each", steps)
    share = m if method == "single" else int(np.log2(m)) + 1
    assert (1 - 1e-5) * epsilon / share < float(each) <= (1 + 1e-12) * epsilon / share


def test_the_steps_of_the_largest_divide_epsilon_by_the_number_of_names():
    def steps(**link):
        return largest_section.largest_steps_text(found_by("median", section="largest", epsilon="1", **link).largest)

    assert "2. **Draw one name by permute-and-flip** with ε = 1, for a person who is added or removed." in steps()
    three = steps(chosen="3", chooser="exponential", neighbours="replace")
    assert "**Draw 3 names, one after the other, by the exponential mechanism** with ε = 0.333333 each" in three
    assert "ε = 1 for all, for a person who is replaced by another." in three


def test_the_steps_of_batches_have_the_upper_bound_of_their_loader():
    def steps(**link):
        batching = batching_at(found_by("composition", section="batching", **link))
        return batches_text.batching_steps_text(batching), batching

    text, batching = steps(loader="poisson")
    assert "every record joins it with probability 256 ÷ 60000" in text.replace(",", "")
    assert f"Publish the model with ε = {format_up(batching.poisson)}, δ" in text
    for loader in ("shuffled", "fixed"):
        text, batching = steps(loader=loader)
        assert f"no record is in more than {batching.uses} batches, and clip" in text
        assert f"ε = {format_up(batching.at_most)} (without amplification), δ" in text


def test_the_steps_of_a_survey_have_the_error_of_the_answer_and_none_where_nothing_is_learnt():
    result = found_by("survey")
    assert f"±{survey_text.points(result.error)} percentage points" in survey_text.survey_steps_text(result)
    assert survey_text.survey_steps_text(found_by("survey", n_people="2", epsilon="0.01")) == ""


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 20.0])
def test_the_steps_of_a_survey_say_how_probably_a_device_sends_the_truth_never_too_probably(epsilon):
    rr, wide = (
        survey_text.survey_steps_text(found_by("survey", epsilon=str(epsilon), method=method, n_options=options))
        for method, options in (("randomized_response", "2"), ("optimized_unary", "20"))
    )
    (sent,) = (float(part) / 100 for part in re.findall(r"sends the true answer with a probability of ([\d.]+) %", rr))
    truth = 1 / (1 + math.exp(-epsilon))
    assert truth - 1e-3 <= sent <= truth
    assert sent < 1
    assert "its report counts for the true answer with a probability of 50 %." in wide


WITHOUT_PROGRAM = {
    ("Composition", "batching"): ("loader=poisson", "offered for Poisson batches, which it draws"),
}
"""Sections that offer no program by default: a setting that has one, and the words on the page that say why."""


def sections_that_publish():
    """Yield the path of the page, the key, and the link of each section under "I publish", former ones too."""
    (group,) = (group for group in site_map.GROUPS if group.name == "I publish")
    for entry in group.entries:
        for tabs in entry.tabs:
            sections = load_page(tabs.page).section_by_key
            for key in tabs.keys or sections:
                for picture, link in ((key, {}), *sections[key].former.items()):
                    own = {"query": "mean"} if key == "records" else {}
                    yield tabs.page.path, picture, urlencode({"section": key, **link, **own})


def texts_in(parts):
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Row | Fold):
            yield from texts_in(part.parts)


NOISE_WITH_DELTA = {
    "promise": "delta",
    "noise": "gaussian",
    "mechanism": "analytic",
    "series_noise": "gaussian",
    "sum_noise": "gaussian",
    "known": "accuracy",
}


@pytest.mark.parametrize(("path", "key", "link"), [*sections_that_publish()])
def test_a_guarantee_with_delta_has_it_in_the_answer_or_among_the_fields_in_sight(path, key, link):
    known = {parameter.key for parameter in at(f"/{path}?{link}")[0].all_parameters}
    for more in ("", *(f"&{name}={text}" for name, text in NOISE_WITH_DELTA.items() if name in known)):
        topic, result = at(f"/{path}?{link}{more}")
        section = topic.open_section(result)
        statements = section.statements(result)
        assert statements is not None
        if "δ = 1e-6" in statements.experts:
            is_in_sight = DELTA in [getattr(field, "parameter", field) for field in section.controls(result)]
            assert is_in_sight or "δ = 1e-6" in " ".join(topic.answer_text(result)), more


@pytest.mark.parametrize(("path", "key", "link"), [*sections_that_publish()])
def test_every_section_that_publishes_says_what_to_do_and_what_was_done_and_makes_the_release(path, key, link):
    topic, result = at(f"/{path}?{link}")
    section = topic.open_section(result)
    texts = [*texts_in(section.parts(result, COLOURS["light"]))]
    (steps,) = (text for text in texts if "**What to do" in text)
    assert re.findall(r"^(\d)\. ", steps, re.MULTILINE) == ["1", "2", "3"]
    assert topic.answer_buttons(result)["say"] == "Say it"
    assert section.statements(result) is not None
    if (path, key) in WITHOUT_PROGRAM:
        setting, reason = WITHOUT_PROGRAM[path, key]
        assert reason in " ".join(texts)
        assert section.downloads(result) is None
        topic, result = at(f"/{path}?{link}&{setting}")
    files = topic.open_section(result).downloads(result)
    assert files is not None
    assert files.name in ("Make the release", "Run the survey", "Train a linear or logistic model")
    for file in files.files:
        assert len(file.content("https://example.org/")) > 10_000
