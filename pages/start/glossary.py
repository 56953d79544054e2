"""The terms of the field that the pages use, each explained once."""

TERMS = {
    "ε, the privacy loss parameter": "one person's data may change the probability of every set of outcomes by at most "
    "the factor e^ε, plus δ where there is one. At ε = 1 that is a factor of 2.72, at ε = 0.1 one of 1.11.",
    "δ": "by how much the probability of a set of outcomes may exceed what the factor e^ε allows. A bound on every "
    "single outcome is not enough: who publishes everything beside a long random number makes each outcome rarer than "
    "any δ, and has δ = 1. Under (ε, δ)-DP it is no chance of failure; it "
    "is one only under probabilistic DP.",
    "(ε, δ)-DP": "Pr(M(x) ∈ S) ≤ e^ε Pr(M(x′) ∈ S) + δ for all neighbouring data sets x and x′ and all sets S of "
    "outcomes.",
    "Pure ε-DP": "the same with δ = 0. Laplace, geometric and staircase noise keep it; Gaussian noise that is "
    "not truncated to bounds never does.",
    "Probabilistic DP (pDP)": "the privacy loss exceeds ε in absolute value with probability at most δ. It asks more "
    "than (ε, δ)-DP at the same ε and δ.",
    "Privacy loss": "the logarithm of how many times likelier an outcome is with one person's data than without.",
    "Neighbours": "two data sets that differ in one unit of privacy, which is added or removed, or replaced by "
    "another. The unit is one record, or all records of one person; say which. If it is the record, a person with "
    "several records is protected less. The sensitivity must be computed for the same unit and relation.",
    "Sensitivity Δ₁, Δ₂": "the most by which the query differs between neighbours: Δ₁ as the sum over its numbers, "
    "Δ₂ as their Euclidean length.",
    "σ": "the standard deviation of Gaussian noise, in the units of the query.",
    "Discrete Gaussian": "Gaussian noise on the whole numbers: y has a probability in proportion to e^(−y²/(2σ²)). "
    "Counts stay whole, and it can be drawn exactly. What it promises is a sum of its own, close to that of Gaussian "
    "noise of the same σ where σ is large.",
    "Significance level α of the accuracy": "the share of releases that fall farther from the truth than the stated "
    "accuracy: at 0.05 it holds for 95 % of them. It has no effect on privacy.",
    "μ": "the sensitivity in units of the noise, Δ₂/σ: Gaussian noise is μ-GDP, which says that telling two neighbours "
    "apart is as hard as telling N(0, 1) from N(μ,\u00a01).",
    "Trade-off curve f": "the least false negative rate (members that are missed) that an attack can reach at each "
    "false positive rate α (of those who are not in the data, the share that it accuses).",
    "f-DP": "no attack on one person does better than the trade-off curve f.",
    "Hull": "the largest convex curve that lies nowhere above the given points: what mixing attacks makes of them.",
    "Privacy profile δ(ε)": "the least δ that a mechanism keeps at every ε. It says the same as the trade-off curve.",
    "Prior and posterior": "how sure an attacker is that somebody is in the data before and after a positive test.",
    "Lower bound": "no noise of this kind with a smaller σ can keep the promise; it promises nothing itself.",
    "Corollary 9": "Liu's (2019) sufficient scale of generalized Gaussian noise for probabilistic DP. At p = 1 and "
    "δ up to ½ it equals the exact scale; otherwise it is larger.",
    "Shape p": "the exponent of generalized Gaussian noise: 1 is Laplace, 2 Gaussian, larger is flatter with shorter "
    "tails.",
    "Composition": "what several releases about the same persons cost together: at most the sum of their ε and of "
    "their δ, and often less when it is known what noise each of them had. Each query may be chosen after earlier "
    "answers (adaptive composition); the kinds of noise, their parameters and their number are fixed beforehand. Who "
    "chooses these adaptively too needs a privacy filter or odometer.",
    "zCDP, Rényi DP": "bounds on Rényi divergences, which are logarithms of exponential moments of the privacy loss: "
    "they add up over releases.",
    "Accountant": "what computes the ε and δ of many releases together. Some add up Rényi divergences (zCDP, "
    "Rényi DP), others follow its whole distribution, which is tighter.",
    "DP-SGD": "training a model in noisy steps: each draws a batch of the records at random, shortens the gradient of "
    "every record to at most a length C, and adds Gaussian noise to their sum.",
    "Noise multiplier": "the standard deviation of DP-SGD’s noise over the length C, the most that one record adds.",
    "Sampling rate q": "the probability of a record to be in a step’s batch. Nobody knows who was, so a step costs "
    "less than one with the same noise on all records.",
    "Sanitised table": "a table of counts with noise added to every cell, empty ones too, and whatever was done to it "
    "afterwards: what may be published.",
    "Simultaneous error": "the ± within which all cells of a table are at once, in the stated share of releases. It is "
    "larger than that of each cell: the largest of many errors is meant.",
    "Margin": "a set of totals of a table: by row, by column, or of all cells. Each set that is released with noise of "
    "its own raises what one person moves; totals summed from the noisy cells cost nothing.",
    "Post-processing": "what is done to a release without another look at the data: rounding, clipping at 0, scaling "
    "to a public total. It takes nothing from the promise, and may add bias.",
    "KL divergence": "how far one distribution is from another, Σ p ln(p/q), in nats: 0 where they are equal, and not "
    "the same in both directions. Of tables it compares the shares of the cells, after the same small number was added "
    "to each, so that none is 0.",
}
