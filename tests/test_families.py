"""The families of noise rhyme: the same names, the same order of arguments, the same refusals."""

import inspect
import re

import numpy as np
import pytest

from dpcore import (
    discrete_gaussian,
    gaussian,
    generalized_gaussian,
    geometric,
    laplace,
    staircase,
    truncated_geometric,
    truncated_laplace,
)
from dpcore.accuracy import gaussian_accuracy
from dpcore.generalized_gaussian.optimal_shape import size
from dpcore.laplace_gaussian import equal_sigma

SCALED = {gaussian: "sigma", laplace: "scale", geometric: "scale"}  # what the size of the noise is called
LEAST_SCALE = {
    gaussian: gaussian.analytic_sigma,
    laplace: laplace.scale_from_epsilon,
    geometric: geometric.scale_from_epsilon,
}
NOISE = {
    "cdf": ("x",),
    "tail": ("t",),
    "half_width": ("significance",),
    "variance": (),
    "mean_absolute_error": (),
}


def names_of(function) -> list[str]:
    return list(inspect.signature(function).parameters)


@pytest.mark.parametrize("family", SCALED)
def test_every_family_of_a_scale_offers_the_same_names_and_the_same_order_of_arguments(family):
    scale = SCALED[family]
    sensitivity = "l2_sensitivity" if family is gaussian else "l1_sensitivity"
    assert names_of(LEAST_SCALE[family]) == ["epsilon", "delta", sensitivity]
    assert names_of(getattr(family, f"delta_from_{scale}")) == ["epsilon", scale, sensitivity]
    assert names_of(getattr(family, f"epsilon_from_{scale}")) == ["delta", scale, sensitivity]
    for name, first in NOISE.items():
        assert names_of(getattr(family, name)) == [*first, scale]
    density = family.pmf if family is geometric else family.pdf
    assert names_of(density) == ["k" if family is geometric else "x", scale]
    assert names_of(family.sample) == ["rng", scale, "size"]


def test_discrete_gaussian_noise_offers_the_same_names_and_how_many_cells_are_moved():
    moved = ["sensitivity", "n_moved"]
    assert names_of(discrete_gaussian.sigma_from_delta) == ["epsilon", "delta", *moved]
    assert names_of(discrete_gaussian.delta_from_sigma) == ["epsilon", "sigma", *moved]
    assert names_of(discrete_gaussian.epsilon_from_sigma) == ["delta", "sigma", *moved]
    for name, first in (NOISE | {"pmf": ("k",)}).items():
        assert names_of(getattr(discrete_gaussian, name)) == [*first, "sigma"]
    assert names_of(discrete_gaussian.sample) == ["rng", "sigma", "size"]


def test_staircase_noise_offers_the_same_names_for_its_own_three_parameters():
    noise = ["theta", "gamma", "sensitivity"]
    assert names_of(staircase.theta_from_epsilon)[:2] == ["epsilon", "delta"]
    assert names_of(staircase.delta_from_theta)[:2] == ["epsilon", "theta"]
    assert names_of(staircase.epsilon_from_theta)[:2] == ["delta", "theta"]
    for name, first in (NOISE | {"pdf": ("x",)}).items():
        assert names_of(getattr(staircase, name)) == [*first, *noise]
    assert names_of(staircase.sample) == ["rng", *noise, "size"]


@pytest.mark.parametrize("family", [truncated_geometric, truncated_laplace])
def test_truncated_noise_offers_the_same_names_for_its_bound_and_its_scale(family):
    noise = ["bound", "scale"]
    assert names_of(family.bound_from_epsilon) == ["epsilon", "delta", "sensitivity"]
    assert names_of(family.scale_from_epsilon) == ["epsilon", "sensitivity"]
    assert names_of(family.delta_from_bound) == ["epsilon", *noise, "sensitivity"]
    assert names_of(family.epsilon_from_bound) == ["delta", *noise, "sensitivity"]
    density = {"pmf": ("k",)} if family is truncated_geometric else {"pdf": ("x",)}
    for name, first in (NOISE | density).items():
        assert names_of(getattr(family, name)) == [*first, *noise]
    assert names_of(family.sample) == ["rng", *noise, "size"]


