"""How the numbers of the section are computed, in Markdown with TeX."""

_PARAGRAPHS = (
    "**Composition.** A release has a privacy loss $L=\\ln\\frac{P(\\text{outcome})}{Q(\\text{outcome})}$ for "
    "neighbouring data sets with outcomes $P$ and $Q$. The losses of releases with independent noise add up, and "
    "together the releases satisfy (ε, δ)-DP "
    "with\n\n$$\\delta(\\varepsilon)=\\mathbb{E}\\left[1-e^{\\varepsilon-L}\\right]_+$$\n\nand with $P$ and $Q$ "
    "exchanged; the larger of the two values counts.",
    "**Exact.** $\\delta(\\varepsilon)=\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$ with "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$, which is the sum over the list; twice the integral’s estimate of its "
    "error is added. **Certified.** The privacy losses of each release are moved to the points of a grid such that the "
    "mass of both $P$ and $Q$ is preserved, which rounds every δ up (Doroshenko et al. 2022); Fourier transforms add "
    "them.",
    "**RDP** (Mironov 2017). The divergences $\\tau_i(\\alpha)$ add up, and "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$ "
    "(Canonne, Kamath & Steinke 2020). **zCDP** (Bun & Steinke 2016): $\\tau(\\alpha)=\\rho\\alpha$ with "
    "$\\rho=\\sum_i\\rho_i$.",
    "**Basic composition of lines.** $\\varepsilon=\\sum_i\\varepsilon_i$, $\\delta=\\sum_i\\delta_i$: the sums "
    "run over the lines. The releases of one line are composed exactly first, and the lines that need a δ share it "
    "equally. Basic composition of releases, in the section Accountants, adds the ε of every single release, which "
    "gives a larger total.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)
