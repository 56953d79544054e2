"""The entries of the glossary on what is published, on several releases, on training, and on attackers."""

from pages.shared.site_map import CLIPPING, COMPOSITION, DENOISING, MEDIAN, PLAN, SERIES, TABLES
from pages.start.glossary.text import Entry

ENTRIES = {
    "contribution_limit": Entry(
        "Contribution limit",
        "The most that one person may add to a result: at most k cells of a table, or r records. What is beyond it is "
        "dropped before counting, and the noise grows with the limit.",
        "If each person adds 1 to at most 4 cells, Laplace noise needs 4 times the scale and Gaussian noise twice the "
        "σ of a table with 1 cell each. A limit that is chosen by looking at the data is not private.",
        "Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019",
        ((CLIPPING, "contributions"),),
        ("contribution bounding", "limit", "records per person"),
    ),
    "categories": Entry(
        "Categories",
        "The groups by which people are counted, such as districts: the cells of a table. Fix them without looking at "
        "the data. A category that appears only because somebody is in it reveals this person.",
        "Take categories from a public list, such as a register of districts, and publish all of them, also those in "
        "which nobody is, with noise in each.",
        "Korolova, Kenthapadi, Mishra & Ntoulas 2009",
        ((TABLES, "table"),),
        ("cells", "GROUP BY", "domain", "codes"),
    ),
    "unknown_groups": Entry(
        "Groups that come from the data",
        "Where nobody fixed a list of groups, the name of a group may reveal a person. Each count gets noise, and a "
        "group appears only if its noisy count reaches a threshold.",
        "The threshold is so high that a group of a single person appears with probability at most δ. A fixed minimum "
        "without noise does not suffice: a group that is at the minimum disappears with one person.",
        "Korolova, Kenthapadi, Mishra & Ntoulas 2009; Desfontaines, Voss, Gipson & Mandayam 2022",
        ((TABLES, "appear"),),
        ("partition selection", "threshold", "tau", "stability histogram", "suppression"),
    ),
    "clipping": Entry(
        "Clipping",
        "Values beyond a bound are replaced by the bound, so that one person moves a sum or a mean by a limited "
        "amount. A tight bound adds bias, a loose one requires more noise.",
        "Incomes above 100,000 are added as 100,000. Bounds that are read off confidential data are not private.",
        "Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019",
        ((CLIPPING, "sum"),),
        ("sum", "mean", "average", "bound", "outlier", "truncation"),
    ),
    "median": Entry(
        "Median and other quantiles",
        "The value in the middle: half of the people have less, half have more. To publish it privately, a value is "
        "drawn at random, and values near the middle are the most probable.",
        "A value has a score: the rank that it has among the people, compared with that of the middle. The exponential "
        "mechanism and permute-and-flip draw values of a public range by their score. The error in ranks hardly "
        "depends on n; in the unit of the values it is small where many people are close to the median. A few extreme "
        "values change little, which makes a median more robust than a mean.",
        "Smith 2011; McSherry & Talwar 2007",
        ((MEDIAN, "quantile"),),
        ("quantile", "percentile", "quartile", "middle"),
    ),
    "cliff": Entry(
        "Cliff of a quantile",
        "A private median or percentile may land anywhere in the empty part of its range, beyond all people. That is "
        "rare where many people lie between the percentile and the end of the data.",
        "The empty part attracts releases by its width, and each person between the percentile and the end of the data "
        "makes it less probable by a factor that depends on ε. Nobody lies beyond a maximum, so a private maximum is "
        "anywhere above all people. A narrower public range, a larger ε or a lower percentile helps.",
        "Smith 2011",
        ((MEDIAN, "quantile"),),
        ("maximum", "minimum", "outlier", "range", "empty"),
    ),
    "permute_and_flip": Entry(
        "Permute-and-flip",
        "A way to choose the best of several candidates privately: they are taken in a random order, each tosses a "
        "coin that favours good ones, and the first with heads is chosen.",
        "The best candidate’s coin always shows heads, and one with a score that is u below it shows heads with the "
        "probability e^−εu/(2Δ), where one person changes a score by at most Δ. It is ε-DP, and on average never worse "
        "than the exponential mechanism.",
        "McKenna & Sheldon 2020",
        ((MEDIAN, "largest"),),
        ("selection", "report noisy max", "exponential mechanism", "winner"),
    ),
    "sanitised_table": Entry(
        "Sanitised table",
        "A table of counts that may be published: with noise in every cell, also in empty ones, and after all rounding "
        "and corrections.",
        "It satisfies its guarantee if the cells were fixed without looking at the data, and if nobody adds more to "
        "them than the noise assumes.",
        "Barak et al. 2007",
        ((TABLES, "release"),),
        ("histogram", "contingency table", "counts"),
    ),
    "simultaneous_error": Entry(
        "Simultaneous error",
        "The ± within which all cells of a table are at once, in the stated share of releases. It is larger than the "
        "error of one cell, because it bounds the largest of many errors.",
        places=((TABLES, "table"),),
        other_names=("all cells", "maximum error"),
    ),
    "margin": Entry(
        "Margin",
        "A set of totals of a table: by row, by column, or over all cells.",
        "Every set that is released with its own noise increases the sensitivity; totals computed from the noisy cells "
        "cost nothing.",
        "Barak et al. 2007",
        ((TABLES, "table"),),
        ("total", "marginal", "row", "column"),
    ),
    "post_processing": Entry(
        "Post-processing",
        "Any computation on what is already published, without the data: rounding, replacing negative counts by 0, "
        "scaling to a public total. The guarantee stays the same.",
        "The result may be biased: counts that are clipped at 0 are too large on average.",
        "Dwork & Roth 2014, Proposition 2.1",
        ((TABLES, "release"), (DENOISING, "counts")),
        ("rounding", "negative counts"),
    ),
    "reconstruction": Entry(
        "Reconstruction and differencing",
        "Why noise is needed at all: exact counts reveal single people. If 87 people have a property, and 86 without "
        "one person, this person has it.",
        "That is differencing. With enough exact or nearly exact counts almost all records can be computed, which is "
        "reconstruction.",
        "Dinur & Nissim 2003; Garfinkel, Abowd & Martindale 2019",
        ((TABLES, "table"),),
        ("attack", "why noise"),
    ),
    "release_plan": Entry(
        "Release plan, marginal cost",
        "A plan gives each of several statistics its noise, from the errors that are wanted or from a total ε. The "
        "marginal cost of a statistic is what leaving it out would save.",
        "Since privacy losses add up unevenly, marginal costs do not sum to the total. Ten counts with ±5 in 95 % of "
        "releases require ε = 5.991 together at δ = 1e-6 with Laplace noise and 6.252 with Gaussian noise; for 30 of "
        "them Gaussian noise requires less, 11.99 instead of 15.93.",
        "Dong, Roth & Su 2022; Doroshenko et al. 2022",
        ((PLAN, "queries"),),
        ("budget", "several statistics", "queries"),
    ),
    "series": Entry(
        "Series and running totals",
        "Numbers that are published period after period, such as the total of all months so far. One person may be in "
        "many of them, so that ε must count for a person over the whole series.",
        "With noise in each of 36 months, the error of the last running total is 6 times that of one month. Noise in "
        "chosen sums of months does better: the square root has 2.21 times, and normalised 2.04 times, for a person in "
        "one month. Noise in each month is the best again for people who are in 18 of the 36 months or more.",
        "Dwork, Naor, Pitassi & Rothblum 2010; Fichtenberger, Henzinger & Upadhyay 2023",
        ((SERIES, "time"),),
        ("continual release", "monthly", "year to date", "time series", "prefix sum", "counter", "matrix mechanism"),
    ),
    "square_root_mechanism": Entry(
        "Square root mechanism",
        "A way to publish running totals: noise goes into sums of months with slowly falling weights, and each total "
        "is made of these noisy sums. As a matrix, the running total is the product of two equal roots.",
        "Normalised, each month has the same weight in all noisy sums together, which lowers the largest error. The "
        "noise of different totals is correlated, and is drawn once for the whole series.",
        "Fichtenberger, Henzinger & Upadhyay 2023; Henzinger, Kalinin & Upadhyay 2025",
        ((SERIES, "time"),),
        ("normalised square root", "factorization", "binary tree", "correlated noise"),
    ),
    "private_selection": Entry(
        "Private selection and the sparse vector technique",
        "Publishing only which of many candidates is best, such as the most frequent answer, costs one ε however many "
        "candidates there are.",
        "The exponential mechanism and report noisy max do so. The sparse vector technique answers a stream of queries "
        "and pays only for those above a threshold; several published variants are wrong.",
        "Dwork & Roth 2014, Chapter 3; Lyu, Su & Li 2017; Liu & Talwar 2019; Papernot & Steinke 2022",
        ((COMPOSITION, "together"),),
        ("report noisy max", "SVT", "top answer", "hyperparameters"),
    ),
    "sure": Entry(
        "SURE and James–Stein",
        "Two ways to remove some of the noise after a release. The James–Stein estimator shrinks noisy numbers towards "
        "a common point; SURE estimates the remaining error from the release alone.",
        "Stein’s unbiased risk estimate (SURE) is too optimistic after the best of many estimates was selected. The "
        "total error of the James–Stein estimator, for three or more numbers, is smaller than that of the noisy "
        "numbers.",
        "James & Stein 1961; Stein 1981",
        ((DENOISING, "counts"),),
        ("shrinkage", "denoising", "Stein’s unbiased risk estimate"),
    ),
    "kl_divergence": Entry(
        "KL divergence",
        "A number for how much one distribution differs from another: 0 if they are equal. For tables it compares the "
        "shares of the cells.",
        "It is Σ p ln(p/q), in nats, and not symmetric. The same small number is added to each cell before, so that "
        "none is 0.",
        "Kullback & Leibler 1951",
        ((TABLES, "release"),),
        ("Kullback–Leibler", "relative entropy"),
    ),
    "timing": Entry(
        "Timing",
        "How long a query takes can reveal what is in the data, although the released number is private.",
        "The time of a query or a sampler can depend on the data or on the noise, and an attacker who measures it "
        "learns from it. Publish in batches, or use constant-time samplers.",
        "Jin, McMurtry, Rubinstein & Ohrimenko 2022",
        ((TABLES, "table"),),
        ("side channel",),
    ),
}
