import re
from typing import Any

import numpy as np
import pytest

from dpcore import comparison, gaussian
from dpcore.calibrations import FAILS, FLOOR, PROVED, SILENT, UNDEFINED, WITHIN

EPSILONS = np.logspace(-2, 2, 81)


def rows(epsilon: float, delta: float, **more: float) -> dict[str, dict[str, Any]]:
    return comparison.table(epsilon, delta, **more).set_index("bound").to_dict("index")


def test_every_bound_has_a_row_with_the_values_of_its_own_function():
    table = rows(0.7, 1e-5, l2_sensitivity=3.0, significance=0.1)
    assert list(table) == [bound.key for bound in comparison.BOUNDS]
    for bound in comparison.BOUNDS:
        row = table[bound.key]
        assert row["sigma"] == pytest.approx(bound.scale(0.7, 1e-5, 3.0), rel=1e-14)
        assert row["variance"] == pytest.approx(row["sigma"] ** 2)
        assert row["accuracy"] == pytest.approx(1.6448536269514722 * row["sigma"])
        assert row["mu"] == pytest.approx(3.0 / row["sigma"])
        assert row["true_delta"] == pytest.approx(gaussian.delta_from_sigma(0.7, row["sigma"], 3.0), rel=1e-12)
        assert row["true_epsilon"] == pytest.approx(gaussian.epsilon_from_sigma(1e-5, row["sigma"], 3.0), rel=1e-12)


def test_a_proved_calibration_is_never_shown_to_exceed_its_target():
    for epsilon in (1e-9, 0.3, 0.999, 5.0, 1e4):
        for delta in (1e-200, 1e-6, 0.4, 0.9):
            proved = [row for row in rows(epsilon, delta).values() if row["status"] == PROVED]
            assert len(proved) >= 3
            assert max(row["true_delta"] for row in proved) <= delta
            assert max(row["true_epsilon"] for row in proved) <= epsilon


def test_the_analytic_row_gives_the_target_itself():
    row = rows(2.0, 1e-7)["analytic"]
    assert row["true_delta"] == pytest.approx(1e-7, rel=1e-13)
    assert row["true_epsilon"] == pytest.approx(2.0, rel=1e-13)


@pytest.mark.parametrize(
    ("epsilon", "status"),
    [(0.999, PROVED), (1.0, WITHIN), (8.4, WITHIN), (8.43, FAILS)],
)
def test_the_classical_bound_is_proved_below_1_then_unproved_then_fails(epsilon, status):
    row = rows(epsilon, 1e-5)["classical"]
    assert row["status"] == status
    assert (row["true_delta"] > 1e-5) == (status == FAILS)


def test_at_epsilon_10_the_classical_bound_gives_more_than_twice_its_delta():
    assert rows(10.0, 1e-5)["classical"]["true_delta"] == pytest.approx(2.265e-5, rel=1e-3)


def test_at_epsilon_0_only_the_analytic_bound_is_defined():
    table = rows(0.0, 1e-3)
    analytic = table.pop("analytic")
    assert analytic["status"] == PROVED
    assert analytic["true_epsilon"] == 0
    assert {row["status"] for row in table.values()} == {UNDEFINED}
    assert all(np.isnan(row["sigma"]) for row in table.values())


def test_the_lower_bound_is_a_floor_for_small_delta_and_silent_for_large():
    assert rows(1.0, 1e-6)["lower"]["status"] == FLOOR
    silent = rows(1.0, 0.4)["lower"]
    assert silent["status"] == SILENT
    assert np.isnan(silent["true_delta"])


def test_a_variance_beyond_doubles_is_infinite_and_not_an_error():
    assert np.isinf(rows(0.0, 1e-300)["analytic"]["variance"])


def test_curves_agree_with_the_table_at_every_point():
    frame = comparison.against(EPSILONS, 1e-5, 2.0)
    for epsilon in EPSILONS[::16]:
        table = rows(float(epsilon), 1e-5, l2_sensitivity=2.0)
        rows_at_epsilon = frame[frame["epsilon"] == epsilon].set_index("bound").to_dict("index")
        assert len(rows_at_epsilon) >= 5
        for bound, row in rows_at_epsilon.items():
            assert row["status"] == table[bound]["status"]
            assert row["sigma"] == pytest.approx(table[bound]["sigma"], rel=1e-14)
            assert row["true_delta"] == pytest.approx(table[bound]["true_delta"], rel=1e-12, abs=0)


def test_a_curve_of_ratios_is_1_for_the_analytic_bound_and_below_1_only_for_floor_and_failures():
    frame = comparison.against(EPSILONS, 1e-5)
    assert set(frame["ratio"][frame["bound"] == "analytic"]) == {1}
    assert set(frame["status"][frame["ratio"] < 1]) == {FAILS, FLOOR}
    assert max(frame["ratio"][frame["status"] == FAILS]) < 1