@pytest.mark.parametrize("family", SCALED)
def test_a_scale_satisfies_its_guarantee_and_its_tail_at_the_half_width_is_the_significance(family):
    scale = LEAST_SCALE[family](0.7, 1e-3, 3)
    assert getattr(family, f"delta_from_{SCALED[family]}")(0.7, scale, 3) == pytest.approx(1e-3, rel=1e-9)
    assert getattr(family, f"epsilon_from_{SCALED[family]}")(1e-3, scale, 3) == pytest.approx(0.7, rel=1e-9)
    reach = family.half_width(0.05, scale)
    beyond = family.tail(reach - 1, scale) if family is geometric else 0.05 * (1 + 1e-12)
    assert family.tail(reach, scale) <= 0.05 * (1 + 1e-12) <= beyond * (1 + 1e-9)


def rng():
    return np.random.default_rng(1)


SAMPLES = {
    "gaussian": lambda first, size: gaussian.sample(rng(), first, size),
    "laplace": lambda first, size: laplace.sample(rng(), first, size),
    "discrete": lambda first, size: discrete_gaussian.sample(rng(), first, size),
    "geometric": lambda first, size: geometric.sample(rng(), first, size),
    "staircase": lambda first, size: staircase.sample(rng(), first, 0.3, 1.0, size),
    "generalized": lambda first, size: generalized_gaussian.sample(rng(), first, 3, size),
    "truncated_laplace": lambda first, size: truncated_laplace.sample(rng(), 3, first, size),
    "truncated_geometric": lambda first, size: truncated_geometric.sample(rng(), 3, first, size),
    "truncated": lambda first, size: generalized_gaussian.truncated_sample(rng(), 0, first, 3, -1, 1, size),
    "inflated": lambda first, size: generalized_gaussian.boundary_inflated_sample(rng(), 0, first, 3, -1, 1, size),
}


@pytest.mark.parametrize("draw", SAMPLES.values(), ids=SAMPLES)
def test_a_sample_has_the_given_shape_and_by_default_that_of_its_arguments(draw):
    assert np.shape(draw(1.5, None)) == ()
    assert np.shape(draw([1.5, 2], None)) == (2,)
    assert np.shape(draw(1.5, 3)) == (3,)
    assert np.shape(draw(1.5, 0)) == (0,)
    assert np.shape(draw(1.5, ())) == ()
    assert np.shape(draw([1.5, 2], (3, 2))) == (3, 2)


@pytest.mark.parametrize("draw", SAMPLES.values(), ids=SAMPLES)
def test_a_size_that_is_no_shape_is_refused_in_one_sentence(draw):
    for no_shape in ("x", -1, 2.5, [], (2, -1), (2, "x"), 10**12):
        sentence = (
            f"size must be a whole number, or a tuple of at most 32 with a product, in [0, 1e9], got {no_shape!r}"
        )
        with pytest.raises(ValueError, match="^" + re.escape(sentence) + "$"):
            draw(1.5, no_shape)


@pytest.mark.parametrize("draw", SAMPLES.values(), ids=SAMPLES)
def test_a_size_to_which_the_arguments_do_not_broadcast_is_refused_in_one_sentence(draw):
    sentence = "size must be in the shapes to which (2,) broadcasts, got (5, 1)"
    with pytest.raises(ValueError, match="^" + re.escape(sentence) + "$"):
        draw([1.5, 2], (5, 1))


FAMILIES = [gaussian, laplace, geometric, discrete_gaussian, staircase, generalized_gaussian]
TWO = {generalized_gaussian: (3, 1.5), truncated_geometric: (3, 1.5), truncated_laplace: (3, 1.5)}


@pytest.mark.parametrize("family", [*FAMILIES, truncated_geometric, truncated_laplace])
def test_an_argument_that_is_not_a_generator_is_refused_in_one_sentence(family):
    arguments = ({staircase: (1.0, 0.3)} | TWO).get(family, (1.5,))
    with pytest.raises(ValueError, match=r"^rng must be a numpy\.random\.Generator, got 3$"):
        family.sample(3, *arguments)


def test_each_family_has_one_formula_of_its_half_width():
    significance = 10 ** np.random.default_rng(28).uniform(-250, -0.01, 500)
    laplace_to_gaussian = laplace.half_width(significance, 1.0) / gaussian.half_width(significance, 1.0)
    assert np.array_equal(equal_sigma("accuracy", 1.0, significance), laplace_to_gaussian)
    assert np.array_equal(gaussian_accuracy(3.0, significance), gaussian.half_width(significance, 3.0))
    for p in (1, 1.5, 2, 7):
        expected = generalized_gaussian.half_width(significance, 1.0, p)
        assert np.array_equal(size("accuracy", 1.0, p, significance), expected)
