"""How the numbers of the page are computed, in Markdown with TeX."""

from pages.framework.parameters.number_format import format_up
from pages.plan.results import PlanResult

_PARAGRAPHS = (
    "**From the error to the noise.** A wanted half-width $a$ with significance level $\\alpha$ fixes the scale of "
    "each mechanism: Laplace noise $b=a/\\ln(1/\\alpha)$, Gaussian noise $\\sigma=a/\\Phi^{-1}(1-\\alpha/2)$, "
    "geometric and discrete Gaussian noise the largest scale with $\\Pr(|X|>a)\\le\\alpha$. If the error is that of "
    "all $m$ cells at once, each cell has $1-(1-\\alpha)^{1/m}$. Where the number of records of a mean is not public, "
    "a noisy sum is divided by a noisy count, and both have noise.",
    "**Limits of one person.** In a histogram a person is in one cell ($\\Delta_1=1$), in a table in up to $k$ cells "
    "by at most $c$ in each ($\\Delta_1=kc$, $\\Delta_2=c\\sqrt{k}$). Where a person adds at most $N$ in all in each "
    "of $P$ periods, at most $f=\\min(k,P\\lfloor N/c\\rfloor)$ cells change by $c$, and $g=\\min(k-f,P)$ by the rest "
    "$r=N\\bmod c$: $\\Delta_1=fc+gr$, $\\Delta_2=\\sqrt{fc^2+gr^2}$. At most 4 visits a year in 36 months of three "
    "years give $\\Delta_1=12$ and $\\Delta_2=\\sqrt{48}$.",
    "**Statistics that are no plain number with noise.** A median or quantile is drawn on its grid by "
    "permute-and-flip or the exponential mechanism; the least ε with the wanted error is found on a typical "
    "sample of a lognormal distribution (A median). The largest of $m$ counts is at most $g$ below the true "
    "largest with $\\varepsilon=c\\ln((m-1)(1-\\alpha)/\\alpha)/g$ by the exponential mechanism, less by "
    "permute-and-flip. Unknown groups get noise on $k$ counts and a threshold "
    "$\\tau=c+\\sigma\\Phi^{-1}((1-\\delta_\\tau)^{1/k})$; all thresholds have a tenth of δ, which is taken from it "
    "first (an upper bound). A series has the best strategy of A series: its $\\Delta_2$ is that of the noisy "
    "sums, and ± is that of its worst number.",
    "**From the noise to the total.** Privacy losses of independent releases add up. The total is the exact ε at δ of "
    "their sum: a closed form for Gaussian noise alone, a contour integral to nine digits, or a certified bound on a "
    "grid of losses (Doroshenko et al. 2022), as on “All releases together”. Without δ, the ε of Laplace and geometric "
    "noise are added (Dwork & Roth 2014). A person is in only one query of a group, so the largest total of all "
    "combinations counts (McSherry 2009, Theorem 4).",
    "**The choice.** A search starts from the plans with one mechanism for all and changes one query at a time while "
    "an estimate of the total falls, by the saddle point of the contour integral. The best plans, and each plan of one "
    "mechanism that comes near them, are compared by their exact totals. The result is the best plan that was tried, "
    "which need not be the best of all.",
    "**If the total is known.** One factor multiplies all wanted errors that are not fixed. The total falls as the "
    "factor grows; the least factor at which it is at most ε is rounded up. With noise on whole numbers the total "
    "falls in steps, so that some of ε may be left.",
)


def explanation_text(result: PlanResult) -> str:
    """Return how the numbers are computed, and what an even split of the total would require."""
    return "\n\n".join((*_PARAGRAPHS, *filter(None, [_even_split_text(result)])))


def _even_split_text(result: PlanResult) -> str:
    """Return what the errors of the plan would require if each query got the same part; empty where there are none."""
    plan = result.plan
    even = None if plan is None or len(plan.queries) < 2 else plan.even_split
    if plan is None or even is None:
        return ""
    parts = "ε" if plan.delta == 0 else "ε and of δ"
    noise = "Laplace, geometric or Gaussian noise" if plan.delta else "Laplace or geometric noise"
    return (
        f"**An even split instead.** Where each of the {len(plan.queries)} queries gets the same part of {parts}, with "
        f"the best {noise}, the one that needs most decides: the errors of this plan require ε = {format_up(even)}. "
        f"The plan requires ε = {format_up(result.epsilon)}."
    )
