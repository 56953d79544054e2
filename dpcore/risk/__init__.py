"""Noise from the risk that is acceptable: the inverses of the readings of `dpcore.tradeoff`.

A risk bounds what an attacker who sees the release, and knows everything but whether one person is in the data, may
reach. With the trade-off curve f of a mechanism, false positive rate α and true positive rate 1 − f(α):

- outcome: the largest posterior after any outcome, for a prior π: π/(π + (1 − π)e^{−ε}) under pure ε-DP. Nothing else
  bounds it: with Gaussian noise, or under (ε, δ)-DP with δ > 0, some outcomes may leave no doubt, however rare;
- advantage: max over α of 1 − α − f(α), by how much the best membership attack beats guessing;
- power: 1 − f(α), the share of members that are identified when a share α of the others is accused;
- posterior: π(1 − f(α))/(π(1 − f(α)) + (1 − π)α), how sure a positive test makes an attacker whose prior is π;
- success: max over α of π(1 − f(α)) + (1 − π)(1 − α), the share of right guesses of membership at prior π;
- reconstruction: 1 − f(κ): who guesses a record or an attribute with chance κ without the release does so with at most
  this chance after it.

Each has an inverse for Gaussian noise (`mu_from_risk`, μ = Δ₂/σ), Laplace noise (`laplace_theta_from_risk`, θ = Δ₁/b),
geometric noise (`geometric_theta_from_risk`, θ = Δ/s), DP-SGD (`dp_sgd_noise_multiplier_from_risk`), lists of releases
(`noise_factor_from_risk`) and for a guarantee alone (`epsilon_from_risk`, the weakest (ε, δ) that ensures the risk
whatever the mechanism). "outcome" is "posterior" at α = 0. Calibrating noise directly needs less of it than the detour
over a guarantee.

μ, θ and ε are rounded down, noise up, in their last bits. Directions: the curves of Gaussian, Laplace and geometric
noise and of a guarantee are their own inverse, so that it does not matter which of two neighbouring data sets is the
null hypothesis; for DP-SGD and lists the curve below both directions counts. Neighbours are those of the sensitivity.

References
----------
[KGK24] Kulynych, Gomez, Kaissis, du Pin Calmon & Troncoso 2024, NeurIPS 37, arXiv:2407.02191 (library riskcal).
[DRS22] Dong, Roth & Su 2022, JRSS-B 84(1), doi:10.1111/rssb.12454. [BCH22] Balle, Cherubin & Hayes 2022,
arXiv:2201.04845. [HMB23] Hayes, Mahloujifar & Balle 2023, arXiv:2302.07225. [LC11] Lee & Clifton 2011.
"""

from dpcore.risk.calibrations import (
    RiskCalibration,
    dp_sgd_calibration,
    gaussian_calibration,
    geometric_calibration,
    laplace_calibration,
    releases_calibration,
)
from dpcore.risk.guarantees import CONDITIONS, Risk, epsilon_from_risk, reached_risk
from dpcore.risk.noises import geometric_theta_from_risk, laplace_theta_from_risk, mu_from_risk
from dpcore.risk.releases import (
    LEAST_NOISE_MULTIPLIER,
    dp_sgd_noise_multiplier_from_risk,
    noise_factor_from_epsilon,
    noise_factor_from_pure,
    noise_factor_from_risk,
    scaled_releases,
)

__all__ = [
    "CONDITIONS",
    "LEAST_NOISE_MULTIPLIER",
    "Risk",
    "RiskCalibration",
    "dp_sgd_calibration",
    "dp_sgd_noise_multiplier_from_risk",
    "epsilon_from_risk",
    "gaussian_calibration",
    "geometric_calibration",
    "geometric_theta_from_risk",
    "laplace_calibration",
    "laplace_theta_from_risk",
    "mu_from_risk",
    "noise_factor_from_epsilon",
    "noise_factor_from_pure",
    "noise_factor_from_risk",
    "reached_risk",
    "releases_calibration",
    "scaled_releases",
]
