"""The entries of the glossary on noise: one for each family, and how noise is drawn and judged."""

from pages.shared.formulas import CERTAINTY
from pages.shared.site_map import ACCURACY, GAUSSIAN_BOUNDS, GENERALIZED_GAUSSIAN, LAPLACE_GAUSSIAN, PAPERS, TABLES
from pages.start.glossary.text import Entry

ENTRIES = (
    Entry(
        "laplace",
        "Laplace noise",
        "Random noise that is most often near 0 and, step by step outwards, rarer by the same factor. It is the usual "
        "noise for one number or a few, and needs no δ.",
        "Its density is proportional to e^(−|x|/b), with b = Δ₁/ε. A count at ε = 1 is within ±3 of the truth in 95 % "
        "of releases.",
        "Dwork, McSherry, Nissim & Smith 2006",
        ((LAPLACE_GAUSSIAN, "density"), (ACCURACY, "accuracy")),
        ("Laplace mechanism", "scale b"),
    ),
    Entry(
        "geometric",
        "Geometric noise",
        "Laplace noise in whole numbers, so that noisy counts stay whole. It needs no δ, and can be drawn exactly.",
        "A whole number k has a probability proportional to e^(−ε|k|/Δ₁). A count at ε = 1 is within ±3 of the truth "
        "in 95 % of releases, and its standard deviation is 1.36.",
        "Ghosh, Roughgarden & Sundararajan 2009",
        ((TABLES, "table"), (ACCURACY, "accuracy")),
        ("discrete Laplace", "geometric mechanism"),
    ),
    Entry(
        "staircase",
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
    Entry(
        "gaussian",
        "Gaussian noise",
        "Noise of the normal distribution, the bell curve: large errors are rarer than with Laplace noise. It suits "
        "many numbers at once and always needs a δ above 0.",
        "The analytic formula gives the least σ that (ε, δ)-DP requires. A count at ε = 1 and δ = 1e-6 requires σ = "
        "4.225, and is within ±8.3 of the truth in 95 % of releases.",
        "Dwork & Roth 2014, Appendix A; Balle & Wang 2018",
        ((GAUSSIAN_BOUNDS, "bounds"), (LAPLACE_GAUSSIAN, "density")),
        ("normal distribution", "Gaussian mechanism", "analytic Gaussian", "bell curve"),
    ),
    Entry(
        "discrete_gaussian",
        "Discrete Gaussian noise",
        "Gaussian noise on the whole numbers: noisy counts stay whole, and it can be drawn exactly.",
        "A whole number y has a probability proportional to e^(−y²/(2σ²)). Its δ is a sum of its own, close to that of "
        "Gaussian noise with the same σ if σ is large.",
        "Canonne, Kamath & Steinke 2020",
        ((TABLES, "table"),),
    ),
    Entry(
        "generalized_gaussian",
        "Generalized Gaussian noise",
        "A family of noise between and beyond Laplace and Gaussian: one number, the shape p, says how fast large "
        "errors become rare.",
        "Its density is proportional to e^(−(|x|/b)^p): p = 1 is Laplace, p = 2 is Gaussian, and larger values have "
        "shorter tails. No published sampler is safe in floating point.",
        "Liu 2019",
        ((GENERALIZED_GAUSSIAN, "shapes"),),
        ("shape p", "GGM"),
    ),
    Entry(
        "truncated_laplace",
        "Truncated Laplace noise",
        "Laplace noise that is cut off, so that no error is beyond a known ±A. The price is a δ.",
        "It satisfies (ε, δ)-DP; δ is spent for the limit: with probability up to δ an outcome "
        f"{CERTAINTY}. For one count at ε = 1 and δ = 1e-6 no error is beyond ±13.67.",
        "Geng, Ding, Guo & Kumar 2020",
        ((ACCURACY, "accuracy"),),
        ("truncated noise", "bounded error"),
    ),
    Entry(
        "truncated_geometric",
        "Truncated geometric noise",
        "Geometric noise between two whole numbers −N and N, so that no error is beyond ±N. The price is a δ.",
        "It satisfies (ε, δ)-DP; δ is spent for the limit: with probability up to δ an outcome "
        f"{CERTAINTY}. For one count at ε = 1 and δ = 1e-6 no error is beyond ±14.",
        "own derivation from the definition",
        ((TABLES, "table"),),
        ("truncated noise", "bounded error"),
    ),
    Entry(
        "least_noise",
        "Least noise of any shape",
        "How small the error could be with the best noise that is possible: for one number, the least variance of all "
        "noise of (ε, δ)-DP.",
        "It lies between two bounds: the dual solution of a linear program proves the lower one, and known noise "
        "reaches the upper one.",
        "Geng & Viswanath 2016; own derivation",
        ((ACCURACY, "accuracy"),),
        ("optimal noise",),
    ),
    Entry(
        "sigma",
        "σ, the standard deviation",
        "How far noisy numbers typically lie from the truth, in the units of the query. About two thirds of Gaussian "
        "noise lies within ±σ, and 95 % within ±1.96 σ.",
        "",
        "",
        ((GAUSSIAN_BOUNDS, "bounds"),),
        ("sigma", "standard deviation", "scale"),
    ),
    Entry(
        "corollary_9",
        "Corollary 9",
        "A published formula for the scale of generalized Gaussian noise that is enough for probabilistic DP, and "
        "mostly more than enough.",
        "It is Liu’s sufficient scale. At p = 1 and δ up to ½ it equals the exact scale; otherwise it is larger.",
        "Liu 2019, Corollary 9",
        ((GENERALIZED_GAUSSIAN, "size"), (PAPERS, "pdp")),
    ),
    Entry(
        "exponential_mechanism",
        "Exponential mechanism",
        "A way to publish a choice instead of a noisy number: every possible answer gets a score from the data, and "
        "one is drawn at random, those with high scores most often.",
        "An answer with score u has a probability proportional to e^(εu/(2Δ)), where one person changes a score by at "
        "most Δ.",
        "McSherry & Talwar 2007",
        ((PAPERS, "exponential"),),
        ("private choice",),
    ),
    Entry(
        "exact_samplers",
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
    Entry(
        "confidence",
        "Confidence of the error interval",
        "The share of releases that are within the stated ± of the truth, such as 95 %. It has no effect on privacy.",
        "It is one minus the significance level.",
        "",
        ((ACCURACY, "accuracy"),),
        ("significance", "error interval", "half-width", "margin of error", "±"),
    ),
    Entry(
        "sampling_error",
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
)
