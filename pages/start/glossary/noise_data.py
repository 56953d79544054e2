"""The entries of the glossary on noise: one for each family, and how noise is drawn and judged."""

from pages.shared.formulas import CERTAINTY
from pages.shared.site_map import (
    ACCURACY,
    COMPOSITION,
    GAUSSIAN_BOUNDS,
    GENERALIZED_GAUSSIAN,
    LAPLACE_GAUSSIAN,
    PAPERS,
    TABLES,
)
from pages.start.glossary.text import Entry

ENTRIES = {
    "laplace": Entry(
        "Laplace noise",
        "Random noise that is most often near 0 and, step by step outwards, rarer by the same factor. It is the usual "
        "noise for one number or a few, and needs no δ.",
        "Its density is proportional to e^(−|x|/b), with b = Δ₁/ε. A count at ε = 1 is within ±3 of the truth in 95 % "
        "of releases.",
        "Dwork, McSherry, Nissim & Smith 2006",
        ((LAPLACE_GAUSSIAN, "density"), (ACCURACY, "accuracy")),
        ("Laplace mechanism", "scale b"),
    ),
    "geometric": Entry(
        "Geometric noise",
        "Laplace noise in whole numbers, so that noisy counts stay whole. It needs no δ, and can be drawn exactly.",
        "A whole number k has a probability proportional to e^(−ε|k|/Δ₁). A count at ε = 1 is within ±3 of the truth "
        "in 95 % of releases, and its standard deviation is 1.36.",
        "Ghosh, Roughgarden & Sundararajan 2009",
        ((TABLES, "table"), (ACCURACY, "accuracy")),
        ("discrete Laplace", "geometric mechanism"),
    ),
    "staircase": Entry(
        "Staircase noise",
        "Noise whose density falls in steps instead of along a curve. For one number and a large ε it has much less "
        "error than Laplace noise, without a δ.",
        "Each further step is as long as the sensitivity, and lower by the factor e^ε than the one before. At ε = 5 "
        "its standard deviation for one count is 0.173, and that of Laplace noise 0.283. No published sampler is safe "
        "in floating point.",
        "Geng & Viswanath 2016",
        ((ACCURACY, "accuracy"),),
        ("staircase mechanism",),
    ),
    "gaussian": Entry(
        "Gaussian noise",
        "Noise of the normal distribution, the bell curve: large errors are rarer than with Laplace noise. It suits "
        "many numbers at once and always needs a δ above 0.",
        "The analytic formula gives the least σ that (ε, δ)-DP requires. A count at ε = 1 and δ = 1e-6 requires σ = "
        "4.225, and is within ±8.3 of the truth in 95 % of releases.",
        "Dwork & Roth 2014, Appendix A; Balle & Wang 2018",
        ((GAUSSIAN_BOUNDS, "bounds"), (LAPLACE_GAUSSIAN, "density")),
        ("normal distribution", "Gaussian mechanism", "analytic Gaussian", "bell curve"),
    ),
    "discrete_gaussian": Entry(
        "Discrete Gaussian noise",
        "Gaussian noise on the whole numbers: noisy counts stay whole, and it can be drawn exactly.",
        "A whole number y has a probability proportional to e^(−y²/(2σ²)). Its δ is a sum of its own, close to that of "
        "Gaussian noise with the same σ if σ is large.",
        "Canonne, Kamath & Steinke 2020",
        ((TABLES, "table"),),
    ),
    "generalized_gaussian": Entry(
        "Generalized Gaussian noise",
        "A family of noise between and beyond Laplace and Gaussian: one number, the shape p, says how fast large "
        "errors become rare.",
        "Its density is proportional to e^(−(|x|/b)^p): p = 1 is Laplace, p = 2 is Gaussian, and larger values have "
        "shorter tails. No published sampler is safe in floating point.",
        "Liu 2019",
        ((GENERALIZED_GAUSSIAN, "shapes"),),
        ("shape p", "GGM"),
    ),
    "truncated_laplace": Entry(
        "Truncated Laplace noise",
        "Laplace noise that is cut off, so that no error is beyond a known ±A. The price is a δ.",
        "It satisfies (ε, δ)-DP; δ is spent for the limit: with probability up to δ an outcome "
        f"{CERTAINTY}. For one count at ε = 1 and δ = 1e-6 no error is beyond ±13.67.",
        "Geng, Ding, Guo & Kumar 2020",
        ((ACCURACY, "accuracy"),),
        ("truncated noise", "bounded error"),
    ),
    "truncated_geometric": Entry(
        "Truncated geometric noise",
        "Geometric noise between two whole numbers −N and N, so that no error is beyond ±N. The price is a δ.",
        "It satisfies (ε, δ)-DP; δ is spent for the limit: with probability up to δ an outcome "
        f"{CERTAINTY}. For one count at ε = 1 and δ = 1e-6 no error is beyond ±14.",
        "own derivation from the definition",
        ((TABLES, "table"),),
        ("truncated noise", "bounded error"),
    ),
    "least_noise": Entry(
        "Least noise of any shape",
        "How small the error could be with the best noise that is possible: for one number, the least variance of all "
        "noise of (ε, δ)-DP.",
        "It lies between two bounds: the dual solution of a linear program proves the lower one, and known noise "
        "reaches the upper one.",
        "Geng & Viswanath 2016; own derivation",
        ((ACCURACY, "accuracy"),),
        ("optimal noise",),
    ),
    "sigma": Entry(
        "σ, the standard deviation",
        "How far noisy numbers typically lie from the truth, in the units of the query. About two thirds of Gaussian "
        "noise lies within ±σ, and 95 % within ±1.96 σ.",
        places=((GAUSSIAN_BOUNDS, "bounds"),),
        other_names=("sigma", "standard deviation", "scale"),
    ),
    "corollary_9": Entry(
        "Corollary 9",
        "A published formula for the scale of generalized Gaussian noise that is enough for probabilistic DP, and "
        "mostly more than enough.",
        "It is Liu’s sufficient scale. At p = 1 and δ up to ½ it equals the exact scale; otherwise it is larger.",
        "Liu 2019, Corollary 9",
        ((GENERALIZED_GAUSSIAN, "size"), (PAPERS, "pdp")),
    ),
    "exponential_mechanism": Entry(
        "Exponential mechanism",
        "A way to publish a choice instead of a noisy number: every possible answer gets a score from the data, and "
        "one is drawn at random, those with high scores most often.",
        "An answer with score u has a probability proportional to e^(εu/(2Δ)), where one person changes a score by at "
        "most Δ.",
        "McSherry & Talwar 2007",
        ((PAPERS, "exponential"),),
        ("private choice",),
    ),
    "exact_samplers": Entry(
        "Floating point and exact samplers",
        "Computers round the noise they draw, and the last digits can reveal the true value. An exact sampler draws "
        "whole-number noise without such rounding.",
        "The proofs assume exact real-valued noise. Noise from a floating-point sampler leaves patterns in the last "
        "digits, from which the true value can be computed. Discrete noise from an exact sampler, or a snapping "
        "mechanism, avoids this.",
        "Mironov 2012; Canonne, Kamath & Steinke 2020; Haney et al. 2022",
        ((TABLES, "table"),),
        ("sampler", "snapping", "rounding"),
    ),
    "confidence": Entry(
        "Confidence of the error interval",
        "The share of releases that are within the stated ± of the truth, such as 95 %. It has no effect on privacy.",
        "It is one minus the significance level.",
        places=((ACCURACY, "accuracy"),),
        other_names=("significance", "error interval", "half-width", "margin of error", "±"),
    ),
    "sampling_error": Entry(
        "Sampling error and noise together",
        "If the data are a sample, a result has two errors: that of the sample, and the noise. The stated ± of the "
        "noise alone holds for the data, and not for the population.",
        "For the population, add the variances of sampling and noise: a proportion of one half among 1,000 people has "
        "a standard error of 0.0158 by sampling, 0.0014 by Laplace noise at ε = 1, and 0.0159 together; among 20 "
        "people it is 0.112, 0.071 and 0.132.",
        "Du et al. 2020; Ferrando, Wang & Sheldon 2022",
        ((ACCURACY, "accuracy"),),
        ("survey", "standard error", "population"),
    ),
    "composition": Entry(
        "Composition",
        "What several releases about the same people guarantee together. Each costs something: at most the sum of "
        "their ε and of their δ, and often less.",
        "The sum is called basic composition. Less is enough if the mechanisms are known: see accountant.",
        "Dwork & Roth 2014, Section 3.5; Kairouz, Oh & Viswanath 2017",
        ((COMPOSITION, "together"),),
        ("basic composition", "total", "budget", "sum"),
    ),
    "parallel_composition": Entry(
        "Parallel composition",
        "If releases use the records of different people, such as different districts, one person is in only one of "
        "them. Together they cost no more than the costliest of them, if no person can change the group.",
        "Three groups released at ε = 1, 0.5 and 0.5 cost ε = 1 together under add/remove-one neighbours, instead of "
        "2; under replace-one neighbours a record can change its group, and they cost the two largest, 1.5.",
        "McSherry 2009, Theorem 4",
        ((COMPOSITION, "together"),),
        ("groups", "disjoint"),
    ),
    "adaptive_composition": Entry(
        "Adaptive composition, filters and odometers",
        "When later queries are chosen by earlier answers. Usual composition covers this if the noise was fixed in "
        "advance; a privacy filter or an odometer covers more.",
        "In adaptive composition each query may depend on earlier answers, while the mechanisms and their parameters "
        "are fixed in advance. A privacy filter also lets the parameters depend on earlier answers and stops before a "
        "total budget is exceeded; an odometer states the total spent so far.",
        "Rogers, Roth, Ullman & Vadhan 2016; Whitehouse, Ramdas, Rogers & Wu 2023",
        ((COMPOSITION, "together"),),
        ("privacy filter", "privacy odometer"),
    ),
    "accountant": Entry(
        "Accountant",
        "A method that computes what several releases cost together in ε and δ. Better ones give a smaller and still "
        "proved total.",
        "Some add Rényi divergences (zCDP, Rényi DP); others use the whole distribution of the privacy loss, which is "
        "tighter.",
        "Abadi et al. 2016; Doroshenko et al. 2022",
        ((COMPOSITION, "accountants"),),
        ("moments accountant", "PLD", "privacy loss distribution"),
    ),
    "zcdp": Entry(
        "zCDP and Rényi DP, ρ and the order α",
        "Other measures of privacy loss than ε and δ, which simply add up over releases. An accountant turns their sum "
        "into ε and δ.",
        "They bound Rényi divergences, which are logarithms of exponential moments of the privacy loss. ρ is the "
        "parameter of zero-concentrated DP, for Gaussian noise Δ₂²/(2σ²). Rényi DP gives one bound for each order α > "
        "1, and the best order is used: ρ = 0.5 gives ε = 5.222 at δ = 1e-6.",
        "Bun & Steinke 2016; Mironov 2017; Canonne, Kamath & Steinke 2020",
        ((COMPOSITION, "accountants"),),
        ("zero-concentrated", "rho", "RDP", "Renyi"),
    ),
    "dp_sgd": Entry(
        "DP-SGD",
        "The usual way to train a model privately, in many noisy steps. Each limits what one record can change, and "
        "adds noise.",
        "Each step draws a random batch of records, clips the gradient of every record to the norm C, and adds "
        "Gaussian noise to their sum.",
        "Abadi et al. 2016",
        ((COMPOSITION, "training"),),
        ("machine learning", "training", "model", "stochastic gradient descent"),
    ),
    "noise_multiplier": Entry(
        "Noise multiplier",
        "How large the noise is compared with what one person can change: the standard deviation of the noise divided "
        "by the sensitivity.",
        "In DP-SGD the sensitivity is the clipping norm C.",
        "Abadi et al. 2016",
        ((COMPOSITION, "training"),),
        ("sigma over C",),
    ),
    "sampling_rate": Entry(
        "Sampling rate q",
        "The probability that a record is in the batch of a step of training. Because the batch is secret, a step "
        "costs less than the same noise on all records.",
        source="Abadi et al. 2016",
        places=((COMPOSITION, "training"),),
        other_names=("batch", "subsampling"),
    ),
    "sampling_amplification": Entry(
        "Amplification by sampling",
        "A result from a random, secret sample is more private than one from all people, since any one person is "
        "probably not in it.",
        "If a mechanism with ε runs on a random sample that contains each record with probability q, it satisfies "
        "ln(1 + q(e^ε − 1)): ε = 1 becomes 0.01704 at q = 1 %. The sample must be secret and drawn in this way.",
        "Balle, Barthe & Gaboardi 2018",
        ((COMPOSITION, "training"),),
        ("subsampling", "survey"),
    ),
    "shuffle_model": Entry(
        "Shuffle model, amplification by shuffling",
        "People randomise their answers themselves, and a shuffler removes who sent which. For those who see only the "
        "shuffled answers, the guarantee is much stronger than that of each answer.",
        "If the shuffler is trusted, 10,000 reports with ε = 1 each satisfy ε = 0.05301 together at δ = 1e-6. This "
        "does not apply to shuffled batches of DP-SGD.",
        "Feldman, McMillan & Talwar 2023, Theorem 3.2",
        ((COMPOSITION, "batching"),),
        ("shuffler", "shuffling"),
    ),
    "shape": Entry(
        "Shape p",
        "The exponent of generalized Gaussian noise, which says how fast large errors become rare: 1 is Laplace, 2 is "
        "Gaussian, and larger values have shorter tails.",
        source="Liu 2019",
        places=((GENERALIZED_GAUSSIAN, "shapes"),),
    ),
}
