"""Medians and other quantiles, released privately: the exact distribution of the release, and how far off it is.

What can be released is public: any number of a range, `Range(low, high)`, or one of the candidates of a grid,
`Grid(candidates, mechanism)`. From a range the exponential mechanism draws v with density ∝
e^{−ε|n_below(v) − qn|/(2Δ)}: Δ is max(q, 1 − q) if a person is added or removed, and 1 if one is replaced. Between
neighbouring values the density is constant, so that its distribution is exact. The error in ranks (people) hardly
depends on n; in the unit of the values it is that divided by how many people there are to the unit. The empty range
beyond the data has a probability that grows with its width: below some ε, or n, a release may be anywhere in it
(`cliff_probability`).

On a grid of values, such as ages from 0 to 120, permute-and-flip does better, and draws are exact (`sample`). A
noisy binary search is one of its mechanisms, for comparison. Several quantiles are released by themselves and composed,
recursively (`sample_recursive`), or read off a noisy histogram (`sample_histogram`): `drawn_half_widths` has the error
of both. Where the people are a sample,
`population_half_width` has both errors.

Values are data, or a distribution of `dpcore.clipping`, which stands for a typical sample: the quantiles at
(i − ½)/n. ε is in nats; errors are in the unit of the values or in ranks, and rounded up. Bad input raises
`ValueError`: `name must be in RANGE, got VALUE`. All public names stand here.

References
----------
[Smi11] Smith 2011, Privacy-preserving statistical estimation with optimal convergence rates, STOC. [MT07] McSherry &
Talwar 2007, Mechanism design via differential privacy, FOCS. [DDR20] Dong, Durfee & Rogers 2020, arXiv:1909.13830.
[KSS22] Kaplan, Schnapp & Stemmer 2022, Differentially private approximate quantiles, arXiv:2110.05429.
[DGMSS22] Drechsler, Globus-Harris, McMillan, Sarathy & Smith 2022, Nonparametric differentially private confidence
intervals for the median, arXiv:2106.10333.
"""

from dpcore.quantiles.cliff import Cliff, cliff_probability, epsilon_without_cliff, records_without_cliff
from dpcore.quantiles.distribution import ReleasedDistribution, bias, released_distribution, sample
from dpcore.quantiles.grid import Grid
from dpcore.quantiles.half_widths import (
    half_width,
    least_epsilon,
    least_records,
    population_half_width,
    rank_half_width,
)
from dpcore.quantiles.intervals import Range
from dpcore.quantiles.several import (
    drawn_half_widths,
    recursive_epsilon,
    sample_histogram,
    sample_recursive,
    single_epsilon,
)

__all__ = [
    "Cliff",
    "Grid",
    "Range",
    "ReleasedDistribution",
    "bias",
    "cliff_probability",
    "drawn_half_widths",
    "epsilon_without_cliff",
    "half_width",
    "least_epsilon",
    "least_records",
    "population_half_width",
    "rank_half_width",
    "records_without_cliff",
    "recursive_epsilon",
    "released_distribution",
    "sample",
    "sample_histogram",
    "sample_recursive",
    "single_epsilon",
]
