"""The statements on a quantile: the error of assumed values alone, and nothing of the user's own."""

from pages.framework.parameters.number_format import format_up
from pages.median.page import PAGE
from tests.pages.median.test_quantile import CHECKED
from tests.pages.test_statements import stated
from tests.programs import at


def test_the_statements_have_nothing_of_own_values():
    checked = "&".join(f"{key}={value}" for key, value in CHECKED.items())
    own = (f"/A_median?source=own&high=500&{checked}&own={values}" for values in ("1;2;3;40;400", "7;8;9"))
    first, second = map(stated, own)
    assert first == second
    assert "from 0 to 500" in first.public
    assert "within" not in first.public


def test_the_stated_error_is_that_of_the_answer_for_the_assumed_values():
    topic, result = at("/A_median?epsilon=0.5&step=none&unit=days")
    half_width = topic.answer_text(result)[0].split("**±")[1].split("**")[0]
    texts = stated("/A_median?epsilon=0.5&step=none&unit=days")
    assert f"within {format_up(float(half_width), 3)} days of the exact one" in texts.public
    assert f"within ±{half_width} days" in texts.paper
    assert "(assumed: median 30, 90th percentile 84, n = 200)" in texts.paper
    assert "by the exponential mechanism on 0 to 600" in texts.experts
    assert "For 200 people and values with median 30, 90th percentile 84 days, as assumed beforehand" in texts.public


def test_an_error_of_0_is_said_in_steps_and_for_the_assumed_values_alone():
    topic, result = at("/A_median?epsilon=0.5&high=240&n_records=800&unit=minutes")
    assert result.quantile.error == 0
    assert "**the true one**, to steps of 1 minute (±0), in 95 % of releases" in topic.answer_text(result)[0]
    public = stated("/A_median?epsilon=0.5&high=240&n_records=800&unit=minutes").public
    assert "from 0 to 240 minutes" in public
    assert "median 30, 90th percentile 84 minutes, as assumed beforehand: with a chance of at least 95 %, " in public
    assert "the published median is exact to steps of 1 minute." in public


def test_the_statements_on_own_values_say_why_they_have_no_error():
    checked = "&".join(f"{key}={value}" for key, value in CHECKED.items())
    texts = stated(f"/A_median?source=own&high=500&{checked}&own=1;2;3;40;400")
    for text in (texts.paper, texts.experts):
        assert "How far off it is depends on the values, and so it is not for publication." in text


def test_nothing_is_said_of_a_quantile_outside_the_range():
    topic, result = at("/A_median?high=20")
    assert topic == PAGE
    assert topic.statements_of(result) is None
    assert "say" not in topic.answer_buttons(result)


def test_the_statements_on_several_quantiles_have_the_error_and_the_noise_of_the_answer():
    topic, result = at("/A_median?section=several&n_records=5000&quantiles=0.1,0.3,0.5,0.7,0.9")
    assert result.several.best_method == "histogram"
    size = topic.answer_text(result)[0].split("**±")[1].split("**")[0]
    texts = stated("/A_median?section=several&n_records=5000&quantiles=0.1,0.3,0.5,0.7,0.9")
    assert f"each published quantile taken alone is within {size} of the exact one" in texts.public
    assert f"people in {result.several.n_parts} equal parts from 0 to 600 are counted" in texts.public
    scale = float(texts.experts.split("b = ")[1].split(",")[0])
    strategy = result.several.strategy
    assert -1e-12 <= scale - strategy.sensitivity < 1e-3 * scale  # at ε = 1
    assert "n = 5,000; estimated from 400 draws)" in texts.paper
    assert "quantiles 0.1, 0.3, 0.5, 0.7, 0.9" in texts.experts


def test_the_statements_on_several_own_values_say_no_error_but_that_they_chose_the_method():
    checked = "&".join(f"{key}={value}" for key, value in CHECKED.items())
    texts = stated(f"/A_median?section=several&source=own&high=500&{checked}&own=1;2;3;40;400")
    assert "within" not in texts.public
    for text in texts.by_length.values():
        assert "The method was chosen from the values, and ε does not cover that choice." in text


def test_the_statements_on_the_largest_have_no_count_and_the_epsilon_of_each_name():
    first, second = (
        stated(f"/A_median?section=largest&chosen=3&counts={counts}") for counts in ("9,8,7,1", "30,2,2,1")
    )
    assert first == second
    assert "3 names of the largest of 4 candidates are drawn at random" in first.public
    assert "ε = 0.333333 for each name" in first.experts
