"""How the numbers of the section are computed, in Markdown with TeX."""

_PARAGRAPHS = (
    "**The profile.** For the privacy loss $L=\\ln\\frac{P}{Q}$ of all releases, $\\delta(\\varepsilon)="
    "\\mathbb{E}_P\\left[1-e^{\\varepsilon-L}\\right]_+$, in the worse of both directions. It is computed by "
    "the contour integral $\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$, "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$, to about nine digits, with its estimated error added. Where the integral does "
    "not converge, δ is computed on a grid and rounded up.",
    "**RDP**: $\\delta=\\min_\\alpha\\,e^{(\\alpha-1)(\\tau(\\alpha)-\\varepsilon)}(1-1/\\alpha)^{\\alpha-1}/\\alpha$ "
    "(Canonne, Kamath & Steinke 2020, Proposition 12); **zCDP** the same with $\\tau(\\alpha)=\\rho\\alpha$.",
    "**The trade-off curve.** A mechanism that satisfies $(\\varepsilon_i,\\delta_i)$-DP has "
    "$\\beta\\ge 1-\\delta_i-e^{\\varepsilon_i}\\alpha$, and the same with α and β exchanged (Dong, Roth & Su "
    "2022, after Wasserman & Zhou 2010). The link contains the corners of the polygon of at most 24 such lines, "
    "rounded down.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)
