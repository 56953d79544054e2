"""The entries of the glossary on guarantees: what ε and δ limit, for whom, and who adds the noise."""

from pages.shared.site_map import COMPOSITION, GAUSSIAN_BOUNDS, LIVE_CLASS, PAPERS, SURVEY, TABLES, TRADEOFF
from pages.start.glossary.text import Entry

ENTRIES = {
    "differential_privacy": Entry(
        "Differential privacy",
        "What is published would be almost as probable without the data of any one person, so that little can be "
        "learned about this person from it. Random noise makes it so; ε and δ say how little.",
        "It is a property of the method, and not of one published number: it holds whatever an attacker knows and "
        "computes. It does not hide what is true of a group, such as that smoking causes cancer.",
        "Dwork, McSherry, Nissim & Smith 2006; Dwork & Roth 2014",
        ((TRADEOFF, "curves"), (COMPOSITION, "published")),
        ("DP", "privacy", "anonymity"),
    ),
    "epsilon": Entry(
        "ε, the privacy loss parameter",
        "How much one person’s data may change what is published: the smaller, the more private. The data of one unit "
        "change the probability of every set of outcomes by at most the factor e^ε, plus δ.",
        "At ε = 1 the factor is 2.72, at ε = 0.1 it is 1.11. If somebody is in the data with probability 50 %, no "
        "outcome of pure ε-DP with ε = 1 raises this above 73.2 %.",
        "Dwork & Roth 2014",
        ((TRADEOFF, "risk"),),
        ("epsilon", "privacy budget"),
    ),
    "nat": Entry(
        "Nat",
        "The unit of ε in charts and files. ε is a natural logarithm, so ε = 1 nat stands for a factor of e = 2.72.",
        "1 nat is 1.44 bits.",
        other_names=("bit",),
    ),
    "delta": Entry(
        "δ, the excess probability",
        "A small probability by which the limit of ε may be exceeded. Under (ε, δ)-DP, the probability of every set of "
        "outcomes may exceed the e^ε bound by up to δ, which should be far below 1/n for n people.",
        "A mechanism that publishes each complete record with probability δ satisfies (0, δ)-DP. With n = 10,000 "
        "people and δ = 1/n it publishes at least one record with probability 63 %, and for δ = 1e-6 the probability "
        "is 1 %.\n\n"
        "A bound on single outcomes would not be enough: a mechanism that publishes everything together with a long "
        "random number makes every outcome less probable than any δ, and has δ = 1. δ is not a failure probability, "
        "except under probabilistic DP.",
        "Dwork & Roth 2014, Section 2.3",
        ((COMPOSITION, "profile"),),
        ("delta",),
    ),
    "approximate_dp": Entry(
        "(ε, δ)-DP",
        "The usual form of differential privacy: one person changes the probability of any set of outcomes by at most "
        "the factor e^ε, plus δ.",
        "Pr(M(x) ∈ S) ≤ e^ε Pr(M(x′) ∈ S) + δ for all neighbouring data sets x and x′ and all sets S of outcomes.",
        "Dwork & Roth 2014, Definition 2.4",
        ((GAUSSIAN_BOUNDS, "bounds"),),
        ("approximate differential privacy", "epsilon delta DP"),
    ),
    "pure_dp": Entry(
        "Pure ε-DP",
        "The strictest form of differential privacy: the factor e^ε holds for every outcome, however rare. It is "
        "(ε, δ)-DP with δ = 0.",
        "Laplace, geometric and staircase noise in proportion to Δ₁ satisfy it; Gaussian noise that is not truncated "
        "to bounds does not, at any σ.",
        "Dwork, McSherry, Nissim & Smith 2006",
        ((TRADEOFF, "risk"),),
        ("epsilon DP", "pure differential privacy"),
    ),
    "pdp": Entry(
        "Probabilistic DP (pDP)",
        "A stricter reading of ε and δ: outcomes that speak for or against one person by more than the factor e^ε have "
        "a probability of at most δ.",
        "The privacy loss exceeds ε in absolute value with probability at most δ. It requires more noise than "
        "(ε, δ)-DP at the same ε and δ.",
        "Liu 2019; Machanavajjhala et al. 2008",
        ((GAUSSIAN_BOUNDS, "bounds"), (PAPERS, "pdp")),
        ("probabilistic differential privacy",),
    ),
    "privacy_loss": Entry(
        "Privacy loss",
        "How strongly one outcome speaks for or against a person being in the data.",
        "It is the logarithm of the ratio of the probabilities of an outcome with and without the data of one unit. "
        "The privacy losses of independent releases add.",
        "Dwork & Roth 2014, Section 1",
        ((COMPOSITION, "accountants"),),
    ),
    "unit": Entry(
        "Unit of privacy",
        "What the guarantee protects: one record, all records of one person, or a person’s data of one day. If it is "
        "one record, a person with many records is protected less.",
        "Two guarantees with the same ε compare only if their units are the same. If a person can have many records, "
        "a contribution limit makes the person the unit.",
        "Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019",
        ((TABLES, "table"), (COMPOSITION, "groups")),
        ("person", "record", "user level", "event level", "privacy unit"),
    ),
    "neighbours": Entry(
        "Neighbours",
        "Two data sets that differ in one unit of privacy, such as one person, who is added or removed, or replaced by "
        "another. The guarantee compares what is published from the two.",
        "The unit is one record, or all records of one person; state which. The sensitivity must be computed for the "
        "same unit and relation: if a record is replaced, a table changes in two cells instead of one.",
        "Dwork & Roth 2014, Section 2.3",
        ((TABLES, "table"),),
        ("add/remove-one", "replace-one", "adjacency", "adjacent"),
    ),
    "sensitivity": Entry(
        "Sensitivity Δ₁, Δ₂",
        "The most by which one person can change the result that is published. The noise grows in proportion to it.",
        "It is the largest change of the query between neighbours: Δ₁ is the sum of the absolute changes of its "
        "numbers, Δ₂ their Euclidean length. A count of people has 1; the sum of incomes that are clipped to 0 to "
        "100,000 has 100,000.",
        "Dwork & Roth 2014, Definitions 3.1 and 3.8",
        ((GAUSSIAN_BOUNDS, "bounds"), (TABLES, "table")),
        ("l1 sensitivity", "l2 sensitivity", "delta 1", "delta 2"),
    ),
    "local_dp": Entry(
        "Local DP",
        "Each person randomises the value before it leaves the device, so that nobody has to be trusted with the data. "
        "The results are much less accurate.",
        "Three of the published guarantees are local. A count over 10,000 people at ε = 1 has a standard deviation of "
        "96 by randomised response, and of 1.4 with geometric noise added by a trusted curator.",
        "Warner 1965; Kasiviswanathan et al. 2011",
        ((SURVEY, ""), (COMPOSITION, "published")),
        ("local differential privacy", "LDP"),
    ),
    "randomised_response": Entry(
        "Randomised response",
        "Each person answers a yes-or-no question truthfully with a known probability, and with the opposite "
        "otherwise. Nobody knows whether one answer is true; the share of yes can be estimated.",
        "At ε = 1 an answer is true with probability 73.1 %. Subset selection and unary encoding are other ways, which "
        "are better for questions with many options.",
        "Warner 1965",
        ((SURVEY, ""), (LIVE_CLASS, ""), (COMPOSITION, "published")),
        ("survey", "randomized response"),
    ),
    "curator": Entry(
        "Trusted curator",
        "The office that holds the exact data, adds the noise and publishes only the noisy results. The guarantee "
        "holds against everybody but this office.",
        "Without one, people randomise their own values: local DP, or the shuffle model.",
        "Dwork & Roth 2014, Section 2.1",
        ((COMPOSITION, "published"),),
        ("central model", "trusted office"),
    ),
    "group_privacy": Entry(
        "Group privacy",
        "What a guarantee for one person becomes for several people together, such as a family, or for several records "
        "of one person. It is weaker.",
        "For g people ε grows to at most gε, and δ by more than g times.",
        "Dwork & Roth 2014, Theorem 2.2",
        ((COMPOSITION, "groups"),),
        ("family", "household"),
    ),
    "lower_bound": Entry(
        "Lower bound",
        "What no noise can go below. No noise of this kind with a smaller σ satisfies the guarantee; a lower bound is "
        "not itself a guarantee.",
        source="Liu 2019",
        places=((GAUSSIAN_BOUNDS, "bounds"),),
    ),
    "membership_attack": Entry(
        "Membership attack",
        "An attack that finds out whether one person is in the data. Who resists it also resists attacks that learn "
        "more about this person.",
        "An attack is judged by two rates: the true positive rate is the share of members that it finds, the false "
        "positive rate the share of people who are not in the data and are accused.",
        "Yeom et al. 2018",
        ((TRADEOFF, "attack"),),
        ("membership inference", "true positive rate", "attacker"),
    ),
    "false_positive_rate": Entry(
        "False positive rate α",
        "The share of people who are not in the data and are accused of it by an attack.",
        "A low rate makes an accusation credible: attacks are compared at a few percent, or at less.",
        "Carlini et al. 2022",
        ((TRADEOFF, "curves"),),
        ("FPR", "alpha", "type I error"),
    ),
    "tradeoff_curve": Entry(
        "Trade-off curve f",
        "The least false negative rate (share of members that are missed) that an attack can reach at each false "
        "positive rate α (share of people who are not in the data and are accused).",
        "The higher the curve, the more private: for perfect privacy it is the straight line 1 − α, on which guessing "
        "lies.",
        "Dong, Roth & Su 2022",
        ((TRADEOFF, "curves"),),
        ("ROC", "false negative rate", "hypothesis test"),
    ),
    "f_dp": Entry(
        "f-DP",
        "A guarantee given as a whole curve instead of two numbers: no attack on one person does better than the "
        "trade-off curve f.",
        source="Dong, Roth & Su 2022",
        places=((TRADEOFF, "curves"),),
    ),
    "mu": Entry(
        "μ and Gaussian DP",
        "The sensitivity relative to the noise, Δ₂/σ: one number that says how private Gaussian noise is. The smaller, "
        "the more private.",
        "Gaussian noise satisfies μ-GDP: two neighbours are as hard to distinguish as N(0, 1) and N(μ,\u00a01).",
        "Dong, Roth & Su 2022",
        ((TRADEOFF, "quote"),),
        ("mu", "GDP"),
    ),
    "hull": Entry(
        "Hull",
        "The best that random choices between known attacks can reach: the largest convex curve that lies nowhere "
        "above the given points.",
        source="Dong, Roth & Su 2022",
        places=((TRADEOFF, "curves"),),
        other_names=("convex hull",),
    ),
    "privacy_profile": Entry(
        "Privacy profile δ(ε)",
        "One mechanism satisfies many pairs of ε and δ: the profile gives the least δ at each ε.",
        "It contains the same information as the trade-off curve.",
        "Balle & Wang 2018",
        ((COMPOSITION, "profile"),),
        ("profile", "curve"),
    ),
    "advantage": Entry(
        "Attacker’s advantage",
        "How much better than guessing an attack can be: the largest difference between its true and its false "
        "positive rate, which is 0 for guessing.",
        "Pure ε-DP allows at most (e^ε − 1)/(e^ε + 1): 46.22 % at ε = 1.",
        "Yeom et al. 2018; Kulynych et al. 2024",
        ((TRADEOFF, "curves"),),
        ("membership advantage", "total variation"),
    ),
    "posterior": Entry(
        "Prior and posterior",
        "The probability that somebody is in the data, as an attacker sees it before and after a release.",
        "Under pure ε-DP no outcome raises a prior π further than to πe^ε/(πe^ε + 1 − π): at ε = 1 from 10 % to at "
        "most 23.2 %. Gaussian noise and a δ above 0 leave rare outcomes that nothing limits: a limit then holds for "
        "one test only, and a rarer test leaves more.",
        "Kasiviswanathan & Smith 2014",
        ((TRADEOFF, "risk"),),
        ("prior", "belief", "Bayes", "probability"),
    ),
    "audit": Entry(
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
}
