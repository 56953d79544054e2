"""How the numbers within bounds are computed."""

from dpcore.generalized_gaussian.bounded_comparison import BIT, CLIPPED, EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, tex
from pages.generalized_gaussian.bounded.results import BoundedResult
from pages.generalized_gaussian.bounded.text import pure_epsilon_text
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.bounded_noise import no_answer_text, used_sensitivity_text


def explanation_text(result: GeneralizedGaussianResult) -> str:
    """Return how the numbers within bounds are computed, or that there are none at this ε."""
    return " ".join(no_answer_text(result.setting)) if result.bounded is None else _formulas_text(result.bounded)


def _formulas_text(result: BoundedResult) -> str:
    """Return the formulas with the user's numbers, sources, notion and range."""
    setting = result.setting
    e, p, w, sensitivity = (
        tex(parameter)
        for parameter in (
            format_input_up(setting.epsilon),
            format_input_up(setting.p),
            format_input_down(setting.width),
            used_sensitivity_text(setting),
        )
    )
    clipped_epsilon = pure_epsilon_text(result, CLIPPED.key)
    b = {key: tex(format_up(scale)) for key, scale in result.scale.items()}
    lemma = (
        "$\\Delta_u\\le\\Delta$ for p = 1, $2\\Delta W$ for p = 2, and from p = 3 on "
        "$\\sum_j\\binom pj\\max(|c_0|,|c_1|)^{p-j}\\Delta^{(j)}$, where $\\Delta^{(j)}$ is the sensitivity of $s^j$"
    )
    lemma += f": $b={b[LEMMA.key]}$." if LEMMA.key in b else "; it covers whole p only."
    return f"""**Within bounds.** One statistic in $[c_0,c_1]$, $W=c_1-c_0={w}$, that changes by at most
$\\Delta={sensitivity}$ between neighbours; pure $\\varepsilon$-DP unless stated otherwise; every real p from 1 on
(the paper: whole p).

**Truncated, published** (Liu 2019, Definition 5, Eq. 7–8): density $\\propto e^{{-(|x-s|/b)^p}}$ on $[c_0,c_1]$ with
$b=\\left(\\tfrac2\\varepsilon\\left[(W+\\Delta)^p-W^p\\right]\\right)^{{1/p}}={b[PUBLISHED.key]}$ at $p={p}$,
$\\varepsilon={e}$. The bracket is the paper’s sum $\\sum_{{j=1}}^p\\binom pj W^{{p-j}}\\Delta^j$.

**Truncated, exact** (own derivation): the least b with
$\\max_s\\,\\log f(c_0;s)-\\log f(c_0;s+\\Delta)=\\varepsilon$, the largest log ratio of densities:
$b={b[TRUNCATED.key]}$.

**BIT, exact** (Liu 2019, Definition 7, whose Eq. 9 lacks a minus sign and which leaves b unsolved; own derivation):
what falls
outside is moved to the nearer bound. The worst outcome is the bound farthest from the truth:
$\\log\\frac{{\\Pr(e>W-\\Delta)}}{{\\Pr(e>W)}}=\\varepsilon$ gives $b={b[BIT.key]}$.

**$(\\varepsilon,\\delta)$ noise, clipped**: $b={b[CLIPPED.key]}$ is the tight b of $(\\varepsilon,\\delta)$-DP without
bounds; clipping is post-processing. At the same b it is the BIT mechanism, so it also satisfies pure DP with
$\\varepsilon=$ {clipped_epsilon}. Drawing again until the release is inside, which the paper’s section 2.6 also calls
post-processing, is not post-processing: the number of draws depends on the true value.

**Exponential mechanism** (Liu 2019, Eq. 15–16), utility $-|x-s|^p$: the same truncated noise with
$b=(2\\Delta_u/\\varepsilon)^{{1/p}}$. Exact (own derivation): $\\Delta_u=W^p-(W-\\Delta)^p$,
$b={b[EXPONENTIAL.key]}$; so the
bracket of Eq. 7–8 can be tightened to it as well. Lemma 10: {lemma}

**Errors** at the true value s are integrals of the release’s density, in closed form by incomplete gamma functions."""
