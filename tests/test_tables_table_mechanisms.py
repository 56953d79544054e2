import mpmath
import numpy as np
import pytest
from scipy.stats import gennorm

from dpcore import gaussian, truncated_geometric
from dpcore import generalized_gaussian as generalized
from dpcore.accuracy import each_significance
from dpcore.calibrations import FAILS, PROVED, WITHIN
from dpcore.mechanism import Mechanism
from dpcore.sensitivity import table_sensitivity
from dpcore.tables import KEYS, mechanisms, unavailable

SLOW = ("discrete_gaussian", "truncated_geometric")  # exact samplers take longer


def offered(k: int = 1, epsilon: float = 1.0, delta: float = 1e-6, p: float = 3.0, **more) -> dict[str, Mechanism]:
    return {noise.key: noise for noise in mechanisms(epsilon, delta, table_sensitivity(k, **more), p)}


def test_twelve_cells_of_which_a_person_is_in_three_have_the_published_half_widths():
    noises = offered(3)
    per_cell, every = 0.05, each_significance(0.05, 12)
    assert noises["laplace"].half_width(per_cell) == pytest.approx(8.99, abs=0.005)
    assert noises["laplace"].half_width(every) == pytest.approx(16.4, abs=0.05)
    assert 14.34 < noises["analytic"].half_width(per_cell) < 14.35
    assert noises["analytic"].half_width(every) == pytest.approx(20.9, abs=0.05)


@pytest.mark.parametrize("m", [1, 12, 1000])
def test_simultaneous_half_widths_hold_in_just_that_share_of_simulated_tables(m):
    rng = np.random.default_rng(m)
    n = 1000 if m == 1000 else 20_000
    for noise in offered(1 if m == 1 else 3).values():
        a = noise.half_width(each_significance(0.05, m))
        if noise.key in SLOW:  # numbers that its tail gives at a uniform
            steps = noise.tail(np.arange(200))
            sizes = 200 - np.searchsorted(steps[::-1], rng.random((n, m)), side="right")
        else:
            sizes = abs(noise.sample(rng, size=(n, m)))
        largest = np.max(sizes, axis=1)
        assert np.mean(largest <= a) >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / n)
        if not noise.whole:
            assert np.mean(largest <= a) == pytest.approx(0.95, abs=4 * np.sqrt(0.05 * 0.95 / n))
        else:
            assert np.mean(largest <= a - 1) <= 0.95 + 4 * np.sqrt(0.05 * 0.95 / n)


@pytest.mark.parametrize("m", [1, 12, 1000])
def test_simultaneous_half_widths_are_the_closed_forms(m):
    per_cell = -np.expm1(np.log1p(-0.05) / m)
    noises = offered(3)
    assert noises["laplace"].half_width(each_significance(0.05, m)) == pytest.approx(-3 * np.log(per_cell), rel=1e-13)
    r = np.exp(-1 / 3)
    a = noises["geometric"].half_width(each_significance(0.05, m))
    assert (1 - 2 * r ** (a + 1) / (1 + r)) ** m >= 0.95 > (1 - 2 * r**a / (1 + r)) ** m
    generalized_noise = gennorm(3, scale=noises["generalized_gaussian"].scale)
    half_width = noises["generalized_gaussian"].half_width(each_significance(0.05, m))
    assert half_width == pytest.approx(generalized_noise.isf(per_cell / 2), rel=1e-9)


def test_every_noise_satisfies_its_guarantee_for_the_move_of_all_cells_at_once():
    noises = offered(3, epsilon=0.7, neighbours="replace")
    assert 6 / noises["laplace"].scale <= 0.7
    assert 6 / noises["geometric"].scale <= 0.7
    for key in ("analytic", "pdp", "classical"):
        true = gaussian.delta_from_sigma(0.7, noises[key].scale, np.sqrt(6))
        assert true <= 1e-6
        assert noises[key].true_delta == pytest.approx(true, rel=1e-9)


