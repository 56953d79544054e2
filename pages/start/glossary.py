"""The terms of the field that the pages use, each explained once."""

from pages.shared.least_noise import CERTAINTY

TERMS = {
    "ε, the privacy loss parameter": "the data of one unit change the probability of every set of outcomes by at most "
    "the factor e^ε, plus δ if there is one. At ε = 1 the factor is 2.72, at ε = 0.1 it is 1.11.",
    "Nat": "the unit of ε in charts and files. ε is a natural logarithm, so ε = 1 nat stands for a factor of e = 2.72; "
    "1 nat is 1.44 bits.",
    "δ": "under (ε, δ)-DP, the probability of every set of outcomes may exceed the e^ε bound by up to δ. A bound on "
    "single outcomes would not be enough: a mechanism that publishes everything together with a long random number "
    "makes every outcome less probable than any δ, and has δ = 1. δ is not a failure probability, except under "
    "probabilistic DP.",
    "(ε, δ)-DP": "Pr(M(x) ∈ S) ≤ e^ε Pr(M(x′) ∈ S) + δ for all neighbouring data sets x and x′ and all sets S of "
    "outcomes.",
    "Pure ε-DP": "(ε, δ)-DP with δ = 0. Laplace, geometric and staircase noise in proportion to Δ₁ satisfy it; "
    "Gaussian noise that is not truncated to bounds does not, at any σ.",
    "Probabilistic DP (pDP)": "the privacy loss exceeds ε in absolute value with probability at most δ. It requires "
    "more noise than (ε, δ)-DP at the same ε and δ.",
    "Privacy loss": "the logarithm of the ratio of the probabilities of an outcome with and without the data of one "
    "unit.",
    "Neighbours": "two data sets that differ in one unit of privacy, which is added or removed, or replaced by "
    "another. The unit is one record, or all records of one person; state which. If the unit is a record, a person "
    "with several records is protected less. The sensitivity must be computed for the same unit and relation.",
    "Sensitivity Δ₁, Δ₂": "the largest change of the query between neighbours: Δ₁ is the sum of the absolute changes "
    "of its numbers, Δ₂ their Euclidean length.",
    "Contribution limit": "the most that one person may add to a result: at most k cells of a table, or r records. "
    "What is beyond it is dropped before counting, and the noise grows with the limit.",
    "Clipping": "replacing values beyond a bound by the bound, so that one person moves a sum by a limited amount. A "
    "tight bound adds bias, a loose one requires more noise. Bounds that are read off confidential data are not "
    "private.",
    "σ": "the standard deviation of Gaussian noise, in the units of the query.",
    "Discrete Gaussian": "Gaussian noise on the integers: y has a probability proportional to e^(−y²/(2σ²)). Counts "
    "stay integers, and the noise can be sampled exactly. Its δ is a sum of its own, close to that of Gaussian noise "
    "with the same σ if σ is large.",
    "Truncated noise": "Laplace or geometric noise between −A and A, so that no error exceeds ±A. It satisfies "
    f"(ε, δ)-DP; δ is spent for the limit: with probability up to δ an outcome {CERTAINTY}.",
    "Least noise of any shape": "for one number, the least variance of all noise of (ε, δ)-DP. It lies between two "
    "bounds: the dual solution of a linear program proves the lower one, and known noise reaches the upper one.",
    "Confidence of the error interval": "the share of releases that are within the stated ± of the truth; one minus "
    "the significance level. It has no effect on privacy.",
    "μ": "the sensitivity relative to the noise, Δ₂/σ. Gaussian noise satisfies μ-GDP: two neighbours are as hard to "
    "distinguish as N(0, 1) and N(μ,\u00a01).",
    "Trade-off curve f": "the least false negative rate (share of members that are missed) that an attack can reach at "
    "each false positive rate α (share of people who are not in the data and are accused).",
    "f-DP": "no attack on one person does better than the trade-off curve f.",
    "Hull": "the largest convex curve that lies nowhere above the given points; random choices between attacks reach "
    "it.",
    "Privacy profile δ(ε)": "the least δ that a mechanism satisfies at each ε. It contains the same information as the "
    "trade-off curve.",
    "Prior and posterior": "the probability that somebody is in the data, before and after a release. Pure ε-DP alone "
    "limits the posterior after any outcome; with other noise a limit holds for one test only, and a rarer test "
    "leaves more.",
    "Lower bound": "no noise of this kind with a smaller σ satisfies the guarantee. A lower bound is not a guarantee.",
    "Corollary 9": "Liu’s (2019) sufficient scale of generalized Gaussian noise for probabilistic DP. At p = 1 and "
    "δ up to ½ it equals the exact scale; otherwise it is larger.",
    "Shape p": "the exponent of generalized Gaussian noise: 1 is Laplace, 2 is Gaussian, and larger values have "
    "shorter tails.",
    "Composition": "the joint guarantee of several releases about the same people: at most the sum of their ε and of "
    "their δ (basic composition), and often less if the mechanisms are known.",
    "Group privacy": "what a guarantee of one person becomes for g people together, or for g records of one person: ε "
    "grows to at most gε, and δ by more than g times.",
    "Shuffle model": "people randomise their answers themselves, and a shuffler removes who sent which report. "
    "Against those who see the shuffled reports alone, the guarantee of all together is then much stronger than that "
    "of each.",
    "zCDP, Rényi DP": "bounds on Rényi divergences, which are logarithms of exponential moments of the privacy loss. "
    "They add up over releases.",
    "Accountant": "a method that computes ε and δ of several releases together. Some add Rényi divergences (zCDP, "
    "Rényi DP); others use the whole distribution of the privacy loss, which is tighter.",
    "DP-SGD": "training a model in noisy steps: each step draws a random batch of records, clips the gradient of every "
    "record to the norm C, and adds Gaussian noise to their sum.",
    "Noise multiplier": "the standard deviation of the noise divided by the sensitivity; in DP-SGD divided by the "
    "clipping norm C.",
    "Sampling rate q": "the probability that a record is in the batch of a step. Because the batch is secret, a step "
    "costs less than the same noise on all records.",
    "Sanitised table": "a table of counts with noise in every cell, also in empty cells, after all post-processing. "
    "It satisfies its guarantee if the cells were fixed without looking at the data, and if nobody adds more to them "
    "than the noise assumes.",
    "Simultaneous error": "the ± within which all cells of a table are at once, in the stated share of releases. It is "
    "larger than the error of one cell, because it bounds the largest of many errors.",
    "Margin": "a set of totals of a table: by row, by column, or over all cells. Every set that is released with its "
    "own noise increases the sensitivity; totals computed from the noisy cells cost nothing.",
    "Post-processing": "any computation on a release that does not use the data again: rounding, clipping at 0, "
    "scaling to a public total. The guarantee is unchanged, but the result may be biased.",
    "KL divergence": "Σ p ln(p/q), in nats: how much one distribution differs from another. It is 0 if they are equal, "
    "and it is not symmetric. For tables it compares the shares of the cells after the same small number was added to "
    "each, so that none is 0.",
}
