"""Proof of a guarantee: the δ that noise really has, enclosed in interval arithmetic on a path of its own.

Each function evaluates the definition of a profile in the ball arithmetic of Arb ([J17], python-flint) with at least
128 bits, doubled until the value is certain to 64 of them, and gives an `Enclosure`: two doubles, rounded outwards,
between which the true δ lies. Nothing of the rest of `dpcore` is called but its checks of input: no stable form,
special function or solver, so that a slip in one of them is not repeated here. What is taken over is mathematics: at
which outputs the loss exceeds ε, and for staircase noise their probability.

The numbers given are taken for the doubles that they are, a `Decimal` for the decimal that it is. A proof covers the
profile of the noise in real numbers: not a sampler's floating point, and not whether the sensitivity is right; of
the sums of a series `sums_change` encloses that.

`proved` says whether an enclosure proves a guarantee, `sentence` says it in words. The arguments have the names and the
order of the profile in `dpcore` that they check, and are one number each. Bad input raises `ValueError`: `name must be
in RANGE, got VALUE`.

This module alone needs python-flint, the extra `verify` of the package; nothing else of `dpcore` imports it.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [CKS20] Canonne, Kamath & Steinke 2020, arXiv:2004.00010. [J17] F.
Johansson 2017, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic, IEEE Trans. Comput. 66(8).
"""

try:
    import flint  # noqa: F401
except ImportError:
    raise ImportError("dpcore.verify needs python-flint: pip install python-flint") from None

from dpcore.verify.composition import composition_delta, discrete_gaussian_sums_delta, renyi_delta
from dpcore.verify.formulas import Enclosure, proved, sentence
from dpcore.verify.powers import (
    epsilon_delta_power,
    gaussian_power,
    generalized_gaussian_power,
    geometric_power,
    laplace_power,
    truncated_geometric_power,
    truncated_laplace_power,
)
from dpcore.verify.profiles import (
    discrete_gaussian_delta,
    discrete_gaussian_tail,
    gaussian_delta,
    gaussian_pdp_delta,
    gaussian_tail,
    generalized_gaussian_delta,
    generalized_gaussian_pdp_delta,
    generalized_gaussian_tail,
    geometric_delta,
    geometric_tail,
    laplace_delta,
    laplace_tail,
    staircase_delta,
    truncated_geometric_delta,
    truncated_geometric_tail,
    truncated_laplace_delta,
    truncated_laplace_tail,
)
from dpcore.verify.sums import sums_change
from dpcore.verify.thresholds import choice_delta, randomizer_delta, threshold_delta

__all__ = [
    "Enclosure",
    "choice_delta",
    "composition_delta",
    "discrete_gaussian_delta",
    "discrete_gaussian_sums_delta",
    "discrete_gaussian_tail",
    "epsilon_delta_power",
    "gaussian_delta",
    "gaussian_pdp_delta",
    "gaussian_power",
    "gaussian_tail",
    "generalized_gaussian_delta",
    "generalized_gaussian_pdp_delta",
    "generalized_gaussian_power",
    "generalized_gaussian_tail",
    "geometric_delta",
    "geometric_power",
    "geometric_tail",
    "laplace_delta",
    "laplace_power",
    "laplace_tail",
    "proved",
    "randomizer_delta",
    "renyi_delta",
    "sentence",
    "staircase_delta",
    "sums_change",
    "threshold_delta",
    "truncated_geometric_delta",
    "truncated_geometric_power",
    "truncated_geometric_tail",
    "truncated_laplace_delta",
    "truncated_laplace_power",
    "truncated_laplace_tail",
]
