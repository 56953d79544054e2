"""How the scales of the exponential mechanism are computed."""

from dpcore.generalized_gaussian.bounded_comparison import EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, tex
from pages.papers.results import PapersResult
from pages.shared.bounded.text import no_answer_text, used_sensitivity_text


def explanation_text(result: PapersResult) -> str:
    """Return how the scales are computed, with the user's numbers, or that there are none at this ε."""
    exponential, setting = result.exponential, result.bounded_setting
    if exponential is None:
        return " ".join(no_answer_text(setting))
    b = {key: tex(format_up(scale)) for key, scale in exponential.scale.items()}
    lemma = f"Here $b={b[LEMMA.key]}$." if LEMMA.key in b else "It holds for whole p only."
    return _TEMPLATE.format(
        e=tex(format_input_up(setting.epsilon)),
        p=tex(format_input_up(setting.p)),
        w=tex(format_input_down(setting.width)),
        sensitivity=tex(used_sensitivity_text(setting)),
        lemma=lemma,
        exponential=b[EXPONENTIAL.key],
        published=b[PUBLISHED.key],
        truncated=b[TRUNCATED.key],
    )


_TEMPLATE = r"""
**Setting.** One statistic in $[c_0,c_1]$, $W=c_1-c_0={w}$, which changes by at most $\Delta={sensitivity}$ between
neighbours; $\varepsilon={e}$, $p={p}$. Every mechanism here satisfies pure $\varepsilon$-DP.

**Exponential mechanism** (Liu 2019, Eq. 15–16) with utility $u=-|x-s|^p$: truncated noise of density
$\propto e^{{-(|x-s|/b)^p}}$ on $[c_0,c_1]$ with $b=(2\Delta_u/\varepsilon)^{{1/p}}$, where $\Delta_u$ is the largest
change of the utility between neighbours.

**Lemma 10** (Liu 2019): $\Delta_u\le\Delta$ for p = 1, $2\Delta W$ for p = 2, and from p = 3 on
$\sum_j\binom pj\max(|c_0|,|c_1|)^{{p-j}}\Delta^{{(j)}}$, where $\Delta^{{(j)}}$ is the sensitivity of $s^j$. {lemma}

**Exact $\Delta_u$** (own derivation): $\Delta_u=W^p-(W-\Delta)^p$ gives $b={exponential}$.

**Truncated mechanism, published** (Liu 2019, Definition 5, Eq. 7–8):
$b=\left(\tfrac2\varepsilon\left[(W+\Delta)^p-W^p\right]\right)^{{1/p}}={published}$.

**Truncated mechanism, exact** (own derivation): the least b with
$\max_s\,\log f(c_0;s)-\log f(c_0;s+\Delta)=\varepsilon$, the largest log ratio of densities: $b={truncated}$.
""".strip()
