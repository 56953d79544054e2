"""The generalized Gaussian mechanism of [Liu19]: noise of density ∝ e^{−(|x|/b)^p}, p = 1 Laplace and p = 2 Gaussian.

`distribution` has the noise itself, `scales` the b that a guarantee needs for one statistic and the guarantee of a b,
`convolution` the b for several, `bounded` and `exponential` those of statistics with bounds. The ℓ_p sensitivity comes
from `dpcore.sensitivity`. Guarantees are rounded to the safe side: scales, δ and ε up. Bad input raises `ValueError`:
`name must be in RANGE, got VALUE`. All public names stand here.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. "(own)" marks what is derived here.
"""

from dpcore.generalized_gaussian.bounded import (
    boundary_inflated_loss,
    exact_boundary_inflated_scale,
    exact_truncated_scale,
    truncated_loss,
    truncated_scale,
)
from dpcore.generalized_gaussian.bounded_distributions import (
    Moments,
    boundary_inflated_cdf,
    boundary_inflated_masses,
    boundary_inflated_moments,
    boundary_inflated_pdf,
    boundary_inflated_sample,
    truncated_cdf,
    truncated_moments,
    truncated_pdf,
    truncated_sample,
)
from dpcore.generalized_gaussian.convolution import EPSILON_RANGE as SEVERAL_EPSILON_RANGE
from dpcore.generalized_gaussian.convolution import MonteCarloScale, pdp_scale, pdp_scale_monte_carlo
from dpcore.generalized_gaussian.distribution import (
    cdf,
    half_width,
    isf,
    mean_absolute_error,
    pdf,
    sample,
    sf,
    tail,
    variance,
)
from dpcore.generalized_gaussian.exponential import EPSILON_RANGE as BOUNDED_EPSILON_RANGE
from dpcore.generalized_gaussian.exponential import (
    bounded_exponential_scale,
    exponential_mechanism_scale,
    lemma_exponential_scale,
    utility_sensitivity,
    utility_sensitivity_bound,
)
from dpcore.generalized_gaussian.scales import (
    PureScale,
    adp_scale,
    delta_from_scale,
    epsilon_from_scale,
    exact_pdp_scale,
    pdp_delta_from_scale,
    pdp_scale_disjoint,
    pure_scale,
)

__all__ = [
    "BOUNDED_EPSILON_RANGE",
    "SEVERAL_EPSILON_RANGE",
    "Moments",
    "MonteCarloScale",
    "PureScale",
    "adp_scale",
    "boundary_inflated_cdf",
    "boundary_inflated_loss",
    "boundary_inflated_masses",
    "boundary_inflated_moments",
    "boundary_inflated_pdf",
    "boundary_inflated_sample",
    "bounded_exponential_scale",
    "cdf",
    "delta_from_scale",
    "epsilon_from_scale",
    "exact_boundary_inflated_scale",
    "exact_pdp_scale",
    "exact_truncated_scale",
    "exponential_mechanism_scale",
    "half_width",
    "isf",
    "lemma_exponential_scale",
    "mean_absolute_error",
    "pdf",
    "pdp_delta_from_scale",
    "pdp_scale",
    "pdp_scale_disjoint",
    "pdp_scale_monte_carlo",
    "pure_scale",
    "sample",
    "sf",
    "tail",
    "truncated_cdf",
    "truncated_loss",
    "truncated_moments",
    "truncated_pdf",
    "truncated_sample",
    "truncated_scale",
    "utility_sensitivity",
    "utility_sensitivity_bound",
    "variance",
]
