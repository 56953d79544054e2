import pytest

from tests.pages.conftest import opened

EPSILON = ("ε (epsilon)", "from 0 to 1e6", "1 is used instead")
DELTA = ("δ (delta)", "from 1e-300 to below 1", "1e-6 is used instead")
SENSITIVITY = ("ℓ₂ sensitivity (l2_sensitivity)", "from 1e-100 to 1e100", "1 is used instead")
SIGNIFICANCE = ("significance level (significance)", "0.05 is used instead")
BOUND = ("bound (bound)", "one of analytic, classical, classical_tight, pdp, exact_pdp", "analytic is used instead")
PINNED = ("pinned setting (pinned)", "epsilon,delta,l2_sensitivity,significance", "none is used instead")
FORMAT = ("picture format (picture)", "one of svg, png", "svg is used instead")
CASES = [
    *(("epsilon", bad, EPSILON) for bad in ("-1", "2e6", "nan", "inf", "1e400", "abc")),
    *(("delta", bad, DELTA) for bad in ("0", "1", "2")),
    ("l2_sensitivity", "0", SENSITIVITY),
    ("significance", "1", SIGNIFICANCE),
    *(("bound", bad, BOUND) for bad in ("nonsense", "lower")),
    *(("pinned", bad, PINNED) for bad in ("1,2", "a,b,c,d", "0,1e-300,1e10,0.05")),
    ("picture", "gif", FORMAT),
]
DEFAULTS = {"epsilon": "1", "delta": "1e-6", "l2_sensitivity": "1", "significance": "0.05", "picture": "svg"}
DEFAULTS |= {"bound": "analytic", "pinned": "none"}


@pytest.mark.parametrize(("key", "bad", "words"), CASES)
def test_a_value_of_a_link_that_cant_be_used_is_named_in_one_sentence(key: str, bad: str, words: tuple[str, ...]):
    app = opened("pages/1_Gaussian_bounds.py", **{key: bad})
    (sentence,) = (text.value for text in app.text if "instead" in text.value)
    assert [word for word in (*words, f"{bad} was given") if word not in sentence] == []
    assert len(sentence) < 250
    assert {name: app.query_params[name] for name in DEFAULTS} == DEFAULTS
    assert "the analytic Gaussian needs σ = 4.225" in app.markdown[0].value


def test_a_parameter_that_the_page_does_not_have_is_named_and_left_out():
    app = opened("pages/1_Gaussian_bounds.py", foo="bar")
    (sentence,) = (text.value for text in app.text if "left out" in text.value)
    assert "no parameter foo" in sentence
    assert "foo" not in app.query_params
