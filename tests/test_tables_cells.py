from dataclasses import replace

import mpmath
import numpy as np
import pytest
from scipy.stats import dlaplace, norm

from dpcore.mechanism import Mechanism
from dpcore.sensitivity import table_sensitivity
from dpcore.tables import detection_threshold, least_count_for_share, least_visible_count, mechanisms, power

SIGNIFICANCES = np.array([1e-12, 0.001, 0.05, 0.3, 0.49, 0.5, 0.6, 0.75, 0.9, 0.999])


def offered(k: int = 1, epsilon: float = 1.0) -> dict[str, Mechanism]:
    return {noise.key: noise for noise in mechanisms(epsilon, 1e-6, table_sensitivity(k), p=3.0)}


CONTINUOUS = [noise for noise in offered().values() if not noise.whole]
WHOLE = [noise for k in (1, 3) for noise in offered(k).values() if noise.whole]


def test_the_two_questions_about_a_cell_of_9_at_sigma_4_225_have_their_two_answers():
    noise = offered()["analytic"]
    assert noise.scale == pytest.approx(4.2247, abs=1e-4)
    assert least_visible_count(noise, 0.05) < 9
    threshold = detection_threshold(noise, 0.05)
    assert threshold == pytest.approx(8.280, abs=1e-3)
    assert power(noise, 9, threshold) == pytest.approx(0.57, abs=0.005)


@pytest.mark.parametrize("noise", CONTINUOUS, ids=lambda noise: noise.key)
def test_of_the_least_count_that_stays_above_0_just_that_share_does(noise):
    least = least_visible_count(noise, SIGNIFICANCES)
    rare = SIGNIFICANCES < 0.5
    assert np.all(least[~rare] == 0)
    least, significance = least[rare], SIGNIFICANCES[rare]
    assert noise.upper(-least) == pytest.approx(1 - significance, rel=1e-9)
    assert noise.at_least(least) == pytest.approx(significance, rel=1e-9)
    assert np.all(noise.upper(-least * 0.99) < 1 - significance)


@pytest.mark.parametrize("noise", WHOLE, ids=lambda noise: f"{noise.key}-{noise.scale:.2f}")
def test_no_lesser_whole_count_stays_above_0_as_often(noise):
    least = least_visible_count(noise, SIGNIFICANCES)
    assert np.all(least == np.round(least))
    assert np.all(noise.at_least(least) <= SIGNIFICANCES)  # of releases that are not above 0: −noise ≥ the count
    assert np.all((least == 0) | (noise.at_least(least - 1) > SIGNIFICANCES))


@pytest.mark.parametrize("noise", [*CONTINUOUS, *WHOLE], ids=lambda noise: f"{noise.key}-{noise.scale:.2f}")
def test_an_empty_cell_passes_the_threshold_as_rarely_as_the_page_states(noise):
    t = detection_threshold(noise, SIGNIFICANCES)
    nearer = t - 1 if noise.whole else t * 0.99
    assert np.all(2 * noise.at_least(t) <= SIGNIFICANCES * (1 + 1e-9))
    assert np.all((nearer <= 0) | (2 * noise.at_least(nearer) > SIGNIFICANCES))


def test_the_share_found_is_the_share_of_simulated_releases_at_the_threshold_or_above():
    rng = np.random.default_rng(20261122)
    for noise in (*CONTINUOUS, *WHOLE):
        counts, threshold = np.array([0, 3, 8, 20]), detection_threshold(noise, 0.05)
        n = (
            3000 if noise.key in ("discrete_gaussian", "truncated_geometric") else 20_000
        )  # their exact samplers take longer
        releases = counts + noise.sample(rng, size=(n, 4))
        share = np.mean(releases >= threshold, axis=0)
        assert share == pytest.approx(power(noise, counts, threshold), abs=2 / np.sqrt(n))


def test_the_share_found_is_that_of_scipy_with_the_whole_number_at_the_threshold_counted():
    noise = offered(3)["geometric"]
    counts = np.arange(30)
    assert power(noise, counts, 10) == pytest.approx(dlaplace(1 / 3).sf(9 - counts), rel=1e-12)
    assert power(noise, counts, 9.5) == pytest.approx(dlaplace(1 / 3).sf(9 - counts), rel=1e-12)
    gaussian = offered()["analytic"]
    assert power(gaussian, counts, 8.5) == pytest.approx(norm.sf(8.5 - counts, scale=gaussian.scale), rel=1e-12)


def test_the_half_width_is_the_share_of_the_least_count_for_that_share():
    for noise in offered(3).values():
        least = least_count_for_share(noise, [0.05, 0.1, 2], 0.05)
        assert np.all(noise.half_width(0.05) / least <= [0.05, 0.1, 2])
        assert noise.half_width(0.05) / least == pytest.approx([0.05, 0.1, 2], rel=1e-14)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda noise: power(noise, -1, 3), r"count must be in \[0, 1e15\], got -1"),
        (lambda noise: power(noise, 1, -3), r"threshold must be in \[0, 1e200\], got -3"),
        (lambda noise: least_count_for_share(noise, 0, 0.05), r"share must be in \[1e-9, 1e9\], got 0"),
        (lambda noise: least_visible_count(noise, 0), r"significance must be in \[1e-300, 1\), got 0"),
        (lambda noise: detection_threshold(noise, 1), r"significance must be in \[1e-300, 1\), got 1"),
    ],
)
def test_a_question_without_an_answer_is_refused_in_one_sentence(ask, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        ask(offered()["analytic"])


def test_an_empty_cell_of_whole_noise_is_not_said_to_stay_above_0_by_a_rounding_of_alpha():
    geometric = offered()["geometric"]
    for scale in np.linspace(0.3, 6, 200):
        noise = replace(geometric, parameters=(float(scale),))
        with mpmath.workdps(40):
            at_least = 1 / (1 + mpmath.exp(-1 / mpmath.mpf(float(scale))))  # Pr(noise ≥ 0)
        below = float(at_least)
        below = below if below < at_least else float(np.nextafter(below, 0))
        assert least_visible_count(noise, below) == 1
