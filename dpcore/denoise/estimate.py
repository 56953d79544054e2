"""The result of an estimator for a release."""

from dataclasses import dataclass

from dpcore._records import PlainRecord
from dpcore.checks import Array


@dataclass(frozen=True)
class Estimate(PlainRecord):
    """Denoised numbers, and what the release alone tells of their error.

    `value` has the shape of the release; `sure` is Stein's unbiased estimate of E‖value − y‖² in squared query units,
    −dσ² + ‖value − ŷ‖² + 2σ² div, one for each release, which may be negative; `tuning` is the threshold, strength or
    factor that was used, NaN where there is none. Where the tuning was chosen by `sure` itself, `sure` is optimistic.
    """

    value: Array
    sure: Array
    tuning: Array
