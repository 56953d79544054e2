"""How truncated noise and the least noise of any shape are computed, in Markdown, for the pages that have them."""

CERTAINTY = "proves that the person is in the data, or is not"
"""What a release of truncated noise does with probability δ."""
TRUNCATED_LAPLACE_TEXT = (
    r"**Truncated Laplace noise** (Geng, Ding, Guo & Kumar 2020, Theorem 1): density $\propto "
    r"e^{-\varepsilon|x|/\Delta}$ on $[-A,A]$, $A=(\Delta/\varepsilon)\ln(1+(e^{\varepsilon}-1)/(2\delta))$. "
    rf"With probability δ the release lies where the other data set cannot lead, and {CERTAINTY}."
)
TRUNCATED_GEOMETRIC_TEXT = (
    r"**Truncated geometric noise** (own derivation from the definition): $\Pr(k)\propto e^{-\varepsilon|k|/\Delta}$ "
    r"for "
    r"$|k|\le N$, with the least N at which $\Pr(k>N-\Delta)\le\delta$. Of r numbers that a person moves, each takes "
    r"ε/r and $1-(1-\delta)^{1/r}$: together they lose ε at most, except with a probability of at most δ, with which "
    f"one of them {CERTAINTY}; so this composition is exact."
)
LEAST_NOISE_TEXT = (
    r"**The least noise of any shape** (own derivation; Geng & Viswanath 2016 on whole numbers): on a lattice of D "
    r"cells to each Δ minimise $\sum_k c_k p_k$ subject to $\sum_k\max(p_k-e^{\varepsilon}p_{k+s},0)\le\delta$ for "
    r"$s=1,\dots,D$ and $\sum_k p_k=1$, a linear program that SciPy’s HiGHS solves. Its dual solution, made "
    r"feasible for every k and rounded down, proves a lower bound. With $V$ the least $\sum k^2p_k$ and "
    r"$w=\Delta/D$, the variance of noise on real numbers is at least $w^2(V-\tfrac14)$, since random rounding "
    r"to the lattice is post-processing that adds at most $w^2/4$; the optimal noise, spread over its cells, "
    r"reaches $w^2(V+\tfrac1{12})$, and its δ is computed from its own probabilities. A truncated staircase often "
    r"costs less: its density falls by $e^{-\varepsilon}$ at $(k+\gamma)\Delta$, k = 0, 1, …, and ends where the last "
    r"Δ before the end holds the probability δ, which makes it (ε, δ)-DP; γ is that of the least cost. Up to δ = 0.001 "
    "no noise is known that costs 0.01 % less, and no program is solved to draw it. Where ε is large, the "
    "conditions near 0 alone, on much smaller cells, prove the bound, and staircase noise that is replaced by a value "
    "near 0 with probability δ reaches it within a few percent."
)
LEAST_HALF_WIDTH_TEXT = (
    r"**The least error of any noise for one number** (own derivation): with $T(x)=\Pr(\text{noise}\ge x)$ a move by "
    r"Δ gives $T(x-\Delta)\le e^{\varepsilon}T(x)+\delta$. From $T(x)\le\alpha/2$ follows $T(x-n\Delta)\le U_n="
    r"e^{n\varepsilon}\alpha/2+\delta(e^{n\varepsilon}-1)/(e^{\varepsilon}-1)$, and where $2x\le(m+n)\Delta$, "
    r"$U_m+U_n\ge1$ is necessary. So no half-width is below $j\Delta/2$, with the largest j for which "
    r"$U_{\lfloor j/2\rfloor}+U_{\lceil j/2\rceil}<1$. It is a lower bound: on whole numbers with Δ = 1 it is reached."
)