def lost(sigma: float, move: tuple[int, ...], epsilon: float) -> float:
    """Σ (P(y) − e^ε P(y − move))₊ over all whole y, as far as there is any noise: the δ of the discrete Gaussian."""
    y = np.arange(-int(7 * sigma + 4), int(7 * sigma + 5))
    weight = np.exp(-(y**2) / (2 * sigma**2))
    probabilities, there = np.ones(()), np.ones(())
    for step in move:
        probabilities = np.multiply.outer(probabilities, weight / weight.sum())
        there = np.multiply.outer(there, np.exp(-((y - step) ** 2) / (2 * sigma**2)) / weight.sum())
    return float(np.sum(np.maximum(probabilities - np.exp(epsilon) * there, 0)))


@pytest.mark.parametrize(
    ("setting", "worst", "others"),
    [
        ({"k": 2, "per_cell": 2}, (2, 2), [(2, 1), (1, 1), (2, 0), (1, 0)]),
        ({"k": 3}, (1, 1, 1), [(1, 1, 0), (1, 0, 0)]),
        ({"k": 2, "margins": 1}, (1, 1, 2), [(1, 1, 1, 1), (1, 0, 1)]),
        ({"k": 1, "neighbours": "replace"}, (1, -1), [(1, 0), (0, -1)]),
    ],
)
def test_the_discrete_gaussian_satisfies_its_guarantee_for_every_move_of_whole_numbers(setting, worst, others):
    noise = offered(epsilon=1.5, delta=0.05, **setting)["discrete_gaussian"]
    assert lost(noise.scale, worst, 1.5) == pytest.approx(0.05, rel=0.02)
    for move in (worst, *others):
        assert lost(noise.scale, move, 1.5) <= 0.05 * (1 + 1e-9)


def test_the_discrete_gaussian_is_close_to_the_analytic_one_however_many_cells_move():
    for k in (1, 3, 64, 10**4):
        noises = offered(k)
        assert noises["discrete_gaussian"].scale == pytest.approx(noises["analytic"].scale, rel=0.01)
        assert noises["discrete_gaussian"].status == PROVED


def lost_along(sigma: float, move: list[int], epsilon: float) -> float:
    """δ of the discrete Gaussian by the distribution of ⟨move, noise⟩, of which alone the privacy loss is made."""
    y = np.arange(-int(8 * sigma) - 1, int(8 * sigma) + 2)
    weight = np.exp(-(y**2) / (2 * sigma**2)) / np.sum(np.exp(-(y**2) / (2 * sigma**2)))
    chances = np.ones(1)
    for step in move:
        spread = np.zeros((len(y) - 1) * step + 1)
        spread[::step] = weight
        chances = np.convolve(chances, spread)
    total, squared = np.arange(len(chances)) - len(chances) // 2, sum(step**2 for step in move)
    loss = (2 * total + squared) / (2 * sigma**2)
    return float(np.sum(chances * np.maximum(-np.expm1(epsilon - loss), 0)))


