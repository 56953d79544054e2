"""The statements on a quantile: the error of assumed values alone, and nothing of the user's own."""

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
    topic, result = at("/A_median?epsilon=0.5&step=none")
    half_width = topic.answer_text(result)[0].split("**±")[1].split("**")[0]
    texts = stated("/A_median?epsilon=0.5&step=none")
    assert f"within {half_width} days of the exact one" in texts.public
    assert f"within ±{half_width} days" in texts.paper
    assert "(assumed: median 30, 90th percentile 84, n = 200)" in texts.paper
    assert "by the exponential mechanism on 0 to 600" in texts.experts


def test_nothing_is_said_of_a_quantile_outside_the_range():
    topic, result = at("/A_median?high=20")
    assert topic == PAGE
    assert topic.statements_of(result) is None
    assert "say" not in topic.answer_buttons(result)
