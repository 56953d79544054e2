"""Differential-privacy trade-offs as functions of numbers and arrays.

Each module is a topic: a noise, such as `dpcore.gaussian` or `dpcore.laplace` (noise for a guarantee and back),
`dpcore.families` (a record of each noise, with its module), `dpcore.accuracy` (how far a release falls from the truth,
and what that costs), `dpcore.sensitivity` (how far the answers on neighbouring data sets differ),
`dpcore.laplace_gaussian` (which noise is smaller), `dpcore.optimal_noise` (the least noise of any shape),
`dpcore.comparison` (the Gaussian bounds side by side, as data frames), `dpcore.tradeoff` (f-DP: trade-off curves and
what they mean), `dpcore.risk` (noise from the risk that is acceptable), `dpcore.composition` (what many releases cost
together), `dpcore.clipping` (where to cut values and contributions), `dpcore.plan` (mechanisms for several wanted
errors, and their total ε), `dpcore.audit` (what an attack proves), `dpcore.tables` (published counts, and what noise
does to them), `dpcore.denoise` (what can be won back after a Gaussian release), `dpcore.graphs` and `dpcore.places`
(graphs, and points counted on grids and at junctions), `dpcore.linear_queries` (series, running totals and ranges),
`dpcore.local` (surveys in which each person adds the noise), `dpcore.selection` (the best of several candidates),
`dpcore.unknown_groups` (which groups may appear at all), `dpcore.quantiles` (medians and other quantiles, and how far a
release of one is off), `dpcore.verify` (proofs of a guarantee in interval arithmetic, with python-flint),
`dpcore.normal` (normal tails without cancellation), `dpcore.rounding` (rounding to the safe side), `dpcore.roots`
(roots in a bracket) and `dpcore.checks` (how input is refused, and the intervals that modules share).

The families of noise rhyme. Laplace, geometric and Gaussian noise (whose `scale` is called `sigma`) have the functions
`scale_from_epsilon(epsilon, delta, sensitivity)`, `delta_from_scale(epsilon, scale, sensitivity)`,
`epsilon_from_scale(delta, scale, sensitivity)`; and of the noise itself `pdf` or `pmf` and `cdf` of (x, scale),
`tail(t, scale)`, `half_width(significance, scale)`, `variance(scale)`, `mean_absolute_error(scale)` and
`sample(rng, scale, size)`. Staircase noise has them with θ, γ and Δ for a scale; discrete Gaussian noise has them with
`sigma_from_delta` for the first, and with the number of cells that a person moves. Truncated Laplace and geometric
noise have a bound and a scale, and `bound_from_epsilon(epsilon, delta, sensitivity)` for the first.
"""

from pkgutil import iter_modules as _iter_modules

# pyright: reportUnsupportedDunderAll=false
__all__ = [module.name for module in _iter_modules(__path__) if not module.name.startswith("_")]
__version__ = "0.1.0"
