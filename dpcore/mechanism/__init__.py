"""One mechanism: noise of one family and scale, the guarantee that it satisfies, and what it does to a number.

A record of `dpcore.calibrations` is a formula; a `Mechanism` is what that formula gives at one setting. Whether its
guarantee holds is decided by `dpcore.calibrations` alone. ε is in nats, δ a probability; scales and sensitivities are
in query units.
"""

from dpcore.mechanism.choices import calibrated, calibrated_by_each, of_half_width, of_scale, proved
from dpcore.mechanism.record import LOWER_BOUND, NO_ANSWER, NO_SAFE_SAMPLER, NOT_PROVED, Mechanism, NoiseDistribution

__all__ = [
    "LOWER_BOUND",
    "NOT_PROVED",
    "NO_ANSWER",
    "NO_SAFE_SAMPLER",
    "Mechanism",
    "NoiseDistribution",
    "calibrated",
    "calibrated_by_each",
    "of_half_width",
    "of_scale",
    "proved",
]
