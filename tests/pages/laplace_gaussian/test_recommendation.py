import pytest
from scipy import stats

from pages.framework.parameters.number_format import format_up
from pages.laplace_gaussian import text
from pages.laplace_gaussian.recommendation_text import recommendation_by_measure_text, recommendation_text
from tests.pages.laplace_gaussian.results import result_of


def test_recommended_truncated_noise_has_its_hard_limit_and_its_price_in_the_text():
    sentences = recommendation_text(result_of(delta="0.05"))
    assert "truncated geometric noise, ±2. Its error never exceeds ±3; in exchange, with " in sentences
    assert "probability at most δ, a release proves that the person is in the data, or is not." in sentences
    assert "never exceeds" not in recommendation_text(result_of())


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {},
            "At ε = 1 add geometric noise, ±3, which satisfies pure ε-DP; a δ of 1e-6 brings no notable gain. "
            "By variance, mean error and half-width ± (95 %), Laplace noise is no larger than the analytic Gaussian.",
        ),
        (
            {"k": "20"},
            "At ε = 1 add geometric noise, ±60, for pure ε-DP; if (ε, δ)-DP with δ = 1e-6 is enough, discrete Gaussian "
            "noise, ±37. By variance, mean error and half-width ± (95 %), the analytic Gaussian is smaller than "
            "Laplace "
            "noise.",
        ),
        (
            {"k": "9"},
            "are close: by variance and half-width ± (95 %), the analytic Gaussian is smaller; "
            "by mean error, it is not.",
        ),
        (
            {"gaussian": "classical", "epsilon": "10", "delta": "1e-5"},
            "Do not use the compared σ: the classical Gaussian’s violates its guarantee here.",
        ),
        (
            {"hold": "variance"},
            "With the same variance, the analytic Gaussian satisfies only ε = 3.308, and requires a δ",
        ),
        ({"hold": "tail", "t": "0", "epsilon": "1e6"}, "satisfies no ε up to 1e6: Laplace noise is better."),
        (
            {"gaussian": "classical", "epsilon": "2", "k": "30"},
            "The classical Gaussian’s σ is unproved here; the analytic",
        ),
        ({"hold": "variance", "k": "50"}, "the analytic Gaussian satisfies the smaller ε, 0."),
    ],
)
def test_the_page_ends_in_which_noise_to_take(link, sentence):
    assert sentence in recommendation_text(result_of(**link))


def test_the_recommendation_compares_the_noises_by_the_measure_at_the_same_epsilon():
    by_mean = recommendation_by_measure_text(result_of(k="9", measure="mean_error", hold="tail"))
    assert "At ε = 1 add geometric noise, mean error 8.982, which satisfies pure ε-DP" in by_mean
    assert "By mean error, Laplace noise is no larger than the analytic Gaussian." in by_mean
    assert "By variance, the analytic Gaussian is smaller than" in recommendation_by_measure_text(
        result_of(k="9", hold="variance")
    )
    assert "violates its guarantee" in recommendation_by_measure_text(
        result_of(gaussian="classical", epsilon="10", delta="1e-5", k="20")
    )


def test_at_equal_tails_the_smaller_error_is_weighed_against_the_smaller_epsilon():
    result = result_of(t="5", k="20", epsilon="0.2", hold="tail")
    laplaces, gaussians = (errors["accuracy"] for errors in result.errors)
    assert (laplaces, gaussians) == (pytest.approx(299.573, abs=1e-3), pytest.approx(160.2247, abs=1e-3))
    assert result.noises.gaussian.epsilon > 0.2
    half_widths = f"has the smaller error: ±{format_up(gaussians)} against ±{format_up(laplaces)} (95 %)"
    assert f"{half_widths}. Laplace noise has the stronger guarantee here." in recommendation_text(result)
    other = result_of(t="40", hold="tail")  # the tail far out: the Gaussian keeps a smaller ε and has the larger error
    assert other.noises.gaussian.epsilon < 1
    assert other.errors[1]["accuracy"] > other.errors[0]["accuracy"]
    assert "satisfies the smaller ε" in recommendation_text(other)
    assert "but has the larger error: ±" in recommendation_text(other)
    assert "Laplace noise is better." in recommendation_text(result_of(t="15", hold="tail"))


def test_at_the_distance_0_it_is_the_density_that_both_noises_share():
    """Both tails are 1 there whatever σ is; the σ of the limit has Laplace's density at 0, 1/(2b)."""
    result = result_of(hold="tail", t="0")
    assert float(stats.norm.pdf(0, scale=result.noises.gaussian.scale)) == pytest.approx(
        0.5 / result.noises.laplace.scale, rel=1e-9
    )
    assert "With equal density at 0, the analytic Gaussian satisfies" in text.answer_text(result)[0]
    assert "same density at 0" in recommendation_text(result)
    assert "tail at t = 0" not in text.answer_text(result)[0] + recommendation_text(result)