@pytest.mark.parametrize(("k", "margins"), [(6, 1), (4, 3), (9, 2)])
def test_long_uneven_moves_get_discrete_noise_by_their_exact_profile(k, margins):
    noise = offered(k, delta=1e-3, margins=margins)["discrete_gaussian"]
    assert 0.99e-3 < lost_along(noise.scale, [1] * k + [k] * margins, 1.0) <= 1e-3 * (1 + 1e-9)
    assert lost_along(noise.scale, [1] * (k + k * margins), 1.0) < 1e-3
    assert lost_along(noise.scale, [1] * k + [k // 2, k - k // 2] * margins, 1.0) < 1e-3


@pytest.mark.parametrize(
    ("epsilon", "setting"),
    [
        (30, {"k": 40, "margins": 1}),
        (1, {"k": 10**4, "margins": 1}),
        *((epsilon, {"k": 10**13}) for epsilon in (1e-3, 1, 30)),
        *((epsilon, {"k": 1, "per_cell": 10**8}) for epsilon in (1e-3, 1, 30)),
    ],
)
def test_long_moves_get_discrete_noise_by_concentrated_dp_where_their_profile_is_not_known(epsilon, setting):
    noises = offered(epsilon=epsilon, **setting)
    noise = noises["discrete_gaussian"]
    l2 = table_sensitivity(**{"cells_per_person" if name == "k" else name: value for name, value in setting.items()}).l2
    rho = mpmath.mpf(float(l2)) ** 2 / (2 * mpmath.mpf(noise.scale) ** 2)
    assert 1 - 1e-13 < (rho + 2 * mpmath.sqrt(rho * mpmath.log(10**6))) / epsilon <= 1
    assert 1 < noise.scale / noises["analytic"].scale < (1.4 if epsilon >= 1 else 2.2)
    assert "Bun & Steinke" in noise.theorem


def test_the_noises_of_one_moved_number_are_those_of_their_families():
    noises = offered(1)
    assert set(noises) == set(KEYS)
    staircase = noises["staircase"]
    assert staircase.variance < noises["laplace"].variance
    assert staircase.parameters[0] == 1.0
    assert noises["generalized_gaussian"].scale == pytest.approx(generalized.adp_scale(1, 1e-6, 3), rel=1e-14)
    assert noises["generalized_gaussian"].guarantee == "(ε, δ)-DP"


@pytest.mark.parametrize("p", [1.0, 1.5, 3.0, 6.0])
def test_generalized_noise_for_several_numbers_is_at_least_the_exact_quantile_of_the_loss(p):
    noise = offered(3, p=p)["generalized_gaussian"]
    least = generalized.pdp_scale(1, 1e-6, p, [1.0, 1.0, 1.0])
    assert least * (1 - 2e-6) <= noise.scale <= 1.2 * least
    assert noise.guarantee == "(ε, δ)-pDP"


@pytest.mark.parametrize("p", [1.5, 3.0, 10.0])
@pytest.mark.parametrize("margins", [0, 1])
def test_generalized_noise_for_several_numbers_exceeds_epsilon_as_rarely_as_guaranteed(p, margins):
    scale = offered(3, delta=0.05, p=p, margins=margins)["generalized_gaussian"].scale
    rng = np.random.default_rng(5)
    for move in ([1.0, 1, 1], [1.0, 0.5, 0]):
        moved = np.array([*move, sum(move)] if margins else move)
        noise = generalized.sample(rng, scale, p, (100_000, len(moved)))
        loss = np.sum(abs(noise + moved) ** p - abs(noise) ** p, axis=1) / scale**p
        assert np.mean(abs(loss) > 1) <= 0.05


@pytest.mark.parametrize(("p", "delta", "k"), [(3, 1e-6, 3), (1.5, 1e-100, 9), (20, 0.5, 2), (1.2, 1 - 1e-9, 4)])
def test_generalized_noise_for_several_numbers_is_the_root_that_is_derived_and_rounded_up(p, delta, k):
    scale = offered(k, delta=delta, p=p)["generalized_gaussian"].scale
    with mpmath.workdps(60):
        power = mpmath.mpf(p)
        step = mpmath.mpf(k) ** (1 / power) / mpmath.mpf(scale)
        low, norm = mpmath.mpf(0), (1 / (power * step)) ** (1 / (power - 1))  # where p step norm^(p − 1) alone is ε
        for _ in range(190):
            middle = (low + norm) / 2
            low, norm = (middle, norm) if (middle + step) ** power - middle**power < 1 else (low, middle)
        share = mpmath.gammainc(k / power, norm**power, regularized=True)
        assert 0 <= 1 - share / mpmath.mpf(delta) <= 1e-7


def test_generalized_noise_of_p_2_is_the_analytic_gaussian_however_many_numbers_move():
    noises = offered(7, p=2.0)
    assert noises["generalized_gaussian"].half_width(0.05) == pytest.approx(noises["analytic"].half_width(0.05))


def test_laplace_grows_like_k_and_gaussian_noise_like_its_root():
    few, many = offered(2), offered(8)
    assert many["laplace"].half_width(0.01) == pytest.approx(4 * few["laplace"].half_width(0.01), rel=1e-13)
    for key in ("analytic", "pdp", "classical"):
        assert many[key].half_width(0.01) == pytest.approx(2 * few[key].half_width(0.01), rel=1e-13)


def test_the_classical_gaussian_comes_with_its_verdict():
    assert offered(3, epsilon=0.5)["classical"].status == PROVED
    assert offered(3, epsilon=2)["classical"].status == WITHIN
    assert offered(3, epsilon=20)["classical"].status == FAILS


FRACTION = "It is for whole counts, and here c, the most that one person adds to a cell, is not whole."


@pytest.mark.parametrize(
    ("settings", "key", "why"),
    [
        ({"epsilon": 0}, "laplace", "It requires an ε of at least 1e-12."),
        ({"epsilon": 0}, "pdp", "It requires an ε of at least 1e-12."),
        ({"epsilon": 0, "k": 3}, "generalized_gaussian", "It requires an ε of at least 1e-12."),
        ({"epsilon": 0, "k": 10**13}, "discrete_gaussian", "It requires an ε of at least 1e-12."),
        (
            {"epsilon": 0, "delta": 1e-300},
            "discrete_gaussian",
            "It is offered up to σ = 1e14, and this setting requires more.",
        ),
        ({"per_cell": 0.5}, "discrete_gaussian", FRACTION),
        ({"epsilon": 0, "delta": 1e-300}, "analytic", "It is offered up to σ = 1e100, and this setting requires more."),
        (
            {"epsilon": 0, "delta": 1e-300},
            "generalized_gaussian",
            "It is offered up to b = 1e100, and this setting requires more.",
        ),
        ({"per_cell": 0.5}, "geometric", FRACTION),
        ({"k": 10**15, "per_cell": 10}, "geometric", "It is offered up to Δ₁ = 1e15, and this setting requires more."),
        (
            {"epsilon": 1e-3, "per_cell": 1000},
            "truncated_geometric",
            "It is offered up to a largest error of N = 1,000,000, and this setting requires more.",
        ),
        (
            {"k": 2, "delta": 1e-300},
            "truncated_geometric",
            "It requires a δ of at least 1e-300 for each number that the person changes.",
        ),
        (
            {"k": 3},
            "staircase",
            "It is proved only for a person who changes one released number; here a person changes 3.",
        ),
        (
            {"k": 10_001},
            "generalized_gaussian",
            "It is offered where a person changes at most 10,000 released numbers.",
        ),
    ],
)
def test_a_noise_without_an_answer_is_left_out_with_the_reason(settings, key, why):
    epsilon, delta = settings.pop("epsilon", 1.0), settings.pop("delta", 1e-6)
    setting = table_sensitivity(settings.pop("k", 1), **settings)
    assert unavailable(epsilon, delta, setting)[key] == why
    assert key not in {noise.key for noise in mechanisms(epsilon, delta, setting)}


@pytest.mark.parametrize("epsilon", [0, 1e-12, 1e6])
@pytest.mark.parametrize("delta", [1e-300, 1 - 2**-53])
@pytest.mark.parametrize("k", [1, 16, 10**15])
def test_at_the_ends_of_every_range_each_noise_answers_with_finite_numbers(epsilon, delta, k):
    for p in (1.0, 2.0, 100.0) if k == 1 else (2.0,) if epsilon == 0 else (1.0, 100.0):
        setting = table_sensitivity(k, neighbours="replace", margins=1000 if k > 16 else 0)
        noises = mechanisms(epsilon, delta, setting, p)
        assert {noise.key for noise in noises} | set(unavailable(epsilon, delta, setting, p)) == set(KEYS)
        for noise in noises:
            tiny = float(each_significance(1e-280, 1e15))
            numbers = np.concatenate(
                [
                    [noise.scale, noise.variance, noise.mean_absolute_error, noise.true_delta],
                    *(noise.half_width([tiny, 0.999]), noise.tail([0, 1, 1e100])),
                    *(noise.upper([-1e200, -1, 0, 1]), noise.at_least([-1, 0, 1e200])),
                ]
            )
            assert np.all(np.isfinite(numbers))
            assert np.all(numbers >= 0)


def test_chances_above_and_at_a_point_fit_together():
    for noise in (*offered(1).values(), *offered(3).values()):
        t = np.array([-4, -2.5, 0, 0.5, 1, 7])
        at_point = noise.at_least(t) - noise.upper(t)
        if noise.whole:
            assert np.all((at_point > 1e-9) == (t == np.round(t)))
        else:
            assert at_point == pytest.approx(0, abs=1e-14)
        assert noise.upper(t) + noise.at_least(-t) == pytest.approx(1, abs=1e-14)
        n = 10_000 if noise.key in SLOW else 200_000
        draws = noise.sample(np.random.default_rng(3), size=n)
        assert np.mean(draws[:, None] > t, axis=0) == pytest.approx(noise.upper(t), abs=2.5 / np.sqrt(n))
        assert np.mean(abs(draws)) == pytest.approx(noise.mean_absolute_error, rel=8 / np.sqrt(n))
        assert np.mean(draws**2) == pytest.approx(noise.variance, rel=16 / np.sqrt(n))


@pytest.mark.parametrize(("epsilon", "delta", "k"), [(0.5, 0.05, 1), (1.0, 0.01, 2), (2.0, 0.2, 3)])
def test_truncated_geometric_noise_satisfies_its_guarantee_in_all_moved_cells_together(epsilon, delta, k):
    noise = offered(k, epsilon, delta)["truncated_geometric"]
    values = np.arange(-noise.scale, noise.scale + 2)
    own, other = (truncated_geometric.pmf(values - move, *noise.parameters) for move in (0, 1))
    together, moved = own, other
    for _ in range(k - 1):
        together, moved = np.multiply.outer(together, own).ravel(), np.multiply.outer(moved, other).ravel()
    true = np.sum(np.maximum(together - np.exp(epsilon) * moved, 0))
    assert true <= delta
    assert noise.hard_limit == noise.scale
    assert noise.half_width(1e-9, n_cells=1000) <= noise.hard_limit
    assert noise.half_width(0.05) <= offered(k, epsilon, delta)["geometric"].half_width(0.05)
    narrower = (noise.scale - 1, noise.parameters[1])
    own, other = (truncated_geometric.pmf(values - move, *narrower) for move in (0, 1))
    visible = np.sum(own[other == 0])
    assert 1 - (1 - visible) ** k > delta


def test_truncated_geometric_noise_is_offered_where_all_numbers_move_alike():
    sensitivity = table_sensitivity(3, margins=1)
    assert "by the same" in unavailable(1.0, 1e-6, sensitivity)["truncated_geometric"] or sensitivity.equal
    assert "whole counts" in unavailable(1.0, 1e-6, table_sensitivity(3, 0.5))["truncated_geometric"]
    assert "up to a largest error" in unavailable(1e-9, 1e-12, table_sensitivity(3))["truncated_geometric"]
    assert "at least 1e-12" in unavailable(0.0, 1e-6, table_sensitivity(3))["truncated_geometric"]
    assert "a δ of at least 1e-300" in unavailable(1.0, 1e-300, table_sensitivity(3))["truncated_geometric"]


@pytest.mark.parametrize("function", [mechanisms, unavailable])
def test_a_noise_that_is_not_there_is_refused_by_its_name(function):
    with pytest.raises(ValueError, match=r"^keys must be in laplace, .*, truncated_geometric, got 'nonsense'$"):
        function(1.0, 1e-6, table_sensitivity(1), keys=("nonsense",))
