"""The entries of the glossary on attackers: what they can learn, and how this is measured."""

from pages.shared.site_map import COMPOSITION, TRADEOFF
from pages.start.glossary.text import Entry

ENTRIES = (
    Entry(
        "membership_attack",
        "Membership attack",
        "An attack that finds out whether one person is in the data. Who resists it also resists attacks that learn "
        "more about this person.",
        "An attack is judged by two rates: the true positive rate is the share of members that it finds, the false "
        "positive rate the share of people who are not in the data and are accused.",
        "Yeom et al. 2018",
        ((TRADEOFF, "attack"),),
        ("membership inference", "true positive rate", "attacker"),
    ),
    Entry(
        "false_positive_rate",
        "False positive rate α",
        "The share of people who are not in the data and are accused of it by an attack.",
        "A low rate makes an accusation credible: attacks are compared at a few percent, or at less.",
        "Carlini et al. 2022",
        ((TRADEOFF, "curves"),),
        ("FPR", "alpha", "type I error"),
    ),
    Entry(
        "tradeoff_curve",
        "Trade-off curve f",
        "The least false negative rate (share of members that are missed) that an attack can reach at each false "
        "positive rate α (share of people who are not in the data and are accused).",
        "The higher the curve, the more private: for perfect privacy it is the straight line 1 − α, on which guessing "
        "lies.",
        "Dong, Roth & Su 2022",
        ((TRADEOFF, "curves"),),
        ("ROC", "false negative rate", "hypothesis test"),
    ),
    Entry(
        "f_dp",
        "f-DP",
        "A guarantee given as a whole curve instead of two numbers: no attack on one person does better than the "
        "trade-off curve f.",
        "",
        "Dong, Roth & Su 2022",
        ((TRADEOFF, "curves"),),
    ),
    Entry(
        "mu",
        "μ and Gaussian DP",
        "The sensitivity relative to the noise, Δ₂/σ: one number that says how private Gaussian noise is. The smaller, "
        "the more private.",
        "Gaussian noise satisfies μ-GDP: two neighbours are as hard to distinguish as N(0, 1) and N(μ,\u00a01).",
        "Dong, Roth & Su 2022",
        ((TRADEOFF, "quote"),),
        ("mu", "GDP"),
    ),
    Entry(
        "hull",
        "Hull",
        "The best that random choices between known attacks can reach: the largest convex curve that lies nowhere "
        "above the given points.",
        "",
        "Dong, Roth & Su 2022",
        ((TRADEOFF, "curves"),),
        ("convex hull",),
    ),
    Entry(
        "privacy_profile",
        "Privacy profile δ(ε)",
        "One mechanism satisfies many pairs of ε and δ: the profile gives the least δ at each ε.",
        "It contains the same information as the trade-off curve.",
        "Balle & Wang 2018",
        ((COMPOSITION, "profile"),),
        ("profile", "curve"),
    ),
    Entry(
        "advantage",
        "Attacker’s advantage",
        "How much better than guessing an attack can be: the largest difference between its true and its false "
        "positive rate, which is 0 for guessing.",
        "Pure ε-DP allows at most (e^ε − 1)/(e^ε + 1): 46.22 % at ε = 1.",
        "Yeom et al. 2018; Kulynych et al. 2024",
        ((TRADEOFF, "curves"),),
        ("membership advantage", "total variation"),
    ),
    Entry(
        "posterior",
        "Prior and posterior",
        "The probability that somebody is in the data, as an attacker sees it before and after a release.",
        "Under pure ε-DP no outcome raises a prior π further than to πe^ε/(πe^ε + 1 − π): at ε = 1 from 10 % to at "
        "most 23.2 %. Gaussian noise and a δ above 0 leave rare outcomes that nothing limits: a limit then holds for "
        "one test only, and a rarer test leaves more.",
        "Kasiviswanathan & Smith 2014",
        ((TRADEOFF, "risk"),),
        ("prior", "belief", "Bayes", "probability"),
    ),
    Entry(
        "audit",
        "Audit",
        "An experiment that attacks a mechanism to find out what it does not protect: it proves a lower bound on ε, "
        "and never a guarantee.",
        "In independent runs a coin decides whether a canary, an artificial record that is easy to detect, is "
        "included, and an attack guesses the coin. A perfect attack in 1,000 runs, 500 of each kind, proves ε ≥ 4.905 "
        "at δ = 1e-6 with 95 % confidence, and no more.",
        "Jagielski, Ullman & Oprea 2020; Steinke, Nasr & Jagielski 2023",
        ((TRADEOFF, "attack"),),
        ("canary", "empirical epsilon", "lower bound"),
    ),
)
