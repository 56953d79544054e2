"""The entries of the glossary on several releases together, and on the training of models."""

from pages.shared.site_map import COMPOSITION, GENERALIZED_GAUSSIAN
from pages.start.glossary.text import Entry

ENTRIES = (
    Entry(
        "composition",
        "Composition",
        "What several releases about the same people guarantee together. Each costs something: at most the sum of "
        "their ε and of their δ, and often less.",
        "The sum is called basic composition. Less is enough if the mechanisms are known: see accountant.",
        "Dwork & Roth 2014, Section 3.5; Kairouz, Oh & Viswanath 2017",
        ((COMPOSITION, "together"),),
        ("basic composition", "total", "budget", "sum"),
    ),
    Entry(
        "parallel_composition",
        "Parallel composition",
        "If releases use the records of different people, such as different districts, one person is in only one of "
        "them. Together they cost no more than the costliest of them, if no person can change the group.",
        "Three groups released at ε = 1, 0.5 and 0.5 cost ε = 1 together under add/remove-one neighbours, instead of "
        "2; under replace-one neighbours a record can change its group, and they cost the two largest, 1.5.",
        "McSherry 2009, Theorem 4",
        ((COMPOSITION, "together"),),
        ("groups", "disjoint"),
    ),
    Entry(
        "adaptive_composition",
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
    Entry(
        "accountant",
        "Accountant",
        "A method that computes what several releases cost together in ε and δ. Better ones give a smaller and still "
        "proved total.",
        "Some add Rényi divergences (zCDP, Rényi DP); others use the whole distribution of the privacy loss, which is "
        "tighter.",
        "Abadi et al. 2016; Doroshenko et al. 2022",
        ((COMPOSITION, "accountants"),),
        ("moments accountant", "PLD", "privacy loss distribution"),
    ),
    Entry(
        "zcdp",
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
    Entry(
        "dp_sgd",
        "DP-SGD",
        "The usual way to train a model privately, in many noisy steps. Each limits what one record can change, and "
        "adds noise.",
        "Each step draws a random batch of records, clips the gradient of every record to the norm C, and adds "
        "Gaussian noise to their sum.",
        "Abadi et al. 2016",
        ((COMPOSITION, "training"),),
        ("machine learning", "training", "model", "stochastic gradient descent"),
    ),
    Entry(
        "noise_multiplier",
        "Noise multiplier",
        "How large the noise is compared with what one person can change: the standard deviation of the noise divided "
        "by the sensitivity.",
        "In DP-SGD the sensitivity is the clipping norm C.",
        "Abadi et al. 2016",
        ((COMPOSITION, "training"),),
        ("sigma over C",),
    ),
    Entry(
        "sampling_rate",
        "Sampling rate q",
        "The probability that a record is in the batch of a step of training. Because the batch is secret, a step "
        "costs less than the same noise on all records.",
        "",
        "Abadi et al. 2016",
        ((COMPOSITION, "training"),),
        ("batch", "subsampling"),
    ),
    Entry(
        "sampling_amplification",
        "Amplification by sampling",
        "A result from a random, secret sample is more private than one from all people, since any one person is "
        "probably not in it.",
        "If a mechanism with ε runs on a random sample that contains each record with probability q, it satisfies "
        "ln(1 + q(e^ε − 1)): ε = 1 becomes 0.01704 at q = 1 %. The sample must be secret and drawn in this way.",
        "Balle, Barthe & Gaboardi 2018",
        ((COMPOSITION, "training"),),
        ("subsampling", "survey"),
    ),
    Entry(
        "shuffle_model",
        "Shuffle model, amplification by shuffling",
        "People randomise their answers themselves, and a shuffler removes who sent which. For those who see only the "
        "shuffled answers, the guarantee is much stronger than that of each answer.",
        "If the shuffler is trusted, 10,000 reports with ε = 1 each satisfy ε = 0.05301 together at δ = 1e-6. This "
        "does not apply to shuffled batches of DP-SGD.",
        "Feldman, McMillan & Talwar 2023, Theorem 3.2",
        ((COMPOSITION, "batching"),),
        ("shuffler", "shuffling"),
    ),
    Entry(
        "shape",
        "Shape p",
        "The exponent of generalized Gaussian noise, which says how fast large errors become rare: 1 is Laplace, 2 is "
        "Gaussian, and larger values have shorter tails.",
        "",
        "Liu 2019",
        ((GENERALIZED_GAUSSIAN, "shapes"),),
    ),
)
