"""Differential-privacy trade-offs as functions of numbers and arrays.

Each module is a topic: `dpcore.gaussian`, `dpcore.laplace`, `dpcore.geometric`, `dpcore.staircase` and
`dpcore.generalized_gaussian` (noise for a promise and back), `dpcore.accuracy` (how far a release falls from the truth,
and what that costs), `dpcore.queries` (sensitivities, and a budget over several queries), `dpcore.laplace_gaussian`
(which noise is smaller), `dpcore.comparison` (the Gaussian bounds side by side, as data frames), `dpcore.tradeoff`
(f-DP: trade-off curves and what they mean), `dpcore.audit` (what an attack proves) and `dpcore.tables` (published
counts, and what noise does to them).
"""