def test_curves_leave_out_what_is_undefined_or_silent():
    assert set(comparison.against(0.0, [1e-6, 1e-3])["bound"]) == {"analytic"}
    assert "lower" not in set(comparison.against(1.0, 0.4)["bound"])


def test_profiles_are_the_delta_of_each_sigma():
    frame = comparison.profiles([0.1, 1.0], {"analytic": 4.0, "pdp": 5.0}, 2.0)
    for name, sigma in (("analytic", 4.0), ("pdp", 5.0)):
        expected = gaussian.delta_from_sigma([0.1, 1.0], sigma, 2.0)
        deltas = frame.loc[frame["bound"] == name, "true_delta"].to_numpy()
        assert deltas == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("delta", [1e-300, 1e-12, 1e-5, 0.3, 0.9, 1 - 1e-6])
def test_the_classical_limit_is_where_the_true_delta_crosses_the_target(delta):
    limit = comparison.classical_limit(delta)
    assert limit > 1
    keeps, breaks = (rows(limit * shift, delta)["classical"]["status"] for shift in (1 - 1e-9, 1 + 1e-9))
    assert (keeps, breaks) == (WITHIN, FAILS)


def test_the_classical_limit_at_delta_1e_5_is_the_published_8_42():
    assert comparison.classical_limit(1e-5) == pytest.approx(8.42, abs=0.005)


def test_beyond_the_classical_limit_the_guarantee_stays_broken():
    for delta in (1e-12, 1e-5, 0.1):
        beyond = comparison.against(np.geomspace(comparison.classical_limit(delta) * 1.001, 1e5, 200), delta)
        assert set(beyond["status"][beyond["bound"] == "classical"]) == {FAILS}


def test_the_pdp_share_is_the_quotient_of_the_two_formulas_and_below_1():
    frame = comparison.pdp_share(np.array([[0.1], [0.9]]), np.array([1e-6, 0.01, 0.5]))
    expected = gaussian.pdp_sigma(frame["epsilon"], frame["delta"]) / gaussian.classical_sigma(
        frame["epsilon"], frame["delta"]
    )
    assert frame["ratio"].to_numpy() == pytest.approx(expected, rel=1e-14)
    assert max(frame["ratio"]) < 1
    assert (np.diff(frame["ratio"].to_numpy().reshape(2, 3)) < 0).all()


def test_limits_are_refused_in_the_standard_words():
    with pytest.raises(ValueError, match=r"epsilon must be in \[0, 1e6\], got -1"):
        comparison.table(-1, 0.1)
    with pytest.raises(ValueError, match=r"delta must be in \[1e-300, 1\), got 1"):
        comparison.against(1, 1)
    with pytest.raises(ValueError, match=r"delta must be in \[1e-300, 1\), got 0"):
        comparison.classical_limit(0)


def test_the_table_has_the_rows_as_records_with_their_calibration():
    rows_of_bounds = comparison.rows(0.7, 1e-5, 3.0, 0.1)
    assert [row.calibration for row in rows_of_bounds] == list(comparison.BOUNDS)
    table = rows(0.7, 1e-5, l2_sensitivity=3.0, significance=0.1)
    for row in rows_of_bounds:
        row_of_table = table[row.calibration.key]
        assert list(row_of_table) == ["sigma", "variance", "accuracy", "true_delta", "true_epsilon", "mu", "status"]
        noise = row.mechanism
        values = noise.scale, noise.variance, row.accuracy, noise.true_delta, row.true_epsilon, row.mu, noise.status
        assert tuple(row_of_table.values()) == values


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        (
            comparison.rows,
            (
                [1, 2],
                0.1,
            ),
            "epsilon must be one number in [0, 1e6], got [1, 2]",
        ),
        (
            comparison.table,
            (
                1,
                "0.1",
            ),
            "delta must be in [1e-300, 1), got '0.1'",
        ),
        (
            comparison.rows,
            (
                1,
                0.1,
                [1, 2],
            ),
            "l2_sensitivity must be one number in [1e-100, 1e100], got [1, 2]",
        ),
        (
            comparison.rows,
            (
                1,
                0.1,
                1,
                [],
            ),
            "significance must be one number in [1e-300, 1), got []",
        ),
        (
            comparison.against,
            (
                1,
                0.1,
                [1, 2],
            ),
            "l2_sensitivity must be one number in (0, inf), got [1, 2]",
        ),
        (comparison.classical_limit, ([0.1],), "delta must be one number in [1e-300, 1), got [0.1]"),
        (
            comparison.profiles,
            (
                1,
                {"a": "x"},
            ),
            "sigma must be in (0, inf), got 'x'",
        ),
    ],
)
def test_an_array_in_place_of_one_number_is_refused_in_one_sentence(call, arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call(*arguments)
