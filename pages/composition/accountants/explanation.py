"""How the numbers of the section are computed, in Markdown with TeX."""

CLT_ERROR = (
    "The known bounds on its error, of Berry–Esseen type (Dong, Roth & Su 2022), are of order 1/√T in δ, far above a δ "
    "such as 1e-6, and are not used here. It is an estimate, not a guarantee."
)

_PARAGRAPHS = (
    "**Basic composition of releases** (Dwork & Roth 2014, Theorem 3.16): $\\sum_i\\varepsilon_i$ at "
    "$\\sum_i\\delta_i$. **Dwork–Rothblum–Vadhan** (Theorem 3.20): $\\sqrt{2\\sum\\varepsilon_i^2\\ln(1/\\delta')}+"
    "\\sum\\varepsilon_i(e^{\\varepsilon_i}-1)$.",
    "**Kairouz, Oh & Viswanath 2015** (Theorem 3.5): the least of $\\sum_i\\varepsilon_i$, "
    "$m+\\sqrt{2s\\ln(1/\\delta')}$ and $m+\\sqrt{2s\\ln(e+\\sqrt s/\\delta')}$ with "
    "$m=\\sum\\varepsilon_i\\tanh(\\varepsilon_i/2)$, $s=\\sum\\varepsilon_i^2$ and "
    "$1-\\delta=(1-\\delta')\\prod_i(1-\\delta_i)$; "
    "the optimal bound (Theorem 3.3) uses the binomial distribution of the losses.",
    "**zCDP** (Bun & Steinke 2016) adds ρ, and **RDP** (Mironov 2017) adds $\\tau(\\alpha)$. Standard conversion: "
    "$\\varepsilon=\\tau(\\alpha)+\\frac{\\ln(1/\\delta)}{\\alpha-1}$, tight conversion (Canonne, Kamath & Steinke "
    "2020): $\\varepsilon=\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$, at the best α.",
    "**Exact**: $\\delta(\\varepsilon)=\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$ with "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$ of all releases, in the worse of both directions; where the integral does not "
    "converge, the losses are composed on a grid and rounded up.",
    "**Central limit theorem** (Bu et al. 2020): $\\mu=q\\sqrt{T(e^{1/z^2}-1)}$, the limit for many steps T. "
    f"{CLT_ERROR} It lies below the exact ε at some settings and above it at others.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)
